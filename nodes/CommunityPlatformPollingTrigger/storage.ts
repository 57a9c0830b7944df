import type { IPollFunctions } from 'n8n-workflow';
import { isRecord, logLine } from '../shared/transport';
import { isCursor, type Cursor } from './cursor';
import { membersIn, type Snapshot } from './snapshot';

interface Saved {
	/** How often it was saved. */
	revision: number;
	/** Undefined if the trigger starts from now. */
	cursor?: Cursor | Snapshot;
}

/** Returns the stored cursor. Undefined if there is none or it is damaged, so that the trigger starts from now. */
export function loadCursor(functions: IPollFunctions): Saved['cursor'] {
	const saved = latest(functions);
	const isDamaged = !saved && dataOf(functions).some((data) => storageKey(functions) in data);
	const text = 'the stored state of the last poll is damaged, so the trigger starts from now';
	if (isDamaged) functions.logger.warn(logLine(functions, text));
	return saved?.cursor;
}

/**
 * Saves a cursor, or undefined to start from now. It goes into the data of the node, which a rename would lose, and of the
 * workflow, which n8n may save only with an execution (docs/decisions.md, A25, E29).
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

// Contains the node's ID, because another node may have had the same name before.
function storageKey(functions: IPollFunctions): string {
	return `communityPlatformPollingTrigger ${functions.getNode().id}`;
}
