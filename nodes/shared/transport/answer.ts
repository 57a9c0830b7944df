import type { IDataObject } from 'n8n-workflow';
import { isIdentified, isNamedBy } from '../records/identity';
import type { RecordType } from '../records/types';
import { printable } from './failure';
import type { ApiRequest } from './request';

export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** What came with a success status instead of what was asked for. */
export type Unexpected =
	'webPage' | 'unreadable' | 'refusal' | 'nothing' | 'otherRecord' | 'somethingElse';

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
]);

/** Whether an answer has no content: no body (docs/decisions.md, E9), null or an empty object. */
export function isEmpty(body: unknown): boolean {
	if (body === undefined || body === null || body === '') return true;
	return isRecord(body) && Object.keys(body).length === 0;
}

/** Whether a body is one JSON object, as every single-record endpoint answers. */
export function isRecord(body: unknown): body is IDataObject {
	return (
		typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body)
	);
}

/** Whether a body is a web page: markup, so that something other than the API has answered. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^[\s\uFEFF]*<[!?a-z]/i.test(body);
}

/** Whether a body is bytes, or JSON that was cut off: n8n's HTTP client parses JSON whatever its content type is. */
export function isUnreadable(body: unknown): boolean {
	return typeof body === 'string' && (/^[\s\uFEFF]*["{[]/.test(body) || printable(body) !== body);
}

/**
 * Checks an answer with a success status: the one place that decides what is a record, a list, an acknowledgement or a
 * refusal (docs/decisions.md, A10).
 *
 * @returns undefined for what was asked for
 */
export function unexpectedIn(
	{ method, expects }: Pick<ApiRequest, 'method' | 'expects'>,
	{ statusCode, body }: HttpAnswer,
): Unexpected | undefined {
	if (isWebPage(body)) return 'webPage';
	if (isUnreadable(body)) return 'unreadable';
	if (expects === 'acknowledgement') return isRefusal(body) ? 'refusal' : undefined;
	const somethingElse = () => (isRefusal(body) ? 'refusal' : 'somethingElse');
	if ('list' in expects) {
		const isList = Array.isArray(body) && body.every((each) => isOneOf(expects.list, each));
		return isList || statusCode === 204 ? undefined : somethingElse();
	}
	// A write may only be acknowledged, also where a record is documented.
	if (method !== 'GET' && isAcknowledgement(body)) return undefined;
	if (isEmpty(body)) return 'nothing';
	const { record, id } = expects;
	if (!isRecord(body) || !isIdentified(body, record)) return somethingElse();
	if (isEmptyRefusal(body, record)) return 'refusal';
	if (method !== 'GET' && refusesItself(body)) return 'refusal';
	return id === undefined || isNamedBy(body, record, id) ? undefined : 'otherRecord';
}

/** Whether a body only acknowledges a write: nothing, or `{ message: 'OK' }`. */
export function isAcknowledgement(body: unknown): boolean {
	if (isEmpty(body)) return true;
	return isRecord(body) && /^\s*ok\b/i.test(String(body.message)) && !isRefusal(body);
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

// Keys by which programs say how a request went, in lower case.
const ERROR_KEY = /^(error|fail)/;
const SUCCESS_KEY = /^(success|ok)$/;
const STATUS_KEY = /^(status|status_?code|code)$/;
const NO = /^(false|no|none|null|off|0|)$/i;
// How a text begins that says that something went wrong; "Failed: 0" says the contrary.
const BAD_NEWS =
	/^\W*(php |http\S* )?((fatal|uncaught|access|permission) )?([45]\d\d\b|\w*(error|exception)|warning|fail(ed|ure)?|forbidden|unauthorized|denied|(page )?not found|service (temporarily )?unavailable)\b(?!\W*0\b)/i;
// Deep enough for a list of parts in a record.
const DEEPEST = 3;

/**
 * Whether a body alone says that a request was not carried out, whatever the status, in one of its values, however
 * nested (docs/decisions.md, A11). What is below a `key` for errors counts under that key.
 */
export function isRefusal(body: unknown, key = '', depth = 0): boolean {
	if (typeof body !== 'object' || body === null) return saysNo(key, body);
	const isList = Array.isArray(body);
	const isOfError = ERROR_KEY.test(key);
	// Whatever is in it.
	if (isOfError && isList) return body.length > 0;
	if (depth > DEEPEST) return false;
	return Object.entries(body).some(([name, value]: [string, unknown]) => {
		const own = isList ? '' : name.toLowerCase();
		return isRefusal(value, isOfError ? key : own, depth + 1);
	});
}

// Under any other key stands what people wrote, so that only the API's own code counts.
function saysNo(key: string, value: unknown): boolean {
	const text = String(value ?? '').trim();
	if (ERROR_KEY.test(key)) return !NO.test(text);
	if (SUCCESS_KEY.test(key)) return NO.test(text);
	if (typeof value === 'boolean') return key === '' && !value;
	// Codes of records are smaller than those of HTTP (docs/api/README.md, "Default entity statuses").
	if (/^[45]\d\d$/.test(text)) return STATUS_KEY.test(key);
	if (codeAndText(text)[0] !== undefined) return true;
	const isSaid = key === '' || key === 'message' || STATUS_KEY.test(key);
	return isSaid && (statusOfName(value) !== undefined || BAD_NEWS.test(text));
}

// The other values of a record are not looked at: they are what people wrote.
function refusesItself(record: IDataObject): boolean {
	const told = Object.entries(record).filter(([key]) =>
		[ERROR_KEY, SUCCESS_KEY, STATUS_KEY].some((keys) => keys.test(key.toLowerCase())),
	);
	return statusNamedIn(record) !== undefined || isRefusal(Object.fromEntries(told));
}

// A code of the form ERR_V1, a separator, a text (docs/api/README.md, "Errors"). Which separator is not documented, so
// any character that cannot belong to the code counts. No two parts of the pattern match the same characters, so that
// matching takes linear time.
const CODE = /^\s*(ERR_V\d[A-Z0-9_]*)(?![A-Za-z0-9])\s*[^\w\s]?_?/;

/** The code of the API that a message begins with, and the text after it. */
export function codeAndText(message: string): [code?: string, text?: string] {
	const [all = '', code] = CODE.exec(message) ?? [];
	return code === undefined ? [] : [code, message.slice(all.length)];
}

/**
 * The HTTP status that an error body of the API names; 400 where it has the API's code and names none of its statuses.
 *
 * @returns undefined for any other body
 */
export function statusNamedIn(body: unknown): number | undefined {
	if (!isRecord(body)) return undefined;
	const { status, message } = body;
	const hasCode = typeof message === 'string' && codeAndText(message)[0] !== undefined;
	return statusOfName(status) ?? (hasCode ? 400 : undefined);
}

function statusOfName(name: unknown): number | undefined {
	if (typeof name !== 'string') return undefined;
	return STATUS_CODES.get(name.trim().toUpperCase().replace(/\s+/g, '_'));
}

/**
 * Whether pagination goes on after a page, from the response header `has_more` (docs/decisions.md, A4).
 *
 * @returns false for 0, false or no, true for any other value; undefined when the answer does not carry the
 * header. Of a header that was sent twice, one that says more is enough
 */
export function hasMore(answer: HttpAnswer): boolean | undefined {
	const parts = String(answer.headers.has_more ?? '')
		.toLowerCase()
		.split(/[\s,]+/)
		.filter((part) => part !== '');
	return parts.length === 0
		? undefined
		: parts.some((part) => !['0', 'false', 'no'].includes(part));
}

/**
 * How long the API asks to wait before the next request (RFC 9110, section 10.2.3). A date is read against the
 * answer's own `Date`, because the clocks of two machines can be hours apart.
 *
 * @returns milliseconds, zero for a moment that has passed; undefined when nothing usable was sent
 */
export function retryAfterMs(headers: HttpAnswer['headers']): number | undefined {
	const value = String(headers['retry-after'] ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	// Date.parse accepts almost anything, also "-1" and "wait 3".
	const date = value.endsWith(' GMT') ? Date.parse(value) : NaN;
	const ms = date - (Date.parse(String(headers.date)) || Date.now());
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
