import type { IDataObject } from 'n8n-workflow';

/** An HTTP response as n8n's request helper hands it over. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** What the API says about itself when it refuses (specification, "Errors"). */
export interface ApiError {
	text: string;
	status?: string;
	code?: string;
	errorId?: string;
	time?: string;
}

/** Whether the request was carried out. */
export function isSuccess(answer: HttpAnswer): boolean {
	return answer.statusCode >= 200 && answer.statusCode < 300;
}

/** Whether nothing came back: 204, an empty body (n8n gives "" for it), null or an empty object. */
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

const NO_CONTENT = 204;

/** Whether an answer is what a listing gives: records, or no content. */
export function isListOfRecords({ statusCode, body }: HttpAnswer): boolean {
	return statusCode === NO_CONTENT || (Array.isArray(body) && body.every(isRecord));
}

const PAGE_BEGINS = /^\s*<(!doctype|html)/i;

/** Whether a body is a web page: something other than the API has answered. */
export function isWebPage(answer: HttpAnswer): boolean {
	const type = String(answer.headers['content-type'] ?? '');
	const { body } = answer;
	return type.includes('text/html') || (typeof body === 'string' && PAGE_BEGINS.test(body));
}

// "Begins with a code of the form ERR_V1, then a separator character, then a text": which separator
// is not shown, so any one character that cannot belong to the code counts.
// Without two parts that take the same digits, it reads every text in one go.
const CODE_AND_TEXT = /^\s*(ERR_V\d[A-Z0-9_]*)(?![A-Za-z0-9])\s*[^\w\s]?_?\s*(.*)$/s;

// What refuses a request can be anything, and as long as it likes: this much is read and shown.
const MOST_READ = 1000;

/**
 * Reads the API's error body (specification, "Errors").
 *
 * @returns its parts, the code split from the text; undefined when the body is not of that form
 */
export function readApiError(body: unknown): ApiError | undefined {
	if (!isRecord(body) || typeof body.message !== 'string') return undefined;
	const message = bounded(body.message);
	const [, code, text] = CODE_AND_TEXT.exec(message) ?? [];
	return {
		text: capitalized((text ?? message).trim() || message),
		code,
		status: textOf(body.status),
		errorId: textOf(body.id),
		time: textOf(body.time),
	};
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

/**
 * Whether the listing may go on (specification, "Limits" 3 and 4).
 *
 * @returns undefined when the answer does not carry the header
 */
export function hasMore(answer: HttpAnswer): boolean | undefined {
	const value = answer.headers.has_more;
	return value === undefined ? undefined : ['1', 'true'].includes(String(value).toLowerCase());
}

// The three forms of HTTP begin with a weekday; ISO 8601 is what some send instead.
const DATE_BEGINS = /^((mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/i;

/**
 * How long the API asks to wait before the next request (RFC 9110, section 10.2.3).
 *
 * @param now milliseconds since the epoch, for a header that holds a date
 * @returns milliseconds, zero for a moment that has passed; undefined when nothing usable was sent
 */
export function retryAfterMs(answer: HttpAnswer, now = Date.now()): number | undefined {
	const value = String(answer.headers['retry-after'] ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	// Date.parse takes almost anything for a date, "-1" and "wait 3" too.
	const date = DATE_BEGINS.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
