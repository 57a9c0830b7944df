import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again and again until there is an answer.
 *
 * @param what what is waited for, for the message when it does not come
 * @param ask returns undefined as long as there is no answer; what it throws ends the wait
 * @param timeoutMs how long to go on asking, in milliseconds
 * @param intervalMs pause between two questions, in milliseconds
 * @returns the first answer that is not undefined
 * @throws when the time is up
 */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined>,
	timeoutMs: number,
	intervalMs = 200,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() >= deadline) {
			throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}`);
		}
		await delay(intervalMs);
	}
}
