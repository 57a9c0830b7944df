// Version 5, since 6 adds a listener for the time-out with every attempt, until Node warns of it.
import pWaitFor from 'p-wait-for';

/**
 * Polls until there is an answer.
 *
 * @param what what is waited for, for the message when it does not come
 * @param ask returns undefined, null or false as long as there is no answer; what it throws ends the wait
 * @returns the first answer
 * @throws when the time is up
 */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined | null | false>,
	timeoutMs: number,
	intervalMs = 200,
): Promise<T> {
	const message = `Timed out after ${timeoutMs / 1000} s waiting for ${what}`;
	const found = await pWaitFor(
		async () => {
			const answer = await ask();
			const isAnswer = answer !== undefined && answer !== null && answer !== false;
			// In an object, as an empty answer would not be taken for one.
			return isAnswer && pWaitFor.resolveWith({ answer });
		},
		{ interval: intervalMs, timeout: { milliseconds: timeoutMs, message } },
	);
	return found.answer;
}
