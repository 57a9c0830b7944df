const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
// Longer than this the user is better served by hearing of it than by a run that seems to hang.
const LONGEST_OBEYED_WAIT_MS = 10 * 60_000;

/** What became of one attempt: an HTTP status, or a connection that broke before an answer came. */
export type Outcome =
	| { kind: 'status'; status: number; retryAfterMs?: number }
	| { kind: 'lost' }
	| { kind: 'unreachable' };

/** One attempt of a request. */
export interface Attempt {
	method: string;
	/** How many attempts were made before this one. */
	earlier: number;
	/** The most that may follow the first one. */
	maxRetries: number;
	outcome: Outcome;
}

/**
 * Whether repeating a request cannot apply it twice. A refused request (429, or 503 with a moment
 * named for coming back) was not carried out; anything else that goes wrong may have been, and only
 * reading and replacing can be done again without doubling a record.
 *
 * @param method GET, PUT, PATCH or POST
 * @param outcome what became of the attempt
 */
export function isRepeatable(method: string, outcome: Outcome): boolean {
	if (outcome.kind === 'unreachable') return false;
	const repeatable = method !== 'POST';
	if (outcome.kind === 'lost') return repeatable;
	if (outcome.status === 429) return true;
	if (outcome.status === 503) return repeatable || outcome.retryAfterMs !== undefined;
	return repeatable && [500, 502, 504].includes(outcome.status);
}

/**
 * Whether a failed request was possibly carried out all the same: nothing says that it was not.
 *
 * @param method GET, PUT, PATCH or POST
 * @param outcome what became of the last attempt
 */
export function isOutcomeUnknown(method: string, outcome: Outcome): boolean {
	if (method !== 'POST' || isRepeatable(method, outcome)) return false;
	return outcome.kind === 'lost' || (outcome.kind === 'status' && outcome.status >= 500);
}

/**
 * Whether the API asks for a pause that is too long to be kept: what comes after is sent and refused
 * in its turn, so that a run ends soon and says why.
 *
 * @param askedMs milliseconds from Retry-After; undefined when none was named
 */
export function isTooLong(askedMs: number | undefined): askedMs is number {
	return askedMs !== undefined && askedMs > LONGEST_OBEYED_WAIT_MS;
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
	const asked = outcome.kind === 'status' ? outcome.retryAfterMs : undefined;
	if (isTooLong(asked)) return undefined;
	// A moment that has passed, perhaps by this machine's clock only, is no reason to hurry.
	if (asked !== undefined && asked > 0) return asked;
	return random() * Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** earlier);
}
