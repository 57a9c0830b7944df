import { sleep } from 'n8n-workflow';

/** Records keys in n8n's database, and gives those that were not recorded yet: `helpers.checkProcessedAndRecord`. */
export type RecordKeys = (keys: string[]) => Promise<{ new: unknown[] }>;

/** Pauses in milliseconds. */
export interface Timing {
	/** Before checking that keys are still recorded. */
	settle: number;
	/** The longest before retrying a failed attempt; the pause is drawn at random (jitter). */
	retry: number;
}

// Longer than n8n's helper takes from reading its row to writing it: some 10 ms, more when the database is busy.
const TIMING: Timing = { settle: 200, retry: 200 };
// How often to check that keys are still recorded; once, unless some were gone.
const MOST_CHECKS = 5;
const MOST_ATTEMPTS = 3;

/** A run that waits for its keys to be recorded. */
interface Waiting {
	keys: readonly string[];
	record: RecordKeys;
	resolve: (fresh: Set<string>) => void;
	reject: (error: unknown) => void;
}

/** By node; a queue exists while calls for the node are in progress. */
const queues = new Map<string, Waiting[]>();

/** Keys, with their node, of failed attempts, which may have recorded them. */
const ambiguous = new Set<string>();

/**
 * Deduplicates deliveries: records their keys in n8n's database and gives those that are new.
 *
 * n8n's helper reads one row, changes it and writes it back without a lock (docs/decisions.md, E14). So within one
 * process calls are queued, and one call records the keys of all runs that wait. Another process may write back an
 * older row, so new keys are recorded again a moment later, until none is gone. Copies that reach two processes in
 * the same instant can both be new. A failed attempt may have recorded its keys: they count as new, because a
 * duplicate is better than a lost delivery.
 *
 * @param node in whose scope keys are recorded
 * @param keys of the delivery
 * @param record calls n8n's helper; calls for the same node never overlap
 * @returns the keys that are new
 * @throws the failure of n8n's database at the last of three attempts
 */
export async function deduplicate(
	node: string,
	keys: readonly string[],
	record: RecordKeys,
	{ settle, retry }: Timing = TIMING,
): Promise<Set<string>> {
	const fresh = await enqueue(node, keys, record, retry);
	let unchecked = fresh;
	for (let checks = 0; unchecked.size > 0 && checks < MOST_CHECKS; checks++) {
		await sleep(settle);
		// The keys were recorded before; throwing here would drop the delivery.
		const missing = await enqueue(node, [...fresh], record, retry).catch(() => undefined);
		if (!missing) forgetAmbiguous(node, fresh);
		unchecked = missing ?? new Set();
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
		void processQueue(node, retry);
	});
}

async function processQueue(node: string, retry: number): Promise<void> {
	const queue = queues.get(node) ?? [];
	while (queue.length > 0) {
		const batch = queue.splice(0);
		const keys = new Set(batch.flatMap((waiting) => waiting.keys));
		try {
			const fresh = await recordKeys(node, [...keys], batch[0].record, retry);
			// Of runs with the same key, the first one gets it.
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
