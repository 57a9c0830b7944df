import { wait } from '../../shared/limiter';
import type { Stop } from '../../shared/limiter';
import type { Batching } from '../../shared/transport';

// Enough for any concurrency, and few enough to be kept in memory.
const MOST_IN_FLIGHT = 500;

/**
 * Sends items in their order: starts each as soon as fewer than 500 are in flight, with the user's pauses in between.
 *
 * @param items emptied in the process; undefined for an item with nothing to send
 * @param batching how many items are started before each pause
 * @param stop once stopped, no further item is started
 * @param send sends one item; never throws
 * @returns resolves when no item is in flight any more
 */
export async function dispatch<Item>(
	items: Array<Item | undefined>,
	{ size, intervalMs }: Batching,
	stop: Stop,
	send: (item: Item, index: number) => Promise<void>,
): Promise<void> {
	let inFlight = 0;
	let onEnd = () => {};
	const anEnd = async () =>
		await new Promise<void>((resolve) => {
			onEnd = resolve;
		});
	const begin = async (item: Item, index: number) => {
		inFlight++;
		await send(item, index);
		inFlight--;
		onEnd();
	};
	for (const index of items.keys()) {
		const isPause = intervalMs > 0 && index > 0 && index % size === 0;
		if (isPause) await wait(intervalMs, stop);
		while (inFlight >= MOST_IN_FLIGHT) await anEnd();
		if (stop.isStopped) break;
		const item = items[index];
		items[index] = undefined;
		if (item !== undefined) void begin(item, index);
	}
	while (inFlight > 0) await anEnd();
}
