import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	Logger,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { failureOfAnswer, failureOfConnection } from './advice';
import type { HttpAnswer } from './answer';
import { isSuccess } from './answer';
import type { CommunityPlatformCredential } from './api';
import { API_PATH, CREDENTIAL } from './api';
import type { ApiState } from './apiState';
import { apiStateFor } from './apiState';
import { backOffOf } from './backOff';
import { normalizeBaseUrl } from './baseUrl';
import type { BrokenConnection } from './connection';
import { brokenConnection } from './connection';
import { Failure } from './failure';
import { Hindrance } from './hindrance';
import type { Verdict } from './limiter';
import type { Outcome } from './outcome';
import { askedMsOf, outcomeOf } from './outcome';
import type { ApiRequest } from './request';
import { kindOf } from './request';
import { isTooLong, nextWaitMs } from './retry';
import type { CallSettings, Setting } from './settings';
import { Stop } from './stop';
import { wait } from './wait';

// What an item waited for others is worth a word only if somebody could notice it.
const LEAST_WAIT_TOLD_MS = 900;

// What a repeated delete finds: the first attempt was carried out, though its answer got lost.
const NOTHING_LEFT: HttpAnswer = { statusCode: 204, headers: {}, body: '' };

/** n8n's node functions, in the places where this package calls the API. */
export type CallingFunctions =
	IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions | IExecuteFunctions;

/** How often a request was repeated, and how long it waited for that in all, or for a pause to end. */
interface Waits {
	count: number;
	totalMs: number;
}

/** One API, ready to be called on behalf of one run. */
export interface Api {
	baseUrl: string;
	settings: CallSettings;
	state: ApiState;
	/** What the user is told in the end of how the API could not keep up. */
	hindrance: Hindrance;
	/** The run's; once stopped, nothing more is sent. */
	stop: Stop;
	logger: Logger;
}

/**
 * Raised instead of sending when the run has stopped; nobody shows it to a user. Its cause is the Failure
 * after which the request was about to be sent again, if it was.
 */
export class Stopped extends Error {}

/**
 * Opens the API that the node's credential names.
 *
 * @param context any of n8n's node functions
 * @param settings how to send
 * @param stop ends waiting and sending
 * @throws Failure when the base URL in the credential cannot be used
 */
export async function openApi(
	context: CallingFunctions,
	settings: CallSettings,
	stop = new Stop(),
): Promise<Api> {
	const credential = await context.getCredentials<CommunityPlatformCredential & IDataObject>(
		CREDENTIAL,
	);
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const state = apiStateFor(baseUrl, String(credential.sourceSystem ?? ''));
	return {
		baseUrl,
		settings,
		state,
		hindrance: new Hindrance(state.limiter),
		stop,
		logger: context.logger,
	};
}

/**
 * Tells n8n's log, once for all since the last time, how the API could not keep up.
 *
 * @returns what was told, without its full stop; undefined when it kept up
 */
export function logHindrance({ hindrance, logger }: Api): string | undefined {
	const told = hindrance.tell();
	if (told) logger.info(`Community Platform: ${told}`);
	return told;
}

/**
 * Sends one request, the only way anything reaches the API: within the limiter, repeated as far as
 * that cannot apply it twice (design, "Sending").
 *
 * @param context any of n8n's node functions
 * @param api opened by {@link openApi}
 * @param request what to ask
 * @param base HTTP options that n8n computed for the node (proxy, time-out, certificates)
 * @param withdrawn once stopped, this request is not sent any more, while others of the run are
 * @returns an answer with a success status that is not a web page
 * @throws Failure with the API's reason and what to do; Stopped when the run was stopped or the request withdrawn
 */
export async function call(
	context: CallingFunctions,
	api: Api,
	request: ApiRequest,
	base: Partial<IHttpRequestOptions> = {},
	withdrawn = new Stop(),
): Promise<HttpAnswer> {
	const waits: Waits = { count: 0, totalMs: 0 };
	let wasLost = false;
	for (;;) {
		const attempt = await sendOnce(context, api, request, base, waits, withdrawn, wasLost);
		const { outcome } = attempt;
		if ('answer' in attempt && outcome.kind === 'answered') {
			return isSuccess(attempt.answer) ? attempt.answer : NOTHING_LEFT;
		}
		// Cancelling cuts the connection of what is on its way: that is no failure of the API.
		if (!('answer' in attempt) && api.stop.isStopped) throw new Stopped();
		const waitMs = nextWaitMs({
			method: request.method,
			earlier: waits.count,
			maxRetries: api.settings.maxRetries,
			outcome,
		});
		if (waitMs === undefined) throw failureOf(request, attempt, waits, api.settings.offered);
		wasLost ||= outcome.kind === 'lost';
		waits.count++;
		waits.totalMs += waitMs;
		await wait(waitMs, api.stop);
		if (api.stop.isStopped) throw new Stopped('', { cause: failureOf(request, attempt, waits) });
	}
}

