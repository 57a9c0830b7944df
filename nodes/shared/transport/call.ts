import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Feedback, Permit } from '../limiter';
import { Deadline, Stop, wait } from '../limiter';
import { explainAnswer } from './advice';
import type { HttpAnswer, Verdict } from './answer';
import { verdictOf } from './answer';
import type { Api, CallingFunctions } from './api';
import { API_PATH, CREDENTIAL } from './api';
import type { BrokenConnection } from './connection';
import { NOT_IN_TIME, brokenConnection } from './connection';
import { Failure } from './failure';
import type { ApiRequest } from './request';
import type { HttpSettings } from './requestOptions';
import type { Outcome } from './retry';
import { isTooLong, mayHaveChanged, nextWaitMs, outcomeOf } from './retry';

const DEFAULT_TIMEOUT_MS = 300_000;
// A shorter wait goes unnoticed, so it is not reported.
const LEAST_WAIT_TOLD_MS = 900;

/** Thrown when the run or a request was cancelled; never shown to a user. Its cause is the last Failure, if any. */
export class Cancelled extends Error {}

type Attempt = { outcome: Outcome } & (
	{ answer: HttpAnswer; verdict: Verdict } | { broken: BrokenConnection }
);

/** What came before the last attempt of a request. */
interface History {
	retries: number;
	/** For retries and for pauses. */
	waitedMs: number;
	/** Whether an attempt was lost, so that it may have been carried out. */
	wasLost: boolean;
}

/**
 * Sends one request: the only way to the API. Waits for the limiter, and retries with backoff where a retry cannot
 * apply the request twice (docs/sending.md).
 *
 * @param settings HTTP options that the user has set
 * @param withdrawn cancels this request alone, not the run
 * @returns an answer with a success status that is what was asked for
 * @throws Failure with the API's reason and what to do; Cancelled when the run or this request was cancelled
 */
export async function call(
	functions: CallingFunctions,
	api: Api,
	request: ApiRequest,
	settings: HttpSettings = {},
	withdrawn?: Stop,
): Promise<HttpAnswer> {
	const history: History = { retries: 0, waitedMs: 0, wasLost: false };
	for (;;) {
		const permit = await permitFor(api, withdrawn, history);
		if (history.retries === 1) api.throttling.retried++;
		const last = await attempt(functions, api, permit, request, settings);
		if ('answer' in last && last.outcome.kind === 'answered') return last.answer;
		const failure = () => failureOf(api, request, last, history);
		// Cancellation cuts the connection of a request in flight, which is no failure of the API.
		if ('broken' in last && api.stop.isStopped) throw new Cancelled('', { cause: failure() });
		const waitMs = nextWaitMs({
			method: request.method,
			earlier: history.retries,
			maxRetries: api.settings.maxRetries,
			outcome: last.outcome,
		});
		if (waitMs === undefined || api.limiter.isDown) throw failure();
		history.wasLost ||= last.outcome.kind === 'lost';
		history.retries++;
		history.waitedMs += waitMs;
		await wait(waitMs, api.stop, withdrawn);
		if (api.stop.isStopped || withdrawn?.isStopped) throw new Cancelled('', { cause: failure() });
	}
}

async function permitFor(
	{ limiter, settings, stop }: Api,
	withdrawn: Stop | undefined,
	history: History,
): Promise<Permit> {
	// Of the time spent waiting here, only pauses that the API asked for are reported; the rest is the rate limit.
	const heldBefore = limiter.pauses.totalMs;
	const permit = await limiter.acquire({
		max: settings.maxRequestsAtOnce,
		run: stop,
		isRetry: history.retries > 0,
		withdrawn,
	});
	history.waitedMs += limiter.pauses.totalMs - heldBefore;
	if (permit && !stop.isStopped && !withdrawn?.isStopped) return permit;
	permit?.release('unused');
	throw new Cancelled();
}

async function attempt(
	functions: CallingFunctions,
	api: Api,
	permit: Permit,
	request: ApiRequest,
	settings: HttpSettings,
): Promise<Attempt> {
	let feedback: Feedback = 'unknown';
	try {
		const came = await send(functions, api, request, settings);
		if ('reason' in came) {
			if (came.outcome.kind === 'neverSent') feedback = 'unused';
			return { broken: came, outcome: came.outcome };
		}
		const verdict = verdictOf(request, came);
		const outcome = outcomeOf(request.method, came, verdict);
		feedback = feedbackOf(verdict.status, outcome);
		// A pause that is too long to be kept says nothing about the rate, and must not delay other requests.
		const isLimited = feedback === 'limited' || feedback === 'overloaded';
		api.throttling.isLimited ||= isLimited;
		const pauseMs = isLimited ? outcome.retryAfterMs : undefined;
		if (pauseMs !== undefined && !isTooLong(pauseMs)) api.limiter.pause(pauseMs);
		return { answer: came, verdict, outcome };
	} finally {
		// After a refusal, only once the item has seen it: it may stop the run, and then no request that waits for
		// this permit may start.
		if (feedback === 'fine') permit.release(feedback);
		else void sleep(0).then(() => permit.release(feedback));
	}
}

