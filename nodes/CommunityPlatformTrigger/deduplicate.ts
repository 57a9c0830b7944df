import { sleep } from 'n8n-workflow';

/** Asks n8n which keys it has not recorded yet, and records them: `helpers.checkProcessedAndRecord`. */
export type RecordKeys = (keys: string[]) => Promise<{ new: unknown[] }>;

/** Pauses in milliseconds. */
export interface Timing {
	/** Before it is checked that the record is still there. */
	settle: number;
	/** At most, before a failed attempt is repeated; the pause is drawn at random. */
	retry: number;
}

// Longer than n8n's helper takes from reading its row to writing it: some 10 ms, more when the database is busy.
const TIMING: Timing = { settle: 200, retry: 200 };
// How often it is checked that the record is still there; once, unless something was gone.
const MOST_LOOKS = 5;
const MOST_ATTEMPTS = 3;

/** A run that waits for its keys to be recorded. */
interface Waiting {
	keys: readonly string[];
	record: RecordKeys;
	resolve: (fresh: Set<string>) => void;
	reject: (error: unknown) => void;
}

/** By node; there is a queue as long as calls for the node are under way. */
const queues = new Map<string, Waiting[]>();

/** Keys of attempts that failed, perhaps only after they had written; with the node that they belong to. */
const ambiguous = new Set<string>();

/**
 * Deduplicates deliveries: records their keys in n8n's database and tells which of them are new. n8n's
 * helper reads one row, changes it and writes it back without a lock (n8n, deduplication-helper.ts,
 * `handleHashedItems`). So a process makes one call at a time, for all runs that wait; and as another
 * process may have written an older row back, new keys are recorded once more a moment later, and again
 * as long as some were gone. Copies that reach two processes at the same instant can both be new. After a failed
 * attempt it is ambiguous whether it recorded a key: that key counts as new, and may be given twice
 * rather than never.
 *
 * @param node what the record belongs to
 * @param keys of the delivery
 * @param record asks n8n; calls for the same node never overlap
 * @returns the keys that are new
 * @throws what n8n's database answers to the last of three attempts to record the keys
 */
export async function deduplicate(
	node: string,
	keys: readonly string[],
	record: RecordKeys,
	{ settle, retry }: Timing = TIMING,
): Promise<Set<string>> {
	const fresh = await enqueue(node, keys, record, retry);
	let unsure = fresh;
	for (let looks = 0; unsure.size > 0 && looks < MOST_LOOKS; looks++) {
		await sleep(settle);
		// They are recorded as far as is known; failing here would drop the delivery.
		const missing = await enqueue(node, [...fresh], record, retry).catch(() => undefined);
		if (!missing) forgetAmbiguous(node, fresh);
		unsure = missing ?? new Set();
	}
	return fresh;
}

async function enqueue(
	node: string,
	keys: readonly string[],
	record: RecordKeys,
	retry: number,
): Promise<Set<string>> {
	return await new Promise((resolve, reject) => {
		const waiting: Waiting = { keys, record, resolve, reject };
		const queue = queues.get(node);
		if (queue) {
			queue.push(waiting);
			return;
		}
		queues.set(node, [waiting]);
		void workOff(node, retry);
	});
}

async function workOff(node: string, retry: number): Promise<void> {
	const queue = queues.get(node) ?? [];
	while (queue.length > 0) {
		const batch = queue.splice(0);
		const keys = new Set(batch.flatMap((waiting) => waiting.keys));
		try {
			const fresh = await recordKeys(node, [...keys], batch[0].record, retry);
			// The first run that has a key takes it.
			for (const waiting of batch) {
				waiting.resolve(new Set(waiting.keys.filter((key) => fresh.delete(key))));
			}
		} catch (error) {
			for (const waiting of batch) waiting.reject(error);
		}
	}
	queues.delete(node);
}

async function recordKeys(
	node: string,
	keys: string[],
	record: RecordKeys,
	retry: number,
): Promise<Set<string>> {
	for (let attempt = 1; ; attempt++) {
		const answer = await record(keys).catch((error: unknown) => {
			for (const key of keys) ambiguous.add(`${node} ${key}`);
			if (attempt < MOST_ATTEMPTS) return undefined;
			throw error;
		});
		if (answer) {
			const recorded = new Set(answer.new);
			const fresh = keys.filter((key) => recorded.has(key) || ambiguous.has(`${node} ${key}`));
			forgetAmbiguous(node, keys);
			return new Set(fresh);
		}
		await sleep(Math.random() * retry);
	}
}

function forgetAmbiguous(node: string, keys: Iterable<string>): void {
	for (const key of keys) ambiguous.delete(`${node} ${key}`);
}
