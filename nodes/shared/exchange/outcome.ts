import type { HttpAnswer } from './answer';
import { isSuccess, retryAfterMs } from './answer';
import { unexpectedIn } from './expected';
import { isRefusedByGateway } from './gatewayPages';
import { methodClass } from './methodClass';
import { statusNamedIn } from './reason';
import type { ApiRequest } from './request';

// Statuses after which the same request may go through a moment later. Those from 520 on are Cloudflare's for an
// origin that gave nothing usable, or took too long (Cloudflare's documentation, "5xx errors").
const PASSING = [408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524];
// Below 500, and the request may have been carried out all the same: a redirect to what came of it (RFC 9110,
// section 15.4.4; 302 is used for the same), what timed out, what came too early, and what a gateway notes of a
// caller who left (460, 499).
const UNCERTAIN = [302, 303, 408, 425, 460, 499];

/**
 * What became of one attempt of a request:
 * - `answered`: carried out;
 * - `unreadable`: answered as a success, but not in a form that the API has;
 * - `refused`: answered, and certainly not carried out;
 * - `lost`: it is not known whether it was carried out;
 * - `neverSent`: it did not reach the API.
 */
export type Outcome = { kind: 'answered' } | { kind: 'unreadable' } | Hindered;

interface Hindered {
	kind: 'refused' | 'lost' | 'neverSent';
	/** Whether the same request may go through a moment later. */
	isPassing: boolean;
	/** Milliseconds until the API wants to be asked again, from Retry-After. */
	askedMs?: number;
}

/**
 * The status of an answer. Some servers send the API's error body with a success status: the status that the body
 * names is what counts.
 */
export function statusOf(answer: HttpAnswer): number {
	return (isSuccess(answer) ? statusNamedIn(answer.body) : undefined) ?? answer.statusCode;
}

/**
 * What an answer says about its request.
 *
 * @param request its method, and what it expects
 * @param answer what came back
 * @param wasLost whether an earlier attempt of the same request was lost
 */
export function outcomeOf(
	request: Pick<ApiRequest, 'expects'> & { method: string },
	answer: HttpAnswer,
	wasLost = false,
): Outcome {
	const status = statusOf(answer);
	if (isSuccess({ ...answer, statusCode: status })) {
		return { kind: unexpectedIn(request, answer) ? 'unreadable' : 'answered' };
	}
	// The record is gone because the attempt that was lost had been carried out.
	const isGone = [404, 410].includes(status);
	if (request.method === 'DELETE' && wasLost && isGone) return { kind: 'answered' };
	const askedMs = retryAfterMs(answer);
	const isPassing = PASSING.includes(status);
	if (status === 429) return { kind: 'refused', isPassing: true, askedMs };
	if (isRefusedBeforeWork(answer, askedMs)) return { kind: 'refused', isPassing, askedMs };
	if (status < 500 && !UNCERTAIN.includes(status)) return { kind: 'refused', isPassing: false };
	return { kind: 'lost', isPassing, askedMs };
}

// A cache or gateway names a moment for coming back also after a time-out, when the API is at work already: only
// the API itself knows that it has not begun.
function isRefusedBeforeWork(answer: HttpAnswer, askedMs: number | undefined): boolean {
	if (statusOf(answer) !== 503) return false;
	const isByApi = askedMs !== undefined && statusNamedIn(answer.body) === 503;
	return isByApi || isRefusedByGateway(answer);
}

/** Whether repeating a request cannot apply it twice, and may help. */
export function isRepeatable(method: string, outcome: Outcome): boolean {
	if (!('isPassing' in outcome) || !outcome.isPassing) return false;
	return outcome.kind !== 'lost' || methodClass(method) !== 'creating';
}

/** Whether a request that did not succeed may have changed something all the same. */
export function mayHaveChanged(method: string, { kind }: Outcome): boolean {
	return methodClass(method) !== 'safe' && (kind === 'lost' || kind === 'unreadable');
}

/** When the API wants to be asked again, in milliseconds; undefined where it does not say so. */
export function askedMsOf(outcome: Outcome): number | undefined {
	return 'askedMs' in outcome ? outcome.askedMs : undefined;
}
