import type { IDataObject } from 'n8n-workflow';
import { codeAndText, isRecord, isRefusal, isUnreadable, isWebPage, statusNamedIn } from './answer';
import { printable, type FailureDetails } from '../failure';

/** Why a request was refused, in the words of the API or the server that refused it. */
export interface Reason {
	reason: string;
	/** Parts of the API's own error body (docs/api/openapi.yaml, `Error`), where known. */
	details: FailureDetails;
	/** Whether it was the API that refused, by the form of the body. */
	isOfApi: boolean;
}

// An answer can be of any length: this much of a text is read, and shown.
const MOST_READ = 100_000;
const MOST_SHOWN = 1000;
// A longer plain text is a dump rather than a reason.
const LONGEST_PLAIN = 300;

// RFC 9457 (detail, title), OAuth 2.0 (RFC 6749, section 5.2), JSON:API (errors).
const KEYS_OF_OTHERS = ['detail', 'error_description', 'error', 'errors', 'errorMessage', 'title'];

/** Reads it in the API's own error body, else in the usual ones of others, or short plain text; undefined without. */
export function readReason(body: unknown, redact: (text: string) => string): Reason | undefined {
	if (Array.isArray(body)) {
		const refused: unknown = body.find((each) => isRefusal(each)) ?? body[0];
		return isRecord(refused) ? readReason(refused, redact) : undefined;
	}
	const shown = (value: unknown) => shownOf(value, redact);
	const fields: IDataObject = isRecord(body) ? body : { detail: plainText(body) };
	const { id, status, time, message } = fields;
	const [code, text] = typeof message === 'string' ? codeAndText(message) : [];
	const own = typeof message === 'string' ? shown(text) || shown(message) : undefined;
	const others = KEYS_OF_OTHERS.flatMap((key) => textsIn(fields[key]));
	const words = own || others.map(shown).find(Boolean);
	if (!words) return undefined;
	const ofApi = { status: shown(status), code: shown(code), errorId: shown(id), time: shown(time) };
	return {
		reason: words.charAt(0).toUpperCase() + words.slice(1),
		details: own ? ofApi : {},
		isOfApi: own !== undefined && statusNamedIn(body) !== undefined,
	};
}

function plainText(body: unknown): string | undefined {
	const isText = typeof body === 'string' && !isWebPage(body) && !isUnreadable(body);
	return isText && body.length <= LONGEST_PLAIN ? body : undefined;
}

// The first of a list; of an object, the fields that usually hold a sentence.
function textsIn(value: unknown): unknown[] {
	const first = Array.isArray(value) ? (value as unknown[])[0] : value;
	if (!isRecord(first)) return [first];
	return [first.detail, first.message, first.msg, first.description, first.title];
}

// What is hidden must not be cut in two, so it is hidden first.
function shownOf(value: unknown, redact: (text: string) => string): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = printable(redact(String(value).slice(0, MOST_READ))).trim();
	if (text.length <= MOST_SHOWN) return text || undefined;
	return `${text.slice(0, MOST_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
