import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { Cancellation, wait } from '../async/cancel';
import { nextTurn } from '../async/pace';
import type { Feedback, Permit } from '../limiter/queue';
import { explainAnswer, type FailedAttempt } from './advice';
import { brokenConnection } from './connection';
import { Failure } from '../failure';
import { abortWhen } from './deadline';
import { API_PATH, CREDENTIAL, type HttpAnswer, type Api, type ApiRequest } from './api';
import { outcomeOf, type Outcome } from './answer';
import { isTooLong, nextWaitMs } from './retry';

const DEFAULT_TIMEOUT_MS = 300_000;

/** Thrown if the run or a request was cancelled. It is never shown. Its cause is the last Failure, if any. */
export class Cancelled extends Error {}

/** The attempts of a request so far. */
interface History {
	retries: number;
	/**
	 * The attempts that count. A refusal does not if the API has accepted other requests since the last attempt, because it
	 * only came too early. Each of these follows an accepted request, so they end.
	 */
	counted: number;
	/** How many requests the API had accepted at the last attempt. */
	accepted: number;
	/** When the first one began, by `performance.now`. */
	readonly began: number;
	/** Whether one of them may have changed something. */
	isUncertain: boolean;
	/** The failure of the last attempt. */
	failure?: Failure;
}

/**
 * Sends one request. This is the only way to the API. Waits for the limiter, and retries with backoff if a retry cannot
 * apply the request twice (docs/sending.md). Throws a Failure for any answer that is not what was requested.
 *
 * @param cancelled cancels this request alone, not the run
 */
export async function call(
	api: Api,
	request: ApiRequest,
	cancelled?: Cancellation,
): Promise<HttpAnswer> {
	const { effect } = request;
	const { accepted } = api.limiter;
	const began = performance.now();
	const history: History = { retries: 0, counted: 0, accepted, began, isUncertain: false };
	for (;;) {
		const permit = await permitFor(api, request, cancelled, history);
		if (history.retries === 1) api.throttling.retried++;
		const last = await attempt(api, permit, request);
		if ('statusCode' in last) return last;
		history.isUncertain ||= last.kind === 'lost' && effect !== 'reads';
		const failure = failureOf(request, last, history);
		// Cancellation cuts off a request in flight, which is not the API's fault.
		const isCut = last.status === undefined && api.cancellation.isCancelled;
		if (isCut) throw new Cancelled('The time was over', { cause: failure });
		const waitMs = nextWaitMs(last, effect, history.retries);
		if (!isTooEarly(api, last, history)) history.counted++;
		const isLast = history.counted > api.settings.maxRetries || api.limiter.isDown;
		if (waitMs === undefined || isLast) {
			countFailedAttempts(api, history);
			throw failure;
		}
		history.failure = failure;
		history.retries++;
		history.accepted = api.limiter.accepted;
		await wait(waitMs, api.cancellation, cancelled);
	}
}

function countFailedAttempts({ throttling }: Api, { retries }: History): void {
	if (retries > 0)
		throttling.maxFailedAttempts = Math.max(throttling.maxFailedAttempts, retries + 1);
}

/** Whether a request was refused although the API has accepted others since its last attempt. */
function isTooEarly(
	{ settings, limiter }: Api,
	{ kind }: FailedAttempt,
	{ accepted }: History,
): boolean {
	return settings.maxRetries > 0 && kind === 'refused' && limiter.accepted > accepted;
}

async function permitFor(
	{ limiter, settings, cancellation }: Api,
	{ isDecided }: ApiRequest,
	cancelled: Cancellation | undefined,
	history: History,
): Promise<Permit> {
	const permit = await limiter.acquire({
		max: settings.maxRequestsAtOnce,
		run: cancellation,
		isRetry: history.retries > 0,
		isDecided,
		cancelled,
	});
	const isOver = cancellation.isCancelled || cancelled?.isCancelled;
	if (permit && !isOver) return permit;
	permit?.release('unused');
	throw new Cancelled('The time was over', { cause: history.failure });
}

