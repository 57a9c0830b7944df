import { failureOfAnswer, failureOfConnection } from './advice';
import { backOffOf } from './backOff';
import type { ApiRequest } from './request';
import { statusOf } from './outcome';
import { isTooLong } from './retry';
import type { Setting } from './settings';
import { Failure } from './failure';
import type { Attempt } from './attempt';

// A shorter wait goes unnoticed, so it is not reported.
const LEAST_WAIT_TOLD_MS = 900;
const MOST_MINUTES = 24 * 60;

/** How often a request was retried, and how long it waited in total, for retries and for pauses. */
export interface Waits {
	count: number;
	totalMs: number;
}

/**
 * The failure of a request after its last attempt: the reason, what to do, how often it was tried.
 *
 * @param wasLost whether an earlier attempt was lost, so that it may have been carried out
 * @param offered the settings that the node in question has
 */
export function finalFailure(
	request: ApiRequest,
	attempt: Attempt,
	{ count, totalMs }: Waits,
	{ wasLost, offered }: { wasLost: boolean; offered?: readonly Setting[] },
): Failure {
	const { message, advice, details, isUncertain } =
		'answer' in attempt
			? failureOfAnswer(request, attempt.answer, { wasLost, offered })
			: failureOfConnection(request, attempt.broken, { wasLost, offered });
	const { outcome } = attempt;
	const askedMs = outcome.kind === 'refused' ? outcome.askedMs : undefined;
	// That the outcome is uncertain matters more than when to come back.
	const isForLater = isTooLong(askedMs) && !isUncertain;
	const whatToDo = isForLater ? adviceAfter(askedMs) : advice;
	const text = [whatToDo, ...waited(count, totalMs)].join(' ');
	const httpCode = 'answer' in attempt ? statusOf(attempt.answer) : undefined;
	return new Failure(message, text, details, backOffOf(outcome, httpCode), isUncertain);
}

function adviceAfter(askedMs: number): string {
	const minutes = Math.ceil(askedMs / 60_000);
	const time =
		minutes > MOST_MINUTES ? 'more than a day' : `${minutes.toLocaleString('en')} minutes`;
	return `The API asks to wait for ${time} before the next request: run this again after that.`;
}

function waited(repeats: number, totalMs: number): string[] {
	const seconds = (totalMs / 1000).toFixed(1);
	if (repeats > 0) return [`Tried ${repeats + 1} times, waiting ${seconds} s in between.`];
	if (totalMs < LEAST_WAIT_TOLD_MS) return [];
	return [`It was sent after ${seconds} s, because the API had refused other requests before.`];
}
