import type { HttpAnswer } from './answer';
import { isSuccess, retryAfterMs } from './answer';
import { unexpectedIn } from './expected';
import { isRefusedByGateway } from './gatewayPages';
import { statusNamedIn } from './reason';
import type { Repeat } from './repeat';
import type { ApiRequest } from './request';

// Transient statuses. Those from 520 on are Cloudflare's for an origin that gave nothing usable, or took too long
// (Cloudflare's documentation, "5xx errors").
const TRANSIENT = [408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524];
// Statuses below 500 that leave open whether the request was carried out: redirects to its result (RFC 9110,
// section 15.4.4; 302 is used for the same), time-outs, 425, and what gateways answer when the client has left
// (460, 499).
const UNCERTAIN = [302, 303, 408, 425, 460, 499];

/**
 * The outcome of one attempt of a request:
 * - `answered`: carried out;
 * - `unreadable`: a success status, but not what was asked for;
 * - `refused`: certainly not carried out;
 * - `lost`: unknown whether it was carried out;
 * - `neverSent`: it did not reach the API.
 */
export type Outcome = { kind: 'answered' } | { kind: 'unreadable' } | Unsuccessful;

interface Unsuccessful {
	kind: 'refused' | 'lost' | 'neverSent';
	/** Whether it is transient: the same request may succeed a moment later. */
	isTransient: boolean;
	/** Milliseconds until the API wants to be asked again, from Retry-After. */
	askedMs?: number;
}

/** The status of an answer; of an error body with a success status, the one that it names (docs/decisions.md, A11). */
export function statusOf(answer: HttpAnswer): number {
	return (isSuccess(answer) ? statusNamedIn(answer.body) : undefined) ?? answer.statusCode;
}

/**
 * The outcome of a request that was answered (docs/decisions.md, A10 and A12).
 *
 * @param request its method, how it may be repeated, and what it expects
 * @param wasLost whether an earlier attempt of the same request was lost
 */
export function outcomeOf(
	request: Pick<ApiRequest, 'expects' | 'repeat'> & { method: string },
	answer: HttpAnswer,
	wasLost = false,
): Outcome {
	const status = statusOf(answer);
	if (isSuccess({ ...answer, statusCode: status })) {
		return { kind: unexpectedIn(request, answer) ? 'unreadable' : 'answered' };
	}
	// The lost attempt has deleted the record.
	const isGone = [404, 410].includes(status);
	if (request.method === 'DELETE' && wasLost && isGone) return { kind: 'answered' };
	const askedMs = retryAfterMs(answer);
	const isTransient = TRANSIENT.includes(status);
	if (status === 429) return { kind: 'refused', isTransient: true, askedMs };
	if (isRefusedBeforeWork(answer, askedMs)) return { kind: 'refused', isTransient, askedMs };
	if (status < 500 && !UNCERTAIN.includes(status)) return { kind: 'refused', isTransient: false };
	return { kind: 'lost', isTransient, askedMs };
}

// Caches and gateways send Retry-After also after a time-out, when the API is at work already: only the API's own
// body, or a gateway's own page, tells that work has not begun.
function isRefusedBeforeWork(answer: HttpAnswer, askedMs: number | undefined): boolean {
	if (statusOf(answer) !== 503) return false;
	const isByApi = askedMs !== undefined && statusNamedIn(answer.body) === 503;
	return isByApi || isRefusedByGateway(answer);
}

/** Whether a retry may help and cannot apply the request twice: it is safe or idempotent, or was not carried out. */
export function isRepeatable(repeat: Repeat, outcome: Outcome): boolean {
	if (!('isTransient' in outcome) || !outcome.isTransient) return false;
	return outcome.kind !== 'lost' || repeat !== 'creating';
}

/** Whether a request that did not succeed may have changed something. */
export function mayHaveChanged(repeat: Repeat, { kind }: Outcome): boolean {
	return repeat !== 'safe' && (kind === 'lost' || kind === 'unreadable');
}

/** How long the API asks to wait, in milliseconds; undefined where it does not say. */
export function askedMsOf(outcome: Outcome): number | undefined {
	return 'askedMs' in outcome ? outcome.askedMs : undefined;
}
