import type { IExecuteFunctions } from 'n8n-workflow';
import { KeyedLock } from '../shared/async/lock';

type Functions = Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'helpers'>;

// n8n keeps a digest of 27 bytes of each key, all in one row, which is read and written by each call.
const RECORDED = { mode: 'entries', maxEntries: 2500 } as const;

const locks = new KeyedLock();

/**
 * Records keys in n8n's database and returns the new ones. n8n's helper changes one row without a lock, so the calls of
 * this process wait for each other. Those of another worker do not (docs/decisions.md, E14).
 */
export async function deduplicate(functions: Functions, keys: string[]): Promise<Set<unknown>> {
	const { helpers } = functions;
	const { ready, release } = locks.acquire(
		`${functions.getWorkflow().id}/${functions.getNode().id}`,
	);
	const record = async () => await helpers.checkProcessedAndRecord(keys, 'node', RECORDED);
	try {
		await ready;
		// A failed call may have recorded the keys, and a duplicate is better than a lost delivery.
		const { new: fresh } = await record().catch(async () => ({ ...(await record()), new: keys }));
		return new Set(fresh);
	} finally {
		release();
	}
}