async function attempt(
	api: Api,
	permit: Permit,
	request: ApiRequest,
): Promise<HttpAnswer | FailedAttempt> {
	let feedback: Feedback = 'unknown';
	try {
		const came = await send(api, request);
		const outcome = 'statusCode' in came ? outcomeOf(request, came) : came;
		feedback = feedbackOf(outcome);
		if (feedback === 'limited' || feedback === 'overloaded') {
			const { retryAfterMs = 0 } = outcome;
			// A pause that is too long to wait for says nothing about the rate, and must not delay other requests.
			if (!isTooLong(retryAfterMs)) api.limiter.pause(retryAfterMs);
		}
		if (!('statusCode' in came) || outcome.kind === 'answered') return came;
		return { ...outcome, ...explainAnswer(request, came, outcome, api) };
	} finally {
		// Only after the item has seen the answer, because the item may stop the run. Fifty answers may arrive together, so
		// this also lets n8n take its turn before the next fifty requests are made.
		void nextTurn().then(() => permit.release(feedback));
	}
}

async function send(
	{ functions, http, baseUrl, credential }: Api,
	{ method, path, qs = {}, body }: ApiRequest,
): Promise<HttpAnswer | FailedAttempt> {
	const timeout = Math.ceil(http.timeout ?? DEFAULT_TIMEOUT_MS);
	// n8n's own timeout ends when the headers of an answer arrive (docs/decisions.md, E35).
	const until = performance.now() + timeout;
	const isLate = () => performance.now() >= until;
	const cancelled =
		'getExecutionCancelSignal' in functions ? functions.getExecutionCancelSignal() : undefined;
	const { signal, stop } = abortWhen(() => isLate() || cancelled?.aborted === true);
	const options: IHttpRequestOptions = {
		method,
		qs,
		body,
		url: baseUrl + API_PATH + path,
		// Required on every request (docs/api/README.md, "Authentication"); the credential adds the rest.
		headers: { 'Content-Type': 'application/json' },
		json: true,
		returnFullResponse: true,
		// Otherwise n8n's own wording replaces the API's reason (docs/decisions.md, E5).
		ignoreHttpStatusErrors: true,
		// n8n would send the credential to any address that a redirect names.
		disableFollowRedirect: true,
		// Last, because V8 is many times faster at copying fields into a literal than at adding fields to a copy.
		...http,
		timeout,
	};
	try {
		return (await functions.helpers.httpRequestWithAuthentication.call(
			Object.create(functions, {
				getExecutionCancelSignal: { value: () => signal },
			}) as IAllExecuteFunctions,
			CREDENTIAL,
			options,
			// Otherwise n8n decrypts it for each request, and it may have changed by then (docs/decisions.md, E26).
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
		)) as HttpAnswer;
	} catch (error) {
		return brokenConnection(isLate() ? { code: 'ETIMEDOUT' } : error);
	} finally {
		stop();
	}
}

function feedbackOf({ kind, status, retryAfterMs }: Outcome): Feedback {
	if (kind === 'answered') return 'fine';
	if (kind === 'neverSent') return 'unused';
	if (status !== 429 && status !== 503) return 'unknown';
	// Gateways also answer 503 above their rate limit (nginx's limit_req). Retry-After says nothing about the rate.
	return isTooLong(retryAfterMs) ? 'overloaded' : 'limited';
}

function failureOf(request: ApiRequest, last: FailedAttempt, history: History): Failure {
	const { reason, details, status, retryAfterMs } = last;
	const { retries, began, isUncertain } = history;
	const advice = whatToDo(request, last, isUncertain);
	const concernsEveryItem =
		status === undefined || status >= 500 || [401, 403, 407, 429].includes(status);
	const declared = status === 429 ? ({ cause: 'rate-limited', retryAfterMs } as const) : undefined;
	const tried = `tried ${retries + 1} times in ${((performance.now() - began) / 1000).toFixed(1)} s`;
	return new Failure(reason, retries === 0 ? advice : `${advice} The node ${tried}.`, {
		httpCode: status,
		...details,
		declared,
		isUncertain,
		concernsEveryItem,
	});
}

function whatToDo(
	{ effect }: ApiRequest,
	{ advice, retryAfterMs }: FailedAttempt,
	isUncertain: boolean,
): string {
	// A person has to look for a record that may exist. A change can be repeated.
	if (isUncertain && effect === 'creates') {
		return "The record may already exist, so the node did not try again. Look for it in your community. If it is not there, start a new execution with only this item, because 'Retry' does not send it again.";
	}
	if (isUncertain) {
		return `The change may already have been made. It is safe to run this again. ${advice}`;
	}
	if (!isTooLong(retryAfterMs)) return advice;
	const minutes = Math.ceil(retryAfterMs / 60_000).toLocaleString('en');
	return `Wait ${minutes} minutes, then run this again. The community asked for this pause.`;
}
