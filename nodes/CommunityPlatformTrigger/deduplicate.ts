import { randomUUID } from 'crypto';
import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { KeyedLock } from '../shared/limiter/lock';

type Functions = Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'helpers'>;

/** Keys that are recorded together, and the new ones that no delivery has taken yet. */
interface Batch {
	keys: Set<string>;
	fresh: Promise<Set<string>>;
}

// The longest wait after a failed call. Each wait is random (jitter).
const RETRY_MS = 200;
const MOST_FAILURES = 3;
// A pause has to outlast the calls of other processes, so a slow call makes it longer. It is random, up to twice as long.
const PAUSE_MS = 15;
const MOST_CALLS = 10;

// n8n keeps a digest of 27 bytes of each key, all in one row, which is read and written by each call. The row has space
// for 2,500 keys and the marks of batches.
const RECORDED = { mode: 'entries', maxEntries: 2600 } as const;

const locks = new KeyedLock();
const waiting = new Map<string, Batch>();

/**
 * Records keys in n8n's database and returns the new ones. n8n's helper changes one row without a lock, so deliveries
 * to one node are queued, and those that wait are recorded together (docs/decisions.md, E14).
 */
export async function deduplicate(
	functions: Functions,
	keys: Iterable<string>,
	pause = sleep,
): Promise<Set<unknown>> {
	const id = `${functions.getWorkflow().id}/${functions.getNode().id}`;
	const batch = waiting.get(id) ?? startBatch(id, functions, pause);
	const asked = new Set(keys);
	for (const key of asked) batch.keys.add(key);
	const fresh = await batch.fresh;
	// If deliveries in a batch share a key, only the first one gets it.
	return new Set([...asked].filter((key) => fresh.delete(key)));
}

function startBatch(id: string, { helpers }: Functions, pause: typeof sleep): Batch {
	const { ready, release } = locks.acquire(id);
	const mark = randomUUID();
	const keys = new Set<string>();
	const record = async () => {
		try {
			await ready;
			waiting.delete(id);
			return new Set(await claim(helpers, [...keys], mark, pause));
		} finally {
			// A mark that stays only pushes out an old key.
			await helpers.removeProcessed([mark], 'node', RECORDED).catch(() => {});
			release();
		}
	};
	const batch = { keys, fresh: record() };
	waiting.set(id, batch);
	return batch;
}

/**
 * Records keys together with the batch's mark until the mark stays, and returns those that are new. If another process
 * overwrites the row, the mark is missing. A key that is still there belongs to that process, the others are recorded again.
 */
async function claim(
	helpers: Functions['helpers'],
	keys: string[],
	mark: string,
	pause: typeof sleep,
) {
	let failures = 0;
	for (let call = 1; call <= MOST_CALLS && keys.length > 0; call++) {
		const began = Date.now();
		const recorded = await helpers
			.checkProcessedAndRecord([...keys, mark], 'node', RECORDED)
			.catch(async (error: unknown) => {
				if (++failures === MOST_FAILURES) throw error;
				await pause(Math.random() * RETRY_MS);
			});
		if (!recorded) continue;
		const fresh = new Set<unknown>(recorded.new);
		// Also after a failed call that has recorded the keys. A duplicate is better than a lost delivery.
		if (!fresh.has(mark)) break;
		keys = keys.filter((key) => fresh.has(key));
		const pauseMs = PAUSE_MS + 2 * (Date.now() - began);
		if (keys.length > 0) await pause(pauseMs * (1 + Math.random()));
	}
	return keys;
}
