import type { IPollFunctions } from 'n8n-workflow';
import { isRecord, logLine } from '../shared/transport';
import { isCursor, type Cursor } from './cursor';
import { membersIn, type KnownMembers, type Snapshot } from './snapshot';

interface Saved {
	/** How often it was saved. */
	revision: number;
	/** Undefined if the trigger starts from now. */
	cursor?: Cursor | Snapshot;
}

/**
 * Returns the stored cursor, or the members of the stored snapshot, which is large, so it is read only here. Undefined if
 * neither is stored or both copies are damaged, so that the trigger starts from now.
 */
export function loadCursor(functions: IPollFunctions): Cursor | KnownMembers | undefined {
	for (const { cursor } of copiesOf(functions)) {
		const loaded = isCursor(cursor) ? cursor : membersIn(cursor);
		if (loaded || cursor === undefined) return loaded;
	}
	const isDamaged = dataOf(functions).some((data) => storageKey(functions) in data);
	const text = 'the stored state of the last poll is damaged, so the trigger starts from now';
	if (isDamaged) functions.logger.warn(logLine(functions, text));
	return undefined;
}

/**
 * Saves a cursor, or undefined to start from now. It goes into the data of the node, which a rename would lose, and of the
 * workflow, which n8n may save only with an execution (docs/decisions.md, A25, E29).
 */
export function saveCursor(functions: IPollFunctions, cursor: Saved['cursor']): void {
	const [before] = copiesOf(functions);
	if (JSON.stringify(before?.cursor) === JSON.stringify(cursor)) return;
	const saved: Saved = { revision: (before?.revision ?? 0) + 1, cursor };
	for (const data of dataOf(functions)) data[storageKey(functions)] = saved;
}

/** Returns both copies, the newest first. Their cursors may be damaged. */
function copiesOf(functions: IPollFunctions): Saved[] {
	return dataOf(functions)
		.map((data) => data[storageKey(functions)])
		.filter((data): data is Saved => isRecord(data) && Number.isFinite(data.revision))
		.sort((a, b) => b.revision - a.revision);
}

function dataOf(functions: IPollFunctions) {
	return ['node', 'global'].map((type) => functions.getWorkflowStaticData(type));
}

// Contains the node's ID, because another node may have had the same name before.
function storageKey(functions: IPollFunctions): string {
	return `communityPlatformPollingTrigger ${functions.getNode().id}`;
}
