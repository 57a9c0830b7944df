import { sleep } from 'n8n-workflow';
import type { Stop } from './stop';

// n8n-workflow's sleep cannot be called off, so a long wait is cut into slices: what is left running
// after a stop is at most one of them.
const SLICE_MS = 250;

/**
 * Waits, or returns early once the run is stopped.
 *
 * @param ms milliseconds; zero or less returns at once
 * @param stop the run's
 */
export async function wait(ms: number, stop?: Stop): Promise<void> {
	// Not the time of day: that can be set back.
	const until = performance.now() + ms;
	for (let left = ms; left > 0 && !stop?.isStopped; left = until - performance.now()) {
		await untilStopped(sleep(Math.min(left, SLICE_MS)), stop);
	}
}

/**
 * @param promise what is waited for; must not reject
 * @param stop the run's
 * @returns once the promise is settled or the run is stopped, whichever comes first
 */
export async function untilStopped(promise: Promise<void>, stop?: Stop): Promise<void> {
	await (stop ? Promise.race([promise, stop.whenStopped]) : promise);
}
