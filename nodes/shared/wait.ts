import { sleep } from 'n8n-workflow';

// n8n-workflow's sleep cannot be called off, so a long wait is cut into slices: what is left running
// after a cancel is at most one of them.
const SLICE_MS = 250;

/**
 * Waits, or returns early once the signal is aborted.
 *
 * @param ms milliseconds; zero or less returns at once
 * @param signal the execution's cancel signal
 */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
	const until = Date.now() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = until - Date.now()) {
		await untilAborted(sleep(Math.min(left, SLICE_MS)), signal);
	}
}

/**
 * @param promise what is waited for
 * @param signal the execution's cancel signal
 * @returns once the promise is settled or the signal aborted, whichever comes first; never rejects
 */
export async function untilAborted(promise: Promise<unknown>, signal?: AbortSignal): Promise<void> {
	const settled = promise.then(
		() => undefined,
		() => undefined,
	);
	if (!signal) return await settled;
	let stop = () => {};
	const aborted = new Promise<void>((resolve) => {
		stop = resolve;
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', stop, { once: true });
	});
	try {
		await Promise.race([settled, aborted]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
