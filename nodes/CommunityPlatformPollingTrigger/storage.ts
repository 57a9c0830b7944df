import type { IPollFunctions } from 'n8n-workflow';
import type { Cursor } from './cursor';

interface Saved {
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
 * a rename would lose it, and in those of the workflow, which with durable poll cursors are saved only with an execution
 * (docs/decisions.md, E29).
 */
export function saveCursor(functions: IPollFunctions, cursor: Cursor | undefined): void {
	const before = latest(functions);
	if (JSON.stringify(before?.cursor) === JSON.stringify(cursor)) return;
	const saved: Saved = { revision: (before?.revision ?? 0) + 1, cursor };
	for (const data of dataOf(functions)) data[keyOf(functions)] = saved;
}

function latest(functions: IPollFunctions): Saved | undefined {
	return dataOf(functions)
		.map((data) => data[keyOf(functions)] as Saved | undefined)
		.sort((a, b) => Number(b?.revision) - Number(a?.revision))[0];
}

function dataOf(functions: IPollFunctions) {
	return ['node', 'global'].map((type) => functions.getWorkflowStaticData(type));
}

// By the node's ID: two nodes may have had one name, one after the other.
function keyOf(functions: IPollFunctions): string {
	return `communityPlatformPollingTrigger ${functions.getNode().id}`;
}
