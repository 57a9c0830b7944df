import { Turns } from '../shared/turns';
import { wait } from '../shared/wait';

/** Asks n8n which keys it has not recorded yet, and records them: `helpers.checkProcessedAndRecord`. */
export type RecordKeys = (keys: string[]) => Promise<{ new: unknown[] }>;

/** Milliseconds; each pause is drawn between zero, or half, and this. */
export interface Pauses {
	/** Before recording. */
	spread: number;
	/** Between recording and looking again. */
	settle: number;
}

// The helper reads one row, changes it and writes it back, without a lock, within some 10 ms. In one
// process the queue below keeps that apart. Between workers only time can. Copies that arrive at the
// same instant are spread over half a second; those that meet all the same have a second chance to miss
// each other, when one of them claims the delivery. And what another worker's write has wiped is
// noticed by looking again after longer than such a write takes.
const PAUSES: Pauses = { spread: 500, settle: 400 };
const MOST_LOOKS = 8;
const MOST_ATTEMPTS = 5;

const queues = new Turns();

/** For each node, the keys that this process has recorded and has not yet seen to stay. */
const unsettledKeys = new Map<string, Set<string>>();

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
	record: RecordKeys,
	pauses = PAUSES,
): Promise<Set<string>> {
	await wait(Math.random() * pauses.spread);
	const fresh = await recordNew(node, keys, record, pauses);
	const claims = fresh.map(claimOf);
	try {
		if (fresh.length === 0) return new Set();
		await settling(pauses);
		const claimed = new Set(await recordNew(node, claims, record, pauses));
		await untilTheyStay(node, fresh, record, pauses);
		return new Set(fresh.filter((key) => claimed.has(claimOf(key))));
	} finally {
		const unsettled = unsettledOf(node);
		for (const key of [...fresh, ...claims]) unsettled.delete(key);
		if (unsettled.size === 0) unsettledKeys.delete(node);
	}
}

function claimOf(key: string): string {
	return `${key} claimed`;
}

async function settling({ settle }: Pauses): Promise<void> {
	await wait((0.5 + Math.random() / 2) * settle);
}

async function recordNew(
	node: string,
	keys: readonly string[],
	record: RecordKeys,
	pauses: Pauses,
): Promise<string[]> {
	return await inTurn(node, pauses, async (unsettled) => {
		const missing = await recordAll(record, keys, unsettled);
		const added = keys.filter((key) => missing.has(key) && !unsettled.has(key));
		for (const key of added) unsettled.add(key);
		return [...new Set(added)];
	});
}

async function untilTheyStay(
	node: string,
	keys: string[],
	record: RecordKeys,
	pauses: Pauses,
): Promise<void> {
	for (let looks = 0; looks < MOST_LOOKS; looks++) {
		await settling(pauses);
		// Looking records once more what is missing, so one more look has to follow.
		const isForgotten = await inTurn(node, pauses, async (unsettled) => {
			const missing = await recordAll(record, keys, unsettled);
			return keys.some((key) => missing.has(key));
		});
		if (!isForgotten) return;
	}
}

// Along with its own keys, every call restores those that another worker may have wiped meanwhile.
async function recordAll(
	record: RecordKeys,
	keys: Iterable<string>,
	unsettled: Set<string>,
): Promise<Set<unknown>> {
	return new Set((await record([...new Set([...keys, ...unsettled])])).new);
}

async function inTurn<T>(
	node: string,
	{ settle }: Pauses,
	action: (unsettled: Set<string>) => Promise<T>,
): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		const turn = queues.enter(node);
		await turn.ready;
		const done = await action(unsettledOf(node))
			.then((result) => ({ result }))
			.catch((error: unknown) => {
				// The very first record is a new row, which two workers can try to add at the same time.
				if (attempt < MOST_ATTEMPTS) return undefined;
				throw error;
			})
			.finally(() => turn.leave());
		if (done) return done.result;
		await wait(Math.random() * settle);
	}
}

function unsettledOf(node: string): Set<string> {
	const known = unsettledKeys.get(node) ?? new Set<string>();
	unsettledKeys.set(node, known);
	return known;
}
