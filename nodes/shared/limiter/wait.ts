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
	await untilStopped(sleepInSlices(ms, stop), stop);
}

/**
 * @param promise what is waited for; must not reject
 * @param stop the run's
 * @returns once the promise is settled or the run is stopped, whichever comes first
 */
export async function untilStopped(promise: Promise<void>, stop?: Stop): Promise<void> {
	if (!stop) return await promise;
	await new Promise<void>((resolve) => {
		const leave = stop.onStop(resolve);
		void promise.then(() => {
			leave();
			resolve();
		});
	});
}

/**
 * @param promise what is waited for; it may go on, and reject, after the wait has ended
 * @param stop ends the waiting
 * @returns what the promise gives; undefined when it was stopped first and did not end by itself then
 * @throws what the promise rejects with before that
 */
export async function unlessStopped<T>(promise: Promise<T>, stop: Stop): Promise<T | undefined> {
	return await new Promise<T | undefined>((resolve, reject) => {
		// Where the stop also ends the promise, its own outcome says more than undefined.
		const leave = stop.onStop(() => void sleep(0).then(() => resolve(undefined)));
		void promise.then(resolve, reject).finally(leave);
	});
}

async function sleepInSlices(ms: number, stop?: Stop): Promise<void> {
	// Not the time of day: that can be set back.
	const until = performance.now() + ms;
	for (let left = ms; left > 0 && !stop?.isStopped; left = until - performance.now()) {
		await sleep(Math.ceil(Math.min(left, SLICE_MS)));
	}
}
