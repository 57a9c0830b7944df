import type { IPollFunctions } from 'n8n-workflow';
import type { Cursor } from './cursor';

/** What n8n keeps of a trigger. */
interface Saved {
	/** The trigger's node, by its ID: two nodes may have had one name, one after the other. */
	node: string;
	/** How often it was saved before. */
	revision: number;
	/** Undefined where the trigger is to start from now. */
	cursor?: Cursor;
}

/** The cursor that n8n has kept; undefined where the trigger starts from now. */
export function loadCursor(functions: IPollFunctions): Cursor | undefined {
	return latest(functions)?.cursor;
}

/**
 * Has n8n keep a cursor, twice: in the data of the node, which n8n keeps by the node's name, and in those of the
 * workflow, by the node's ID, so that it is found after the node was renamed. The data of the workflow alone would not
 * do, because with durable poll cursors they are saved only with an execution (docs/decisions.md, E29).
 *
 * @param cursor undefined makes the trigger start from now
 */
export function saveCursor(functions: IPollFunctions, cursor: Cursor | undefined): void {
	const before = latest(functions);
	if (JSON.stringify(before?.cursor) === JSON.stringify(cursor)) return;
	const node = functions.getNode().id;
	const saved: Saved = { node, revision: (before?.revision ?? 0) + 1, cursor };
	functions.getWorkflowStaticData('node').cursor = saved;
	functions.getWorkflowStaticData('global')[keyOf(node)] = saved;
}

function latest(functions: IPollFunctions): Saved | undefined {
	const { id } = functions.getNode();
	return [
		functions.getWorkflowStaticData('node').cursor as Saved | undefined,
		functions.getWorkflowStaticData('global')[keyOf(id)] as Saved | undefined,
	]
		.filter((saved) => saved?.node === id)
		.sort((a, b) => Number(b?.revision) - Number(a?.revision))[0];
}

function keyOf(node: string): string {
	return `communityPlatformPollingTrigger ${node}`;
}
