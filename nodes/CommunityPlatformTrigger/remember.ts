import { Turns } from '../shared/turns';
import { wait } from '../shared/wait';

/** Asks n8n which keys it has not recorded yet, and records them: `helpers.checkProcessedAndRecord`. */
export type Record = (keys: string[]) => Promise<{ new: unknown[] }>;

/** Milliseconds; each pause is drawn between zero, or half, and this. */
export interface Pauses {
	/** Before recording. */
	spread: number;
	/** Between recording and looking again. */
	settle: number;
}

// The helper reads one row, changes it and writes it back, without a lock, within some 10 ms. In one
// process the queue below keeps that apart. Between workers only time can: copies that arrive at the
// same instant are spread over half a second, and what another worker's write has wiped is noticed by
// looking again after longer than such a write takes.
const PAUSES: Pauses = { spread: 500, settle: 300 };
const MOST_LOOKS = 8;
const MOST_ATTEMPTS = 5;

const queues = new Turns();

/**
 * Records what has been delivered, so that it is told from a repeat. Exact within one process, under
 * any concurrency; between several workers it can let a repeat through that arrives at the same
 * instant (design, engine fact 14).
 *
 * @param node what the record belongs to; calls for the same one are queued
 * @param keys of the delivery
 * @returns the keys that were not recorded before
 * @throws what n8n's database answers, after several attempts
 */
export async function remember(
	node: string,
	keys: readonly string[],
	record: Record,
	pauses = PAUSES,
): Promise<Set<string>> {
	await wait(Math.random() * pauses.spread);
	const fresh = await recordInTurn(node, [...new Set(keys)], record, pauses);
	let forgotten = fresh;
	for (let looks = 0; forgotten.length > 0 && looks < MOST_LOOKS; looks++) {
		await wait((0.5 + Math.random() / 2) * pauses.settle);
		// Looking records once more what is missing, so one more look has to follow.
		forgotten = await recordInTurn(node, fresh, record, pauses);
	}
	return new Set(fresh);
}

async function recordInTurn(
	node: string,
	keys: string[],
	record: Record,
	{ settle }: Pauses,
): Promise<string[]> {
	for (let attempt = 1; ; attempt++) {
		const recorded = await inTurn(node, async () => await record(keys)).catch((error: unknown) => {
			// The very first record is a new row, which two workers can try to add at the same time.
			if (attempt < MOST_ATTEMPTS) return undefined;
			throw error;
		});
		if (recorded) return recorded.new as string[];
		await wait(Math.random() * settle);
	}
}

async function inTurn<T>(node: string, action: () => Promise<T>): Promise<T> {
	const turn = queues.enter(node);
	await turn.ready;
	try {
		return await action();
	} finally {
		turn.leave();
	}
}
