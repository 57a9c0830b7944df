import type { Outcome } from './answer';
import type { Effect } from './api';

const FIRST_WAIT_MS = 500;
const MAX_RETRY_BACKOFF_MS = 30_000;
// A longer pause is reported instead, because a run that waits so long seems to hang.
const LONGEST_OBEYED_WAIT_MS = 10 * 60_000;

/** Whether a pause is too long to keep. Then later requests are refused as well, so the run ends soon. */
export function isTooLong(pauseMs: number | undefined): pauseMs is number {
	return (pauseMs ?? 0) > LONGEST_OBEYED_WAIT_MS;
}

/**
 * Returns how long to wait before the next attempt: Retry-After, or exponential backoff with jitter. Undefined if a
 * retry cannot help or could apply the request twice.
 *
 * @param earlier how many attempts were made before this one
 */
export function nextWaitMs(
	{ kind, isTransient, retryAfterMs }: Outcome,
	effect: Effect,
	earlier: number,
	random = Math.random,
): number | undefined {
	const isRetryable = isTransient && (kind !== 'lost' || effect !== 'creates');
	if (!isRetryable || isTooLong(retryAfterMs)) return undefined;
	// Zero means a moment that has passed, perhaps only by this machine's clock.
	if (retryAfterMs) return retryAfterMs;
	const most = Math.min(MAX_RETRY_BACKOFF_MS, FIRST_WAIT_MS * 2 ** earlier);
	// "Full jitter" (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/) after a refusal, so that
	// many do not come back together. A server that is down needs seconds, so it gets at least half of the range.
	const isFullJitter = kind === 'refused' && retryAfterMs === undefined;
	const from = isFullJitter ? 0 : most / 2;
	return from + random() * (most - from);
}
