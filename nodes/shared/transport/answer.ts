import type { IDataObject } from 'n8n-workflow';
import { isIdentified, isNamedBy } from '../records/identity';
import type { RecordType } from '../records/types';
import { printable } from '../failure';
import { trimmed } from '../text';
import type { ApiRequest, Effect, HttpAnswer } from './api';

/** What came with a success status instead of the requested answer. */
export type Unexpected =
	'webPage' | 'unreadable' | 'refusal' | 'nothing' | 'otherRecord' | 'notTheApi';

/**
 * The outcome of one attempt of a request:
 * - `answered`: carried out;
 * - `refused`: certainly not carried out;
 * - `lost`: unknown whether it was carried out;
 * - `neverSent`: it did not reach the API.
 */
export interface Outcome {
	kind: 'answered' | 'refused' | 'lost' | 'neverSent';
	/** Whether it is transient: the same request may succeed a moment later. */
	isTransient: boolean;
	/** Milliseconds until the API wants to be asked again, from Retry-After. */
	retryAfterMs?: number;
	/** The status of the answer, if one came. If it is an error body of the API, the status that the body names. */
	status?: number;
	/** Set if the status is a success, but the answer is not what was requested. */
	unexpected?: Unexpected;
}

// From 520 on: Cloudflare's for an origin that sent nothing usable, or took too long (its documentation, "5xx errors").
const TRANSIENT = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524];
// Statuses below 500 that leave open whether the request was carried out: redirects to its result (303 and 302, RFC
// 9110, section 15.4), time-outs, 425, and the statuses of gateways when the client has left (460, 499).
const UNCERTAIN = [302, 303, 408, 425, 460, 499];
// The network in between requires a login (RFC 6585, section 6).
const NEVER_PASSED_ON = 511;

/** The outcome of a request that was answered, for retries and for the advice (docs/decisions.md, A10 and A12). */
export function outcomeOf(
	request: Pick<ApiRequest, 'effect' | 'expects'>,
	answer: HttpAnswer,
): Outcome {
	const { statusCode, body } = answer;
	const status = isSuccess(statusCode) ? (statusNamedIn(body) ?? statusCode) : statusCode;
	if (isSuccess(status)) {
		const unexpected = unexpectedIn(request, answer);
		// The answer was cut off on its way, so another read may succeed.
		const isTransient = unexpected === 'unreadable' && request.effect === 'reads';
		return { kind: unexpected ? 'lost' : 'answered', isTransient, status, unexpected };
	}
	const isTransient = TRANSIENT.includes(status);
	const isRefused =
		(status < 500 && !UNCERTAIN.includes(status)) ||
		status === NEVER_PASSED_ON ||
		isRefusedBeforeWork(answer, status);
	const waitMs = isTransient ? retryAfterMs(answer.headers) : undefined;
	return { kind: isRefused ? 'refused' : 'lost', isTransient, retryAfterMs: waitMs, status };
}

function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

// Pages that gateways send before they pass a request on: nginx if `limit_req` or `limit_conn` refuses it
// (ngx_http_special_response.c; an upstream that cannot be reached results in 502 or 504), and HAProxy "when no server
// was available to handle the request" (configuration manual, section 1.3.1).
const GATEWAY_PAGE =
	/^<html>\s*(<head><title>503 Service Temporarily Unavailable<\/title><\/head>\s*<body[^>]{0,20}>\s*<center><h1>503 Service Temporarily Unavailable<\/h1><\/center>\s*<hr><center>(nginx|openresty)[^<]{0,40}<\/center>|<body><h1>503 Service Unavailable<\/h1>\s*No server is available to handle this request\.)\s*<\/body>\s*<\/html>\s*(<!-- a padding[^>]* -->\s*)*$/i;
// Headers of an answer that passed through something else, or came from a program behind the gateway.
const PASSED_ON = ['via', 'age', 'x-powered-by'];

// Retry-After alone is also sent after a time-out, when the API is already at work (docs/decisions.md, A12).
function isRefusedBeforeWork(answer: HttpAnswer, status: number): boolean {
	const { statusCode, headers, body } = answer;
	if (status !== 503) return false;
	if (typeof body !== 'string') {
		return retryAfterMs(headers) !== undefined && statusNamedIn(body) === 503;
	}
	const isPassedOn = PASSED_ON.some((name) => name in headers);
	return statusCode === 503 && !isPassedOn && GATEWAY_PAGE.test(body);
}

