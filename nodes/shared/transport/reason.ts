import type { IDataObject } from 'n8n-workflow';
import { isRecord } from './answer';

/** Why a request was refused, in the words of the API or the server that refused it. */
export interface Reason {
	text: string;
	/** Parts of the API's own error body (docs/api/openapi.yaml, `Error`), where known. */
	status?: string;
	code?: string;
	errorId?: string;
	time?: string;
	/** Whether it was the API that refused, by the form of the body. */
	isOfApi: boolean;
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
]);

// A code of the form ERR_V1, a separator, a text (docs/api/README.md, "Errors"). Which separator is not documented, so any
// character that cannot belong to the code counts. No two parts of the pattern match the same characters, so that
// matching takes linear time.
const CODE_AND_TEXT = /^\s*(ERR_V\d[A-Z0-9_]*)(?![A-Za-z0-9])\s*[^\w\s]?_?\s*(.*)$/s;

// An answer can be of any length: this much is read and shown.
const MOST_READ = 1000;
// A longer plain text is a dump rather than a reason.
const LONGEST_PLAIN = 300;

/**
 * Reads why a request was refused: the API's own error body first, then the usual ones of others, RFC 9457
 * (`detail`, `title`), OAuth 2.0 (RFC 6749: `error_description`, `error`), JSON:API (`errors`), and short plain text.
 *
 * @param body of an answer that is not a success, or of one that is not what was expected
 * @returns undefined when the body gives no reason
 */
export function readReason(body: unknown): Reason | undefined {
	if (Array.isArray(body)) return isRecord(body[0]) ? readReason(body[0]) : undefined;
	if (isRecord(body)) {
		const ofApi = reasonOfApi(body);
		return ofApi?.text.trim() ? ofApi : (reasonOfOthers(body) ?? ofApi);
	}
	if (typeof body !== 'string' || body.length > LONGEST_PLAIN) return undefined;
	const text = body.trim();
	// Markup or truncated JSON.
	return text === '' || /^[<{[]/.test(text)
		? undefined
		: { text: capitalized(text), isOfApi: false };
}

/** Whether a body is the API's own error body, by the code that its message begins with (docs/api/openapi.yaml, `Error`). */
export function isRefusalOfApi(body: unknown): boolean {
	return isRecord(body) && reasonOfApi(body)?.code !== undefined;
}

const ERROR_KEYS = ['error', 'errors', 'error_description', 'errorMessage', 'errorCode'];
const YES_KEYS = ['success', 'ok'];
const STATUS_KEYS = ['status', 'statusCode', 'code'];
// In plain text: markup, truncated JSON, a code of the API, or what programs print when they crash.
const TEXT_OF_REFUSAL =
	/^[\s\uFEFF]*[<{["]|ERR_V\d|\0|^\W*(php\s+)?((fatal|parse|syntax|internal|server)\s+)?(error|warning|exception|failed|failure|forbidden|unauthorized)\b/i;

/** Whether a body alone says that a request was not carried out, whatever the status of the answer. */
export function isRefusal(body: unknown): boolean {
	if (Array.isArray(body)) return body.some(isRefusal);
	if (typeof body === 'string') return body.length > LONGEST_PLAIN || TEXT_OF_REFUSAL.test(body);
	if (!isRecord(body)) return body === false;
	return (
		isRefusalOfApi(body) ||
		Object.values(body).some(isRefusalOfApi) ||
		YES_KEYS.some((key) => body[key] === false) ||
		STATUS_KEYS.some((key) => isStatusOfRefusal(body[key])) ||
		ERROR_KEYS.some((key) => isGiven(body[key]))
	);
}

// A word or an HTTP status; codes of records are smaller (docs/api/README.md, "Default entity statuses").
function isStatusOfRefusal(status: unknown): boolean {
	if (typeof status === 'string' && /^(error|fail|failed|failure)$/i.test(status)) return true;
	const code = typeof status === 'object' ? NaN : Number(status);
	return code >= 400 && code < 600;
}

/**
 * The HTTP status that an error body of the API names; 400 where it names none of the API's (docs/decisions.md, A11).
 *
 * @returns undefined for any other body
 */
export function statusNamedIn(body: unknown): number | undefined {
	if (!isRecord(body) || !isRefusalOfApi(body)) return undefined;
	return STATUS_CODES.get(String(body.status)) ?? 400;
}

function reasonOfApi(body: IDataObject): Reason | undefined {
	if (typeof body.message !== 'string') return undefined;
	const message = bounded(body.message);
	const [, code, text] = CODE_AND_TEXT.exec(message) ?? [];
	const status = textOf(body.status);
	return {
		text: capitalized((text ?? message).trim() || message),
		code,
		status,
		errorId: textOf(body.id),
		time: textOf(body.time),
		isOfApi: code !== undefined || (status !== undefined && STATUS_CODES.has(status)),
	};
}

function reasonOfOthers(body: IDataObject): Reason | undefined {
	const { detail, title, error_description: described, error, errors, errorMessage } = body;
	const candidates = [
		...textsIn(detail),
		described,
		...textsIn(error),
		...textsIn(errors),
		errorMessage,
		title,
	];
	const text = candidates.find((each) => typeof each === 'string' && each.trim() !== '');
	return text === undefined
		? undefined
		: { text: capitalized(bounded(String(text).trim())), isOfApi: false };
}

// The first of a list; of an object, the fields that usually hold a sentence.
function textsIn(value: unknown): unknown[] {
	const first = Array.isArray(value) ? (value as unknown[])[0] : value;
	if (!isRecord(first)) return [first];
	return [first.detail, first.message, first.msg, first.description, first.title];
}

function isGiven(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	return Boolean(value);
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number'
		? bounded(String(value))
		: undefined;
}

function bounded(text: string): string {
	return text.length > MOST_READ ? `${text.slice(0, MOST_READ)}…` : text;
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
