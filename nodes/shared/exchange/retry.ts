import { askedMsOf, isRepeatable, type Outcome } from './outcome';

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
// Longer than this the user is better served by hearing of it than by a run that seems to hang.
const LONGEST_OBEYED_WAIT_MS = 10 * 60_000;

/** One attempt of a request. */
export interface Attempt {
	/** The HTTP method. */
	method: string;
	/** How many attempts were made before this one. */
	earlier: number;
	/** The most that may follow the first one. */
	maxRetries: number;
	outcome: Outcome;
}

/**
 * Whether the API asks for a pause that is too long to be kept: what comes after is sent and refused
 * in its turn, so that a run ends soon and says why.
 *
 * @param askedMs milliseconds from Retry-After; undefined when none was named
 */
export function isTooLong(askedMs: number | undefined): askedMs is number {
	return (askedMs ?? 0) > LONGEST_OBEYED_WAIT_MS;
}

/**
 * Decides on the next attempt.
 *
 * @param attempt what was tried and what became of it
 * @param random between 0 and 1, for the jitter
 * @returns milliseconds to wait before the next attempt, or undefined to give up. Retry-After is
 * obeyed as it is; without it, or where it names no time at all, the wait is drawn from a doubling range ("full jitter", see
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), so that many requests
 * refused together do not come back together.
 */
export function nextWaitMs(attempt: Attempt, random = Math.random): number | undefined {
	const { method, earlier, maxRetries, outcome } = attempt;
	if (earlier >= maxRetries || !isRepeatable(method, outcome)) return undefined;
	const askedMs = askedMsOf(outcome);
	if (isTooLong(askedMs)) return undefined;
	// A moment that has passed, perhaps by this machine's clock only, is no reason to hurry.
	if (askedMs) return askedMs;
	const most = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** earlier);
	// A server that starts again takes its time: with less than half of the range ("equal jitter"), some
	// of many requests would use up their attempts before it is back.
	const least = outcome.kind === 'neverSent' ? most / 2 : 0;
	return least + random() * (most - least);
}
