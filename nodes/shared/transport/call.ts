import type { IHttpRequestOptions } from 'n8n-workflow';
import type { HttpAnswer } from './answer';
import { isSuccess } from './answer';
import type { ApiRequest } from './request';
import { nextWaitMs } from './retry';
import type { Permit, Stop } from '../limiter';
import { wait } from '../limiter';
import type { Setting } from './settings';
import type { Attempt } from './attempt';
import { attempt } from './attempt';
import type { Waits } from './finalFailure';
import { finalFailure } from './finalFailure';
import type { Api, CallingFunctions } from './open';

// The answer to a repeated delete whose first attempt was carried out, although its answer was lost.
const NOTHING_LEFT: HttpAnswer = { statusCode: 204, headers: {}, body: '' };

/** Thrown when the run was cancelled; never shown to a user. Its cause is the Failure of the last attempt, if any. */
export class Stopped extends Error {}

/**
 * Sends one request: the only way to the API. Waits for the limiter, and retries with backoff where a retry cannot
 * apply the request twice (docs/sending.md).
 *
 * @param context any of n8n's node functions
 * @param api opened by `openApi`
 * @param request what to ask
 * @param settings HTTP options that the user has set (proxy, time-out, certificates)
 * @param withdrawn cancels this request alone, not the run
 * @returns an answer with a success status that is not a web page
 * @throws Failure with the API's reason and what to do; Stopped when the run or this request was cancelled
 */
export async function call(
	context: CallingFunctions,
	api: Api,
	request: ApiRequest,
	settings: Partial<IHttpRequestOptions> = {},
	withdrawn?: Stop,
): Promise<HttpAnswer> {
	const waits: Waits = { count: 0, totalMs: 0 };
	let wasLost = false;
	const giveUp = (last: Attempt, offered?: readonly Setting[]) =>
		finalFailure(request, redacted(last, api), waits, { wasLost, offered });
	for (;;) {
		const permit = await permitFor(api, withdrawn, waits);
		if (waits.count === 1) api.throttleReport.retried++;
		const last = await attempt(context, api, permit, request, settings, wasLost);
		const { outcome } = last;
		if ('answer' in last && outcome.kind === 'answered') {
			return isSuccess(last.answer) ? last.answer : NOTHING_LEFT;
		}
		// Cancellation cuts the connection of a request in flight, which is no failure of the API.
		if (!('answer' in last) && api.stop.isStopped) {
			throw new Stopped('', { cause: giveUp(last) });
		}
		const waitMs = nextWaitMs({
			repeat: request.repeat,
			earlier: waits.count,
			maxRetries: api.settings.maxRetries,
			outcome,
			perSecond: api.state.limiter.perSecond,
		});
		if (waitMs === undefined || api.state.limiter.isDown) {
			throw giveUp(last, api.settings.offered);
		}
		wasLost ||= outcome.kind === 'lost';
		waits.count++;
		waits.totalMs += waitMs;
		await wait(waitMs, api.stop);
		if (api.stop.isStopped) throw new Stopped('', { cause: giveUp(last) });
	}
}

async function permitFor(
	{ state: { limiter }, settings, stop }: Api,
	withdrawn: Stop | undefined,
	waits: Waits,
): Promise<Permit> {
	// Of the time spent waiting here, only pauses that the API asked for are reported; the rest is the rate limit.
	const heldBefore = limiter.pauses.totalMs;
	const permit = await limiter.acquire({
		max: settings.maxRequestsAtOnce,
		run: stop,
		isRetry: waits.count > 0,
		withdrawn,
	});
	waits.totalMs += limiter.pauses.totalMs - heldBefore;
	if (permit && !stop.isStopped && !withdrawn?.isStopped) return permit;
	permit?.release('unused');
	throw new Stopped();
}

// Before the answer is read for a text, which is cut off and capitalized.
function redacted(attempt: Attempt, { redactor }: Api): Attempt {
	return 'answer' in attempt ? { ...attempt, answer: redactor.answer(attempt.answer) } : attempt;
}
