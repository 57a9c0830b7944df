import { Turns, wait } from '../shared/pacing';

/** Asks n8n which keys it has not recorded yet, and records them: `helpers.checkProcessedAndRecord`. */
export type RecordKeys = (keys: string[]) => Promise<{ new: unknown[] }>;

/** Milliseconds; each pause is drawn between zero, or half, and this. */
export interface Timing {
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
const TIMING: Timing = { spread: 500, settle: 400 };
const MOST_LOOKS = 8;
const MOST_ATTEMPTS = 5;

const queues = new Turns();

/** What this process knows of a node's record beyond what the row says. */
interface Memory {
	/** Taken up by a run that is at work, and not yet seen to stay in the row. */
	unsettled: Set<string>;
	/** Part of an attempt that failed, perhaps only after it had written them, and seen through by no run since. */
	doubtful: Set<string>;
}

/** By node. Stays, because a call that is under way holds on to its own. */
const memories = new Map<string, Memory>();

/**
 * Records what has been delivered, so that it is told from a repeat. Exact within one process, under
 * any concurrency; between several workers it can let a repeat through that arrives at the same
 * instant (design, engine fact 14). A database that breaks off may have written all the same: whatever
 * is ambiguous counts as new, so that a delivery is given out twice rather than never.
 *
 * @param node what the record belongs to; calls for the same one are queued
 * @param keys of the delivery
 * @returns the keys that were not recorded before
 * @throws what n8n's database answers, after several attempts to record the keys; never once that is done
 */
export async function remember(
	node: string,
	keys: readonly string[],
	record: RecordKeys,
	pauses = TIMING,
): Promise<Set<string>> {
	await wait(Math.random() * pauses.spread);
	const fresh = await recordNew(node, keys, record, pauses);
	const claims = fresh.map(claimOf);
	try {
		if (fresh.length === 0) return new Set();
		await settling(pauses);
		// Everyone else takes these keys for repeats by now: what cannot be claimed has to be given out.
		const claimed = new Set(await recordNew(node, claims, record, pauses).catch(() => claims));
		await untilTheyStay(node, fresh, record, pauses);
		return new Set(fresh.filter((key) => claimed.has(claimOf(key))));
	} finally {
		forget(node, [...fresh, ...claims]);
	}
}

function claimOf(key: string): string {
	return `${key} claimed`;
}

async function settling({ settle }: Timing): Promise<void> {
	await wait((0.5 + Math.random() / 2) * settle);
}

async function recordNew(
	node: string,
	keys: readonly string[],
	record: RecordKeys,
	{ settle }: Timing,
): Promise<string[]> {
	for (let attempt = 1; ; attempt++) {
		const taken = await inTurn(node, async (memory) => await takeNew(memory, keys, record)).catch(
			(error: unknown) => {
				// The very first record is a new row, which two workers can try to add at the same time.
				if (attempt < MOST_ATTEMPTS) return undefined;
				throw error;
			},
		);
		if (taken) return taken;
		await wait(Math.random() * settle);
	}
}

async function takeNew(
	{ unsettled, doubtful }: Memory,
	keys: readonly string[],
	record: RecordKeys,
): Promise<string[]> {
	const others = keys.filter((key) => !unsettled.has(key));
	const missing = await recordAll(record, keys, unsettled).catch((error: unknown) => {
		for (const key of others) doubtful.add(key);
		throw error;
	});
	// The first run that finds a doubtful key in the row answers for it, whoever's attempt wrote it.
	const taken = new Set(others.filter((key) => missing.has(key) || doubtful.has(key)));
	for (const key of taken) unsettled.add(key);
	return [...taken];
}

async function untilTheyStay(
	node: string,
	keys: string[],
	record: RecordKeys,
	pauses: Timing,
): Promise<void> {
	for (let looks = 0; looks < MOST_LOOKS; looks++) {
		await settling(pauses);
		const missing = await inTurn(
			node,
			async ({ unsettled }) => await recordAll(record, keys, unsettled),
		).catch(() => undefined);
		// Looking records once more what is missing, so one more look has to follow; also after one that
		// failed, which has seen nothing.
		if (missing && !keys.some((key) => missing.has(key))) return;
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

async function inTurn<T>(node: string, action: (memory: Memory) => Promise<T>): Promise<T> {
	const turn = queues.enter(node);
	await turn.ready;
	return await action(memoryOf(node)).finally(() => turn.leave());
}

function memoryOf(node: string): Memory {
	const memory = memories.get(node) ?? { unsettled: new Set(), doubtful: new Set() };
	memories.set(node, memory);
	return memory;
}

function forget(node: string, keys: string[]): void {
	const { unsettled, doubtful } = memoryOf(node);
	for (const key of keys) {
		unsettled.delete(key);
		doubtful.delete(key);
	}
}
