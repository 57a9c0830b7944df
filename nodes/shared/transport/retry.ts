import { askedMsOf, isRepeatable, type Outcome } from './outcome';
import type { Repeat } from './repeat';

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
const PACED_REQUESTS = 10;
const PACED_RETRIES = 2;
// The user is told of a longer pause, because a run that waits for it seems to hang.
const LONGEST_OBEYED_WAIT_MS = 10 * 60_000;

/** An attempt that may be retried. */
export interface FailedAttempt {
	repeat: Repeat;
	/** How many attempts were made before this one. */
	earlier: number;
	/** The most that may follow the first one. */
	maxRetries: number;
	outcome: Outcome;
	/** Requests a second that the limiter keeps to; Infinity while no rate limit is known. */
	perSecond?: number;
}

/**
 * Whether the API asks for a pause that is too long to be kept. Later requests are then sent and refused in turn, so
 * that the run ends soon and says why.
 *
 * @param askedMs milliseconds from Retry-After; undefined when none was named
 */
export function isTooLong(askedMs: number | undefined): askedMs is number {
	return (askedMs ?? 0) > LONGEST_OBEYED_WAIT_MS;
}

/**
 * Decides on the next attempt: exponential backoff with jitter, unless Retry-After says when.
 *
 * @param attempt the last attempt and its outcome
 * @param random between 0 and 1, for the jitter
 * @returns milliseconds to wait before the next attempt, or undefined to give up. Without Retry-After, or where it
 * is zero, the wait is drawn from a range that doubles ("full jitter", see
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), so that many requests
 * that were refused together do not come back together. The range begins shorter where the limiter keeps to a rate.
 */
export function nextWaitMs(attempt: FailedAttempt, random = Math.random): number | undefined {
	const { repeat, earlier, maxRetries, outcome } = attempt;
	if (earlier >= maxRetries || !isRepeatable(repeat, outcome)) return undefined;
	const askedMs = askedMsOf(outcome);
	if (isTooLong(askedMs)) return undefined;
	// Zero is a moment that has passed, perhaps by this machine's clock only.
	if (askedMs) return askedMs;
	const most = Math.min(LONGEST_BACKOFF_MS, longestMs(attempt));
	// A restarting server needs some time: with waits below half of the range (unlike "equal jitter"), some requests
	// would use up their attempts before it is back.
	const least = outcome.kind === 'neverSent' ? most / 2 : 0;
	return least + random() * (most - least);
}

/**
 * The longest backoff. Where the limiter keeps to a rate, the first two retries wait for a few of its requests only:
 * many that were refused together are spread by it already, and a second more would only lengthen the run.
 */
function longestMs({ earlier, outcome, perSecond = Infinity }: FailedAttempt): number {
	const isPaced = perSecond < Infinity && outcome.kind === 'refused';
	if (!isPaced) return FIRST_WAIT_MS * 2 ** earlier;
	if (earlier >= PACED_RETRIES) return FIRST_WAIT_MS * 2 ** (earlier - PACED_RETRIES);
	return Math.min(FIRST_WAIT_MS, (1000 * PACED_REQUESTS) / perSecond) * 2 ** earlier;
}
