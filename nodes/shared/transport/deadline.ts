import { sleep } from 'n8n-workflow';

const LOOK_EVERY_MS = 100;

interface Watched {
	isOver(): boolean;
	controller: AbortController;
}

/** The requests in flight. One timer watches all of them, because a batch has thousands. */
const watched = new Set<Watched>();
let isWatching = false;

/**
 * Aborts a request within 100 milliseconds after `isOver` holds. `AbortSignal.timeout` would keep its memory for minutes
 * after the answer. Call `stop` when the request has ended.
 */
export function abortWhen(isOver: () => boolean): { signal: AbortSignal; stop(): void } {
	const controller = new AbortController();
	const request = { isOver, controller };
	watched.add(request);
	if (!isWatching) void watch();
	return { signal: controller.signal, stop: () => void watched.delete(request) };
}

async function watch(): Promise<void> {
	isWatching = true;
	while (watched.size > 0) {
		for (const { isOver, controller } of watched) if (isOver()) controller.abort();
		await sleep(LOOK_EVERY_MS);
	}
	isWatching = false;
}
