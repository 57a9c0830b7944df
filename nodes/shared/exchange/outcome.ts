import type { HttpAnswer } from './answer';
import { isEmpty, isListOfRecords, isRecord, isSuccess, isWebPage, retryAfterMs } from './answer';
import type { ApiRequest } from './request';

/** What repeating a request does: nothing, nothing more than the first time, or one record more. */
export type MethodClass = 'safe' | 'idempotent' | 'creating';

/**
 * The class of an HTTP method (RFC 9110, section 9.2). HTTP promises nothing of PATCH, but those of this
 * API set a role or positions, whatever was there before (specification, "Endpoints"). A method that is
 * not known counts as creating, the class with which most care is taken.
 */
export function methodClass(method: string): MethodClass {
	if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'safe';
	return ['PUT', 'PATCH', 'DELETE'].includes(method) ? 'idempotent' : 'creating';
}

/**
 * What became of one attempt of a request:
 * - `answered`: carried out;
 * - `unreadable`: answered as a success, but not in a form that the API has;
 * - `refused`: answered, and certainly not carried out;
 * - `lost`: nobody knows whether it was carried out;
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
 * What an answer says about its request.
 *
 * @param request its method, and what it expects
 * @param answer what came back
 * @param wasLost whether an earlier attempt of the same request was lost
 */
export function outcomeOf(
	{ method, expects }: { method: string } & Pick<ApiRequest, 'expects'>,
	answer: HttpAnswer,
	wasLost = false,
): Outcome {
	if (isSuccess(answer)) return { kind: isAsExpected(answer, expects) ? 'answered' : 'unreadable' };
	const { statusCode: status } = answer;
	// The record is gone because the attempt that was lost had been carried out.
	if (method === 'DELETE' && wasLost && [404, 410].includes(status)) return { kind: 'answered' };
	const askedMs = retryAfterMs(answer);
	// Whoever names a moment for coming back has not begun.
	if (status === 503 && askedMs !== undefined) return { kind: 'refused', isPassing: true, askedMs };
	if (status === 429) return { kind: 'refused', isPassing: true, askedMs };
	if (status < 500) return { kind: 'refused', isPassing: false };
	return { kind: 'lost', isPassing: [500, 502, 503, 504].includes(status), askedMs };
}

// An acknowledgement may be without a body.
function isAsExpected(answer: HttpAnswer, expects: ApiRequest['expects']): boolean {
	if (isWebPage(answer)) return false;
	if (expects === 'list') return isListOfRecords(answer);
	return expects === undefined || isEmpty(answer.body) || isRecord(answer.body);
}

/** Whether repeating a request cannot apply it twice, and may help. */
export function isRepeatable(method: string, outcome: Outcome): boolean {
	if (!('isPassing' in outcome) || !outcome.isPassing) return false;
	return outcome.kind !== 'lost' || methodClass(method) !== 'creating';
}

/** Whether a request that did not succeed may have created a record all the same. */
export function mayHaveCreated(method: string, { kind }: Outcome): boolean {
	return methodClass(method) === 'creating' && (kind === 'lost' || kind === 'unreadable');
}

/** When the API wants to be asked again, in milliseconds; undefined where it does not say so. */
export function askedMsOf(outcome: Outcome): number | undefined {
	return 'askedMs' in outcome ? outcome.askedMs : undefined;
}
