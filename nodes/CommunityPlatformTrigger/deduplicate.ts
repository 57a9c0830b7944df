import { sleep } from 'n8n-workflow';
import { KeyedLock } from '../shared/limiter';

// The longest wait before the next attempt; it is drawn at random (jitter).
const RETRY_MS = 200;
const MOST_ATTEMPTS = 3;

/** Records keys in n8n's database, and gives those that were not recorded yet: `helpers.checkProcessedAndRecord`. */
export type RecordKeys = (keys: string[]) => Promise<{ new: unknown[] }>;

const locks = new KeyedLock();

/**
 * Records keys in n8n's database and gives those that are new. n8n's helper changes one row without a lock
 * (docs/decisions.md, E14), so its calls for one node are queued. Copies that reach two processes at the same instant
 * can both be new.
 *
 * @throws the failure of n8n's database at the last of three attempts
 */
export async function deduplicate(
	node: string,
	keys: Iterable<string>,
	record: RecordKeys,
): Promise<Set<unknown>> {
	const unique = [...new Set(keys)];
	const { ready, release } = locks.acquire(node);
	try {
		await ready;
		for (let attempt = 1; ; attempt++) {
			const recorded = await record(unique).catch(async (error: unknown) => {
				if (attempt === MOST_ATTEMPTS) throw error;
				await sleep(Math.random() * RETRY_MS);
			});
			// A failed attempt may have recorded the keys. Then all count as new, because a duplicate is better than a lost
			// delivery.
			if (recorded) return new Set(attempt === 1 ? recorded.new : unique);
		}
	} finally {
		release();
	}
}
