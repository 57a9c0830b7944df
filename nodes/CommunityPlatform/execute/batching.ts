/** How the starts of items are spaced: a number of items, then a pause. */
export interface Batching {
	size: number;
	intervalMs: number;
}

/** No pauses. */
export const EACH_AT_ONCE: Batching = { size: 1, intervalMs: 0 };

/**
 * Reads one of the settings that n8n adds to every declarative node; its routing engine spaces items the same way.
 *
 * @param requestOptions value of the parameter of that name
 */
export function batchingOf(requestOptions: unknown): Batching {
	const { batching } = (requestOptions ?? {}) as {
		batching?: { batch?: { batchSize?: unknown; batchInterval?: unknown } };
	};
	const { batchSize, batchInterval } = batching?.batch ?? {};
	// An expression may give text.
	const [size, intervalMs] = [Math.floor(Number(batchSize)), Number(batchInterval)];
	return { size: size > 0 ? size : 1, intervalMs: intervalMs > 0 ? intervalMs : 0 };
}
