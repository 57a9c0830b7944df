import type { IPollFunctions } from 'n8n-workflow';
import type { Cursor } from './cursor';

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
 * Saves a cursor, or undefined to start from now, twice: in the data of the node, which n8n keeps by its name, so that
 * a rename would lose it, and in those of the workflow by the node's ID, which with durable poll cursors are saved only
 * with an execution (docs/decisions.md, E29).
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
