import type { IDataObject } from 'n8n-workflow';

/** An HTTP response as n8n's request helper hands it over. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** Whether the request was carried out. */
export function isSuccess(answer: HttpAnswer): boolean {
	return answer.statusCode >= 200 && answer.statusCode < 300;
}

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

const MARKUP_BEGINS = /^<[!?a-z]/i;
const PAGE_BEGINS = /^<(!doctype|\?xml|html|head|body)\b/i;

/**
 * Whether a body is a web page, so that something other than the API has answered. n8n's HTTP client parses JSON
 * whatever the content type is, so text is what did not parse. Under a type other than HTML it has to begin like a
 * whole page.
 */
export function isWebPage({ headers, body }: HttpAnswer): boolean {
	if (typeof body !== 'string') return false;
	const isCalledHtml = String(headers['content-type'] ?? '').includes('html');
	return (isCalledHtml ? MARKUP_BEGINS : PAGE_BEGINS).test(withoutComments(body));
}

// A page can begin with comments; longer ones than this are not looked through.
const MOST_LOOKED_AT = 5_000;

function withoutComments(text: string): string {
	let rest = text.slice(0, MOST_LOOKED_AT).replace(/^[\s\uFEFF]+/, '');
	while (rest.startsWith('<!--')) {
		const end = rest.indexOf('-->');
		rest = end < 0 ? '<!' : rest.slice(end + 3).trimStart();
		if (end < 0) break;
	}
	return rest;
}

const NO_MORE = ['0', 'false', 'no'];

/**
 * Whether pagination goes on after a page, from the response header `has_more` (docs/decisions.md, A4).
 *
 * @returns false for 0, false or no, true for any other value; undefined when the answer does not carry the
 * header. Of a header that was sent twice, one that says more is enough
 */
export function hasMore(answer: HttpAnswer): boolean | undefined {
	const parts = [answer.headers.has_more ?? '']
		.flat()
		.flatMap((value) => String(value).split(','))
		.map((part) => part.trim().toLowerCase())
		.filter((part) => part !== '');
	return parts.length === 0 ? undefined : parts.some((part) => !NO_MORE.includes(part));
}

// HTTP's three date formats begin with a weekday; some servers send ISO 8601 instead.
const DATE_BEGINS = /^((mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/i;

/**
 * How long the API asks to wait before the next request (RFC 9110, section 10.2.3). A date is read against the
 * answer's own `Date`, because the clocks of two machines can be hours apart.
 *
 * @param now milliseconds since the epoch, where the answer has no usable date
 * @returns milliseconds, zero for a moment that has passed; undefined when nothing usable was sent
 */
export function retryAfterMs({ headers }: HttpAnswer, now = Date.now()): number | undefined {
	const value = String(headers['retry-after'] ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = readDate(value);
	return date === undefined ? undefined : Math.max(0, date - (readDate(headers.date) ?? now));
}

// One of HTTP's three date formats names no zone, and all are in UTC (RFC 9110, section 5.6.7).
function missingZone(date: string): string {
	if (/(gmt|utc|z|[+-]\d\d:?\d\d)$/i.test(date)) return '';
	return /^\d/.test(date) ? 'Z' : ' UTC';
}

// Date.parse accepts almost anything, also "-1" and "wait 3".
function readDate(value: unknown): number | undefined {
	const text = String(value ?? '').trim();
	const date = DATE_BEGINS.test(text) ? Date.parse(text + missingZone(text)) : NaN;
	return Number.isNaN(date) ? undefined : date;
}
