import { sleep } from 'n8n-workflow';
import { Turns } from '../shared/pacing';

/** Asks n8n which keys it has not recorded yet, and records them: `helpers.checkProcessedAndRecord`. */
export type RecordKeys = (keys: string[]) => Promise<{ new: unknown[] }>;

/** Pauses in milliseconds. */
export interface Timing {
	/** Before it is checked that the record is still there. */
	settle: number;
	/** At most, before a failed attempt is repeated; the pause is drawn at random. */
	retry: number;
}

// Longer than n8n's helper takes from reading its row to writing it, some 10 ms.
const TIMING: Timing = { settle: 100, retry: 200 };
const MOST_ATTEMPTS = 3;

const queue = new Turns();

/** Of attempts that failed, perhaps only after they had written; with the node that they belong to. */
const ambiguous = new Set<string>();

/**
 * Deduplicates deliveries: records their keys in n8n's database and tells which of them are new. n8n's
 * helper reads one row, changes it and writes it back without a lock (n8n, deduplication-helper.ts,
 * `handleHashedItems`). So the calls of one process are queued; and as another process may have written
 * an older row back, new keys are recorded once more a moment later, where they are gone. Copies that
 * reach two processes at the same instant can both be new. After a failed attempt it is ambiguous
 * whether a key was recorded by it: such a key counts as new, and may be given twice rather than never.
 *
 * @param node what the record belongs to; calls for the same one are queued
 * @param keys of the delivery
 * @returns the keys that are new
 * @throws what n8n's database answers to the last of three attempts to record the keys
 */
export async function deduplicate(
	node: string,
	keys: readonly string[],
	record: RecordKeys,
	{ settle, retry }: Timing = TIMING,
): Promise<Set<string>> {
	const fresh = await inTurn(node, async () => await recordKeys(node, keys, record, retry));
	if (fresh.size > 0) {
		await sleep(settle);
		// They are recorded as far as is known; failing here would drop the delivery.
		await inTurn(node, async () => await record([...fresh])).catch(() => undefined);
	}
	return fresh;
}

async function recordKeys(
	node: string,
	keys: readonly string[],
	record: RecordKeys,
	retry: number,
): Promise<Set<string>> {
	const isAmbiguous = (key: string) => ambiguous.has(`${node} ${key}`);
	for (let attempt = 1; ; attempt++) {
		try {
			const recorded = new Set((await record([...new Set(keys)])).new);
			const fresh = keys.filter((key) => recorded.has(key) || isAmbiguous(key));
			for (const key of keys) ambiguous.delete(`${node} ${key}`);
			return new Set(fresh);
		} catch (error) {
			for (const key of keys) ambiguous.add(`${node} ${key}`);
			if (attempt === MOST_ATTEMPTS) throw error;
			await sleep(Math.random() * retry);
		}
	}
}

async function inTurn<T>(node: string, action: () => Promise<T>): Promise<T> {
	const turn = queue.enter(node);
	await turn.ready;
	return await action().finally(() => turn.leave());
}
