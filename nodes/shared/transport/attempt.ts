import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { HttpAnswer } from './answer';
import type { BrokenConnection } from './connection';
import { brokenConnection } from './connection';
import type { Outcome } from './outcome';
import { askedMsOf, outcomeOf, statusOf } from './outcome';
import type { ApiRequest } from './request';
import { isTooLong } from './retry';
import type { Permit, Feedback } from '../limiter';
import { CREDENTIAL } from './constants';
import { toHttpOptions } from './httpOptions';
import type { Api, CallingFunctions } from './open';

/** One attempt: the answer, or why there is none. */
export type Attempt = { outcome: Outcome } & (
	{ answer: HttpAnswer } | { broken: BrokenConnection }
);

/**
 * Sends a request once, with a permit of the limiter, and feeds the outcome back to the limiter.
 *
 * @param context any of n8n's node functions
 * @param settings HTTP options that the user has set
 * @param wasLost whether an earlier attempt of the same request was lost
 */
export async function attempt(
	context: CallingFunctions,
	{ baseUrl, credential, state: { limiter }, throttleReport }: Api,
	permit: Permit,
	request: ApiRequest,
	settings: Partial<IHttpRequestOptions>,
	wasLost: boolean,
): Promise<Attempt> {
	let feedback: Feedback = 'unknown';
	try {
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			context as IAllExecuteFunctions,
			CREDENTIAL,
			toHttpOptions(baseUrl, request, settings),
			// Otherwise n8n decrypts it for each request, and it may have changed by then (docs/decisions.md, E26).
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
		)) as HttpAnswer;
		const outcome = outcomeOf(request, answer, wasLost);
		feedback = feedbackOf(answer, outcome);
		const askedMs = askedMsOf(outcome);
		const isRefused = feedback === 'limited' || feedback === 'overloaded';
		if (isRefused) throttleReport.refused++;
		// A pause that is too long to be kept says nothing about the rate, and must not delay other requests.
		if (isRefused && askedMs !== undefined && !isTooLong(askedMs)) limiter.pause(askedMs);
		return { answer, outcome };
	} catch (error) {
		const broken = brokenConnection(error);
		if (broken.outcome.kind === 'neverSent') feedback = 'unused';
		return { broken, outcome: broken.outcome };
	} finally {
		if (feedback !== 'unused') throttleReport.sent++;
		// After a refusal, only once the item has seen it: it may stop the run, and then no request that waits for
		// this permit may start.
		if (feedback === 'fine') permit.release(feedback);
		else void sleep(0).then(() => permit.release(feedback));
	}
}

function feedbackOf(answer: HttpAnswer, outcome: Outcome): Feedback {
	if (outcome.kind === 'answered') return 'fine';
	const status = statusOf(answer);
	if (status !== 429 && status !== 503) return 'unknown';
	const askedMs = askedMsOf(outcome);
	if (isTooLong(askedMs)) return 'overloaded';
	// Gateways also answer 503 above their rate limit (limit_req of nginx). With Retry-After, the API is overloaded
	// until then, which says nothing about the rate.
	return status === 503 && askedMs !== undefined ? 'overloaded' : 'limited';
}
