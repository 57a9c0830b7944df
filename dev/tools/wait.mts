import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until there is an answer.
 *
 * @param what what is waited for, for the message when it does not come
 * @param ask returns undefined, null or false as long as there is no answer; what it throws ends the wait
 * @returns the first answer
 * @throws when the time is up, also while an `ask` is still under way
 */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined | null | false>,
	timeoutMs: number,
	intervalMs = 200,
): Promise<T> {
	const late = new Error(`Timed out after ${timeoutMs / 1000} s waiting for ${what}`);
	let timer: NodeJS.Timeout | undefined;
	const timeUp = new Promise<never>((_, reject) => {
		timer = setTimeout(reject, timeoutMs, late);
	});
	try {
		for (;;) {
			// The time first: of two that are settled, the first one counts.
			const answer = await Promise.race([timeUp, ask()]);
			if (answer !== undefined && answer !== null && answer !== false) return answer;
			await sleep(intervalMs);
		}
	} finally {
		clearTimeout(timer);
	}
}