async function send(
	functions: CallingFunctions,
	{ baseUrl, credential }: Api,
	{ method, path, qs = {}, body }: ApiRequest,
	settings: HttpSettings,
): Promise<HttpAnswer | BrokenConnection> {
	const timeout = Math.ceil(settings.timeout ?? DEFAULT_TIMEOUT_MS);
	// n8n's own time-out ends with the headers of an answer (docs/decisions.md, E35).
	const deadline = new Deadline(
		timeout,
		'getExecutionCancelSignal' in functions ? functions.getExecutionCancelSignal() : undefined,
	);
	const options: IHttpRequestOptions = {
		method,
		qs,
		body,
		baseURL: baseUrl,
		url: API_PATH + path,
		// Required on every request (docs/api/README.md, "Authentication"); the credential adds the rest.
		headers: { 'Content-Type': 'application/json' },
		json: true,
		returnFullResponse: true,
		// Otherwise n8n's own wording replaces the API's reason (docs/decisions.md, E5).
		ignoreHttpStatusErrors: true,
		// n8n sends the credential along to wherever a redirect points.
		disableFollowRedirect: true,
		// Last, because V8 is many times faster at copying fields into a literal than at adding fields to a copy.
		...settings,
		timeout,
	};
	try {
		return (await functions.helpers.httpRequestWithAuthentication.call(
			Object.create(functions, {
				getExecutionCancelSignal: { value: () => deadline.signal },
			}) as IAllExecuteFunctions,
			CREDENTIAL,
			options,
			// Otherwise n8n decrypts it for each request, and it may have changed by then (docs/decisions.md, E26).
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
		)) as HttpAnswer;
	} catch (error) {
		return deadline.isOver ? NOT_IN_TIME : brokenConnection(error);
	} finally {
		deadline.clear();
	}
}

function feedbackOf(status: number, { kind, retryAfterMs }: Outcome): Feedback {
	if (kind === 'answered') return 'fine';
	if (status !== 429 && status !== 503) return 'unknown';
	if (isTooLong(retryAfterMs)) return 'overloaded';
	// Gateways also answer 503 above their rate limit (limit_req of nginx). With Retry-After, the API is overloaded
	// until then, which says nothing about the rate.
	return status === 503 && retryAfterMs !== undefined ? 'overloaded' : 'limited';
}

function failureOf(api: Api, request: ApiRequest, last: Attempt, history: History): Failure {
	const { outcome } = last;
	const told =
		'answer' in last ? explainAnswer(request, last.answer, last.verdict, api) : last.broken;
	const isUncertain =
		(history.wasLost && request.method !== 'GET') || mayHaveChanged(request.method, outcome);
	const httpCode = 'answer' in last ? last.verdict.status : undefined;
	return new Failure(
		told.reason,
		[whatToDo(request, told.advice, outcome, isUncertain), ...waited(history)].join(' '),
		{ httpCode, ...told.details },
		isUncertain,
		httpCode === undefined || isOfAny(httpCode),
	);
}

function isOfAny(status: number): boolean {
	return [401, 403, 407, 429].includes(status) || status >= 500;
}

function whatToDo(
	{ method }: ApiRequest,
	advice: string,
	{ kind, retryAfterMs }: Outcome,
	isUncertain: boolean,
): string {
	// A record that may exist has to be looked for first; a change can be repeated.
	if (isUncertain && method === 'POST') {
		return 'The record may have been created all the same, so this was not repeated: look in the community before you run it again.';
	}
	if (isUncertain) {
		return `${advice} The change may have been made all the same; running this again does no harm.`;
	}
	if (kind !== 'refused' || !isTooLong(retryAfterMs)) return advice;
	const minutes = Math.ceil(retryAfterMs / 60_000);
	const time = minutes > 24 * 60 ? 'more than a day' : `${minutes.toLocaleString('en')} minutes`;
	return `The API asks to wait for ${time} before the next request: run this again after that.`;
}

function waited({ retries, waitedMs }: History): string[] {
	const seconds = (waitedMs / 1000).toFixed(1);
	if (retries > 0) return [`Tried ${retries + 1} times, waiting ${seconds} s in between.`];
	if (waitedMs < LEAST_WAIT_TOLD_MS) return [];
	return [`It was sent after ${seconds} s, because the API had refused other requests before.`];
}
