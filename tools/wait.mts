// Version 5, since 6 adds a listener for the time-out with every attempt, until Node warns of it.
import pWaitFor from 'p-wait-for';

/**
 * Polls until there is an answer.
 *
 * @param what what is waited for, for the message when it does not come
 * @param ask returns undefined or false as long as there is no answer; what it throws ends the wait
 * @param timeoutMs how long to go on asking, in milliseconds
 * @param intervalMs pause between two questions, in milliseconds
 * @returns the first answer
 * @throws when the time is up
 */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined | false>,
	timeoutMs: number,
	intervalMs = 200,
): Promise<T> {
	const message = `Timed out after ${timeoutMs / 1000} s waiting for ${what}`;
	return await pWaitFor(
		async () => {
			const answer = await ask();
			return answer !== undefined && answer !== false && pWaitFor.resolveWith(answer);
		},
		{ interval: intervalMs, timeout: { milliseconds: timeoutMs, message } },
	);
}
