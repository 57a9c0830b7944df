import { sleep } from 'n8n-workflow';
import { Cancellation, wait } from './cancel';

// Enough for any concurrency, and few enough to be kept in memory.
const MAX_IN_FLIGHT = 250;
// Milliseconds after which long work yields to n8n's event loop.
const MAX_BLOCKING_MS = 10;

let turn: Promise<void> | undefined;

/** Resolves in the next turn of n8n's event loop. All who wait share one timer, because a batch has thousands of them. */
export function nextTurn(): Promise<void> {
	return (turn ??= sleep(0).then(() => void (turn = undefined)));
}

/** Makes a function to call between the parts of long work. It yields to n8n's event loop when that is due. */
export function yielding(): () => Promise<void> | undefined {
	let until = performance.now() + MAX_BLOCKING_MS;
	let yielded: Promise<void> | undefined;
	return () => {
		if (performance.now() <= until) return undefined;
		// Shared, so that several callers together block no longer than one.
		return (yielded ??= nextTurn().then(() => {
			until = performance.now() + MAX_BLOCKING_MS;
			yielded = undefined;
		}));
	};
}

/** How the starts of items are spaced: a number of items, then a pause. */
export interface Batching {
	size: number;
	intervalMs: number;
}

/** How many items are in flight at once, and how their starts are spaced. */
export interface Pace {
	atOnce?: number;
	batching?: Batching;
}

/**
 * Takes a step, which never throws, for each of `count` items in order: starts one as soon as fewer than `atOnce` are
 * in flight. Resolves once none is in flight. After a cancellation, no further item starts.
 */
export async function dispatch(
	count: number,
	cancellation: Cancellation,
	step: (index: number) => Promise<void>,
	{ atOnce = MAX_IN_FLIGHT, batching }: Pace = {},
): Promise<void> {
	let inFlight = 0;
	let onEnd = () => {};
	const anEnd = async () => await new Promise<void>((resolve) => void (onEnd = resolve));
	const end = () => {
		inFlight--;
		onEnd();
	};
	const yieldIfDue = yielding();
	for (let index = 0; index < count; index++) {
		if (batching && index > 0 && index % batching.size === 0)
			await wait(batching.intervalMs, cancellation);
		const due = yieldIfDue();
		if (due) await due;
		while (inFlight >= atOnce) await anEnd();
		if (cancellation.isCancelled) break;
		inFlight++;
		void step(index).then(end);
	}
	while (inFlight > 0) await anEnd();
}

/** The same, but the first failure of a step ends all and is thrown. `cancelled` cancels the requests of the others. */
export async function dispatchAll(
	count: number,
	step: (index: number, cancelled: Cancellation) => Promise<void>,
): Promise<void> {
	const cancelled = new Cancellation();
	let cause: unknown;
	await dispatch(count, cancelled, async (index) => {
		try {
			await step(index, cancelled);
		} catch (error) {
			cause ??= error;
			cancelled.cancel();
		}
	});
	if (cause !== undefined) throw cause;
}
