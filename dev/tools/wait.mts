import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until there is an answer.
 *
 * @param what the awaited result, for the message on a timeout
 * @param ask returns undefined, null or false as long as there is no answer. An exception ends the wait
 * @returns the first answer
 * @throws on a timeout, even while an `ask` is still running
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
			// The timeout comes first, because if both have settled, the first one counts.
			const answer = await Promise.race([timeUp, ask()]);
			if (answer !== undefined && answer !== null && answer !== false) return answer;
			await sleep(intervalMs);
		}
	} finally {
		clearTimeout(timer);
	}
}
