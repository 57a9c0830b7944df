import type { IPollFunctions } from 'n8n-workflow';
import type { Cursor } from './cursor';
import { toCursor } from './cursor';

/** What n8n keeps of a trigger. */
interface Saved {
	/** The trigger's node, by its ID: two nodes may have had one name, one after the other. */
	node: string;
	/** The node's name when this was saved. */
	name: string;
	/** How often it was saved before. */
	revision: number;
	/** Undefined where the trigger is to start from now. */
	cursor?: Cursor;
}

/** The cursor that n8n has kept; undefined where the trigger starts from now. */
export function loadCursor(functions: IPollFunctions): Cursor | undefined {
	return toCursor(savedOf(functions)?.cursor);
}

/**
 * Has n8n keep a cursor, twice: in the data of the node, which n8n keeps by the node's name, and in those of the
 * workflow, by the node's ID, so that it is found after the node was renamed. The data of the workflow alone would not
 * do, because with durable poll cursors they are saved only with an execution (docs/decisions.md, E29).
 *
 * @param cursor undefined makes the trigger start from now
 */
export function saveCursor(functions: IPollFunctions, cursor: Cursor | undefined): void {
	const { id: node, name } = functions.getNode();
	const before = savedOf(functions);
	if (before?.name === name && JSON.stringify(before.cursor) === JSON.stringify(cursor)) return;
	const saved = { node, name, revision: (before?.revision ?? 0) + 1, cursor };
	functions.getWorkflowStaticData('node').saved = saved;
	functions.getWorkflowStaticData('global')[keyOf(node)] = saved;
}

function savedOf(functions: IPollFunctions): Saved | undefined {
	const { id, name } = functions.getNode();
	const ofNode = toSaved(functions.getWorkflowStaticData('node').saved, id);
	const copy = toSaved(functions.getWorkflowStaticData('global')[keyOf(id)], id);
	// What was saved under a name that the node has again is older than the copy.
	const isOutdated = ofNode && copy && copy.name !== name && copy.revision > ofNode.revision;
	return isOutdated ? copy : (ofNode ?? copy);
}

function toSaved(kept: unknown, node: string): Saved | undefined {
	const saved = (kept ?? {}) as Partial<Saved>;
	return saved.node === node && Number.isInteger(saved.revision) ? (saved as Saved) : undefined;
}

function keyOf(node: string): string {
	return `communityPlatformPollingTrigger ${node}`;
}
