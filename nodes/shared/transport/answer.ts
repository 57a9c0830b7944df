import type { IDataObject } from 'n8n-workflow';
import { isIdentified, isNamedBy } from '../records/identity';
import type { RecordType } from '../records/types';
import { printable } from '../failure';
import { trimmed } from '../text';
import type { ApiRequest, HttpAnswer } from './api';

/** What came with a success status instead of what was asked for. */
export type Unexpected =
	'webPage' | 'unreadable' | 'refusal' | 'nothing' | 'otherRecord' | 'notTheApi';

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
	// Not of the API, but of what may answer in its place (RFC 9110, section 15).
	['UNAUTHORIZED', 401],
	['REQUEST_TIMEOUT', 408],
	['UNPROCESSABLE_ENTITY', 422],
	['INTERNAL_SERVER_ERROR', 500],
	['BAD_GATEWAY', 502],
	['SERVICE_TEMPORARILY_UNAVAILABLE', 503],
	['GATEWAY_TIMEOUT', 504],
]);

const LONGEST_NAME = 50;

/** Whether an answer has no content: no body (docs/decisions.md, E9), null or an empty object. */
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

/** What is wrong with an answer with a success status; undefined for what was asked for (docs/decisions.md, A10). */
export function unexpectedIn(
	{ method, expects }: Pick<ApiRequest, 'method' | 'expects'>,
	{ statusCode, body }: HttpAnswer,
): Unexpected | undefined {
	if (isWebPage(body)) return 'webPage';
	if (isUnreadable(body)) return 'unreadable';
	// Multi-Status (RFC 4918, section 13): part of the change was made, and part may have been refused.
	if (statusCode === 207 && method !== 'GET') return 'refusal';
	if (expects === 'acknowledgement') return isRefusal(body) ? 'refusal' : undefined;
	const notTheApi = () => (isRefusal(body) ? 'refusal' : 'notTheApi');
	if ('list' in expects) {
		const isList = Array.isArray(body) && body.every((each) => isOneOf(expects.list, each));
		return isList || statusCode === 204 ? undefined : notTheApi();
	}
	// A write may only be acknowledged, also where a record is documented.
	if (method !== 'GET' && isAcknowledgement(body)) return undefined;
	if (isEmpty(body)) return 'nothing';
	const { record, id } = expects;
	if (!isRecord(body) || !isIdentified(body, record)) return notTheApi();
	if (method === 'GET' ? isEmptyRefusal(body, record) : isRefusal(body)) return 'refusal';
	return id === undefined || isNamedBy(body, record, id) ? undefined : 'otherRecord';
}

/** Whether a body only acknowledges a write: nothing, or `{ message: 'OK' }`. */
export function isAcknowledgement(body: unknown): boolean {
	if (isEmpty(body)) return true;
	return isRecord(body) && /^ok\b/i.test(trimmed(body.message)) && !isRefusal(body);
}

// Like any field, an identifier can be hidden from the caller: then two others have to be there.
function isOneOf(type: RecordType, each: unknown): boolean {
	if (!isRecord(each)) return false;
	return isIdentified(each, type) ? !isEmptyRefusal(each, type) : fieldsIn(each, type) > 1;
}

// What was refused can be named by its identifier.
function isEmptyRefusal(record: IDataObject, type: RecordType): boolean {
	return fieldsIn(record, type) === 0 && isRefusal(record);
}

// How many documented fields a record has, without identifiers and fields that an error body has as well.
function fieldsIn(record: IDataObject, { fields, idField, compositeId }: RecordType): number {
	const others = [idField, compositeId?.field, compositeId?.codeField, 'status'];
	return fields.filter((field) => field in record && !others.includes(field)).length;
}

/**
 * Whether a body alone says that a request was not carried out, by its own fields or those of one in a list: the API's
 * error body, or what programs and gateways answer in its place (docs/decisions.md, A21).
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

/** The HTTP status that an error body of the API names, 400 if it has only the API's code; undefined for any other. */
export function statusNamedIn(body: unknown): number | undefined {
	if (!isRecord(body)) return undefined;
	return statusOfName(body.status) ?? (hasCode(body.message) ? 400 : undefined);
}

function statusOfName(name: unknown): number | undefined {
	if (typeof name !== 'string' || name.length > LONGEST_NAME) return undefined;
	// With the number in front, or a full stop behind it, it is the same name.
	return STATUS_CODES.get((name.toUpperCase().match(/[A-Z]+/g) ?? []).join('_'));
}

function hasCode(text: unknown): boolean {
	return typeof text === 'string' && codeAndText(text)[0] !== undefined;
}

/** When an answer was given, by its own `Date` where it has one: the clocks of two machines can be hours apart. */
export function answeredAt({ headers }: Pick<HttpAnswer, 'headers'>): number {
	return Date.parse(String(headers.date)) || Date.now();
}
