import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { KeyedLock } from '../shared/limiter/lock';

// The longest wait before the next attempt. Each wait is random (jitter).
const RETRY_MS = 200;
const MOST_ATTEMPTS = 3;

// n8n keeps a digest of 27 bytes of each key, all in one row, which is read and written for every delivery.
const RECORDED = { mode: 'entries', maxEntries: 2500 } as const;

const locks = new KeyedLock();

/**
 * Records keys in n8n's database and returns the new ones. n8n's helper changes one row without a lock, so its calls for
 * one node are queued. Other processes do not wait (docs/decisions.md, E14).
 */
export async function deduplicate(
	functions: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'helpers'>,
	keys: Iterable<string>,
): Promise<Set<unknown>> {
	const unique = [...new Set(keys)];
	const { ready, release } = locks.acquire(
		`${functions.getWorkflow().id}/${functions.getNode().id}`,
	);
	try {
		await ready;
		for (let attempt = 1; ; attempt++) {
			const recorded = await functions.helpers
				.checkProcessedAndRecord(unique, 'node', RECORDED)
				.catch(async (error: unknown) => {
					if (attempt === MOST_ATTEMPTS) throw error;
					await sleep(Math.random() * RETRY_MS);
				});
			// A failed attempt may have recorded the keys, and a duplicate is better than a lost delivery.
			if (recorded) return new Set(attempt === 1 ? recorded.new : unique);
		}
	} finally {
		release();
	}
}
