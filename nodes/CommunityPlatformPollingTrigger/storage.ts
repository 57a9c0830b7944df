import type { IPollFunctions } from 'n8n-workflow';
import { isRecord, logLine } from '../shared/transport';
import { isCursor, type Cursor } from './cursor';
import { membersIn, type Snapshot } from './snapshot';

interface Saved {
	/** How often it was saved before. */
	revision: number;
	/** Undefined where the trigger is to start from now. */
	cursor?: Cursor | Snapshot;
}

/** The cursor that n8n has kept; undefined where the trigger starts from now, also because it is damaged. */
export function loadCursor(functions: IPollFunctions): Saved['cursor'] {
	const saved = latest(functions);
	const isDamaged = !saved && dataOf(functions).some((data) => storageKey(functions) in data);
	const text = 'what n8n has kept of the last poll is damaged, so the trigger starts from now';
	if (isDamaged) functions.logger.warn(logLine(functions, text));
	return saved?.cursor;
}

/**
 * Saves a cursor, or undefined to start from now: in the data of the node, which a rename would lose, and in those of
 * the workflow, which may be saved only with an execution (docs/decisions.md, A25, E29).
 */
export function saveCursor(functions: IPollFunctions, cursor: Saved['cursor']): void {
	const before = latest(functions);
	if (JSON.stringify(before?.cursor) === JSON.stringify(cursor)) return;
	const saved: Saved = { revision: (before?.revision ?? 0) + 1, cursor };
	for (const data of dataOf(functions)) data[storageKey(functions)] = saved;
}

function latest(functions: IPollFunctions): Saved | undefined {
	return dataOf(functions)
		.map((data) => data[storageKey(functions)])
		.filter(isSaved)
		.sort((a, b) => b.revision - a.revision)[0];
}

function isSaved(data: unknown): data is Saved {
	if (!isRecord(data) || !Number.isFinite(data.revision)) return false;
	return data.cursor === undefined || isCursor(data.cursor) || !!membersIn(data.cursor);
}

function dataOf(functions: IPollFunctions) {
	return ['node', 'global'].map((type) => functions.getWorkflowStaticData(type));
}

// By the node's ID: two nodes may have had one name, one after the other.
function storageKey(functions: IPollFunctions): string {
	return `communityPlatformPollingTrigger ${functions.getNode().id}`;
}