/** Whether an answer has no content: no body (n8n returns it as empty text), null or an empty object. */
export function isEmpty(body: unknown): boolean {
	return isRecord(body) ? Object.keys(body).length === 0 : (body ?? '') === '';
}

/** Whether a value is one JSON object. */
export function isRecord(body: unknown): body is IDataObject {
	return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** Whether a body is markup, so that something other than the API has answered. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^[\s\uFEFF]*<[!?a-z]/i.test(body);
}

/** Whether a body is bytes, or JSON that was cut off: n8n's HTTP client parses JSON whatever its content type is. */
export function isUnreadable(body: unknown): boolean {
	return typeof body === 'string' && (/^[\s\uFEFF]*["{[]/.test(body) || printable(body) !== body);
}

/** What is wrong with an answer with a success status. Undefined if nothing is (docs/decisions.md, A10). */
function unexpectedIn(
	{ effect, expects }: Pick<ApiRequest, 'effect' | 'expects'>,
	{ statusCode, body }: HttpAnswer,
): Unexpected | undefined {
	if (isWebPage(body)) return 'webPage';
	if (isUnreadable(body)) return 'unreadable';
	// Multi-Status (RFC 4918, section 13): part of the change was made, and part may have been refused.
	if (statusCode === 207 && effect !== 'reads') return 'refusal';
	if (expects === 'acknowledgement') return isRefusal(body) ? 'refusal' : undefined;
	if ('record' in expects) return unexpectedRecord(effect, expects, body);
	const isList = Array.isArray(body) && body.every((each) => isOneOf(expects.list, each));
	return isList || statusCode === 204 ? undefined : notTheApi(body);
}

function unexpectedRecord(
	effect: Effect,
	{ record, id }: { record: RecordType; id?: string },
	body: unknown,
): Unexpected | undefined {
	// The API may only acknowledge a write, even if a record is documented.
	if (effect !== 'reads' && isAcknowledgement(body)) return undefined;
	if (isEmpty(body)) return 'nothing';
	if (!isRecord(body) || !isIdentified(body, record)) return notTheApi(body);
	if (effect === 'reads' ? isEmptyRefusal(body, record) : isRefusal(body)) return 'refusal';
	return id === undefined || isNamedBy(body, record, id) ? undefined : 'otherRecord';
}

function notTheApi(body: unknown): Unexpected {
	return isRefusal(body) ? 'refusal' : 'notTheApi';
}

/** Whether a body only acknowledges a write: nothing, or `{ message: 'OK' }`. */
export function isAcknowledgement(body: unknown): boolean {
	if (isEmpty(body)) return true;
	return isRecord(body) && /^ok\b/i.test(trimmed(body.message)) && !isRefusal(body);
}

// Like any field, an ID can be hidden from the caller. Then two other fields are required.
function isOneOf(type: RecordType, each: unknown): boolean {
	if (!isRecord(each)) return false;
	return isIdentified(each, type) ? !isEmptyRefusal(each, type) : fieldsIn(each, type) > 1;
}

// A refusal can name the refused record by its ID.
function isEmptyRefusal(record: IDataObject, type: RecordType): boolean {
	return fieldsIn(record, type) === 0 && isRefusal(record);
}

// How many documented fields a record has, except for IDs and fields that an error body also has.
function fieldsIn(record: IDataObject, { fields, idField, compositeId }: RecordType): number {
	const others = [idField, compositeId?.field, compositeId?.codeField, 'status'];
	return fields.filter((field) => field in record && !others.includes(field)).length;
}

/**
 * Whether a body, or one in a list, says that the request was not carried out: the API's error body, or an answer of
 * programs and gateways in between (docs/decisions.md, A21).
 */
export function isRefusal(body: unknown): boolean {
	return Array.isArray(body) ? body.some(saysNo) : saysNo(body);
}

function saysNo(body: unknown): boolean {
	if (!isRecord(body)) return body === false || hasCode(body) || statusOfName(body) !== undefined;
	const { error, errors, success, ok, status, statusCode, message } = body;
	return (
		statusNamedIn(body) !== undefined ||
		statusOfName(message) !== undefined ||
		[error, errors].some(isSaid) ||
		[success, ok].some(isNo) ||
		// JSend (https://github.com/omniti-labs/jsend).
		[success, status].some((word) => /^(error|fail(ed|ure)?)$/i.test(trimmed(word))) ||
		[status, statusCode].map(trimmed).some((code) => Number(code) >= 400 && Number(code) < 600)
	);
}

function isSaid(value: unknown): boolean {
	const said = typeof value === 'object' ? Object.values(value ?? {}) : [value];
	return said.some((each) =>
		typeof each === 'object'
			? each !== null && (each as unknown[]).length !== 0
			: trimmed(each) !== '' && !isNo(each),
	);
}

function isNo(value: unknown): boolean {
	return /^(false|no|none|null|off|0)$/i.test(trimmed(value));
}

// A code of the form ERR_V1, a separator, a text (docs/api/README.md, "Errors"). Which separator is not documented. No
// two parts of the pattern match the same characters, so that matching takes linear time.
const CODE = /^\s*(ERR_V\d[A-Z0-9_]*)(?![A-Za-z0-9])\s*[^\w\s]?_?/;

/** The code of the API that a message begins with, and the text after it. */
export function codeAndText(message: string): [code?: string, text?: string] {
	const [all = '', code] = CODE.exec(message) ?? [];
	return code === undefined ? [] : [code, message.slice(all.length)];
}

/** The HTTP status that an error body of the API names, 400 if it has only the API's code. Otherwise undefined. */
export function statusNamedIn(body: unknown): number | undefined {
	if (!isRecord(body)) return undefined;
	return statusOfName(body.status) ?? (hasCode(body.message) ? 400 : undefined);
}

/** The names of HTTP statuses in the API's error body (docs/api/openapi.yaml, `Error`). */
const STATUS_CODES = new Map([
	['BAD_REQUEST', 400],
	['FORBIDDEN', 403],
	['NOT_FOUND', 404],
	['METHOD_NOT_ALLOWED', 405],
	['CONFLICT', 409],
	['I_AM_A_TEAPOT', 418],
	['TOO_MANY_REQUESTS', 429],
	['SERVER_ERROR', 500],
	['SERVICE_UNAVAILABLE', 503],
	// Not used by the API, but by servers that may answer instead (RFC 9110, section 15).
	['UNAUTHORIZED', 401],
	['REQUEST_TIMEOUT', 408],
	['UNPROCESSABLE_ENTITY', 422],
	['INTERNAL_SERVER_ERROR', 500],
	['BAD_GATEWAY', 502],
	['SERVICE_TEMPORARILY_UNAVAILABLE', 503],
	['GATEWAY_TIMEOUT', 504],
]);

const LONGEST_NAME = 50;

function statusOfName(name: unknown): number | undefined {
	if (typeof name !== 'string' || name.length > LONGEST_NAME) return undefined;
	// A number before the name or a period after it makes no difference.
	return STATUS_CODES.get((name.toUpperCase().match(/[A-Z]+/g) ?? []).join('_'));
}

function hasCode(text: unknown): boolean {
	return typeof text === 'string' && codeAndText(text)[0] !== undefined;
}

/** The milliseconds of Retry-After (RFC 9110, section 10.2.3). Zero if that has passed, undefined if there is none. */
export function retryAfterMs(headers: HttpAnswer['headers']): number | undefined {
	const value = String(headers['retry-after'] ?? '').trim();
	// No server asks for a wait of years.
	if (/^\d{1,8}(\.\d+)?$/.test(value)) return Number(value) * 1000;
	// Date.parse accepts almost anything, even "-1" and "wait 3".
	const date = value.endsWith(' GMT') ? Date.parse(value) : NaN;
	const ms = date - answeredAt({ headers });
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** When an answer was sent, by its own `Date` if it has one, because the clocks of two machines can be hours apart. */
export function answeredAt({ headers }: Pick<HttpAnswer, 'headers'>): number {
	return Date.parse(String(headers.date)) || Date.now();
}