/** One attempt: the answer, or why there is none. */
type Attempt = { outcome: Outcome } & ({ answer: HttpAnswer } | { broken: BrokenConnection });

async function sendOnce(
	context: CallingFunctions,
	api: Api,
	request: ApiRequest,
	base: Partial<IHttpRequestOptions>,
	waits: Waits,
	withdrawn: Stop,
	wasLost: boolean,
): Promise<Attempt> {
	const { limiter } = api.state;
	const heldBefore = limiter.pauses.totalMs;
	const place = await limiter.take({
		max: api.settings.maxRequestsAtOnce,
		run: api.stop,
		kind: kindOf(request),
		withdrawn,
	});
	waits.totalMs += limiter.pauses.totalMs - heldBefore;
	if (!place || api.stop.isStopped || withdrawn.isStopped) {
		place?.leave('unused');
		throw new Stopped();
	}
	if (waits.count > 0) api.hindrance.repeated++;
	let verdict: Verdict = 'unknown';
	try {
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			context as IAllExecuteFunctions,
			CREDENTIAL,
			toHttpOptions(api, request, base),
		)) as HttpAnswer;
		const outcome = outcomeOf(request.method, answer, wasLost);
		verdict = verdictOf(answer, outcome);
		const askedMs = askedMsOf(outcome);
		// A pause that nobody keeps tells nothing about the pace, and must not hold what comes after.
		const isPause = verdict === 'limited' || verdict === 'overloaded';
		if (isPause && askedMs !== undefined && !isTooLong(askedMs)) limiter.pause(askedMs);
		return { answer, outcome };
	} catch (error) {
		const broken = brokenConnection(error);
		if (broken.outcome.kind === 'neverSent') verdict = 'unused';
		return { broken, outcome: broken.outcome };
	} finally {
		// After a refusal, not before the item has seen it: it may stop the run, and then nothing that
		// waits for this place may start.
		if (verdict === 'fine') place.leave(verdict);
		else void sleep(0).then(() => place.leave(verdict));
	}
}

function verdictOf({ statusCode }: HttpAnswer, outcome: Outcome): Verdict {
	if (outcome.kind === 'answered') return 'fine';
	if (statusCode === 503) return 'overloaded';
	if (statusCode !== 429) return 'unknown';
	return isTooLong(askedMsOf(outcome)) ? 'overloaded' : 'limited';
}

function toHttpOptions(
	api: Api,
	{ method, path, qs, body }: ApiRequest,
	base: Partial<IHttpRequestOptions>,
): IHttpRequestOptions {
	return {
		method,
		baseURL: api.baseUrl,
		url: API_PATH + path,
		qs: qs ?? {},
		// The specification asks for it on every request; the credential adds the rest.
		headers: { 'Content-Type': 'application/json' },
		body,
		json: true,
		returnFullResponse: true,
		// Otherwise n8n's own wording replaces the API's reason (design, engine fact 5).
		ignoreHttpStatusErrors: true,
		// n8n sends the credential along to wherever a redirect points.
		disableFollowRedirect: true,
		// Last, because V8 adds fields to a copy many times more slowly than it copies fields to a literal.
		...base,
	};
}

function failureOf(
	request: ApiRequest,
	attempt: Attempt,
	{ count, totalMs }: Waits,
	offered?: readonly Setting[],
): Failure {
	const { message, advice, details } =
		'answer' in attempt
			? failureOfAnswer(request, attempt.answer, offered)
			: failureOfConnection(request, attempt.broken, offered);
	const { outcome } = attempt;
	const askedMs = outcome.kind === 'refused' ? outcome.askedMs : undefined;
	const whatToDo = isTooLong(askedMs) ? adviceAfter(askedMs) : advice;
	const text = [whatToDo, ...waited(count, totalMs)].join(' ');
	return new Failure(message, text, details, backOffOf(outcome, details.httpCode));
}

function adviceAfter(askedMs: number): string {
	const minutes = Math.ceil(askedMs / 60_000).toLocaleString('en');
	return `The API asks to wait for ${minutes} minutes before the next request: run this again after that.`;
}

function waited(repeats: number, totalMs: number): string[] {
	const seconds = (totalMs / 1000).toFixed(1);
	if (repeats > 0) return [`Tried ${repeats + 1} times, waiting ${seconds} s in between.`];
	if (totalMs < LEAST_WAIT_TOLD_MS) return [];
	return [`It was sent after ${seconds} s, because the API had refused others before.`];
}
