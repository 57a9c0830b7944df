import type { IDataObject } from 'n8n-workflow';
import { beginningOf, printable, quoted, shortened, type FailureDetails } from '../failure';
import type { Outcome, Unexpected } from './answer';
import { codeAndText, isRecord, isRefusal, isUnreadable, isWebPage, statusNamedIn } from './answer';
import type { HttpAnswer, ApiRequest, Identifier } from './api';

/** The text of a failure: what happened, without a period, and what to do. */
export interface Explanation {
	reason: string;
	advice: string;
	details?: FailureDetails;
}

/** Why a request was refused, in the words of the API or the server that refused it. */
interface Reason {
	reason: string;
	/** Parts of the API's own error body (docs/api/openapi.yaml, `Error`), if known. */
	details: FailureDetails;
	/** Whether the form of the body shows that the API itself refused. */
	isOfApi: boolean;
}

/** A failed attempt: its outcome and its explanation. */
export type FailedAttempt = Outcome & Explanation;

const SOMETHING_ELSE =
	"Check 'Base URL' in the credential. The server at this address does not seem to be your community's API.";

const REFUSED_ON_THE_WAY =
	"Check 'Base URL', 'Source System' and 'API Key' in the credential. If they are right, ask your n8n administrator whether a firewall (such as Cloudflare or another WAF) or a proxy blocks requests to the community.";

const VALUES_REFUSED =
	"Check the values you entered, e.g. their lengths and formats. The community rejected one of them. If all of them are right, report the operation and the time to your community platform's support.";

const TOO_LONG =
	"Shorten the text or the list you entered, because it is too long for the community's server.";

const LATER =
	"Try again in a few minutes. The community's server could not accept this request right now.";

const noSuchRecord = (what = 'any IDs that you entered') =>
	`Check ${what}. Either no such record exists, or the owner of the API key cannot see it.`;

const STATUS_ADVICE: Record<number, string> = {
	304: 'Ask your n8n administrator to exclude the community from proxy caches, because a cache answered instead.',
	400: VALUES_REFUSED,
	401: "Copy the API key again from your profile page in the community and enter it as 'API Key' in the credential. Also check 'Source System'.",
	403: "Check 'API Key' in the credential. If the key is right, its owner lacks the permission for this. Ask an admin of your community to grant it.",
	404: noSuchRecord(),
	407: "Check 'Proxy' under 'Request Options' in the node, because the proxy requires a login. If 'Proxy' is not set, ask your n8n administrator to check n8n's own proxy.",
	409: 'Choose another value, or update the existing record instead. Another record already has this name, email address or other unique value.',
	410: noSuchRecord(),
	413: TOO_LONG,
	414: TOO_LONG,
	418: "Ask your community platform's support why their API declines this request. Tell them the operation and the time.",
	422: VALUES_REFUSED,
	429: 'Run this at a quieter time, because the community limits how many requests it accepts.',
	431: TOO_LONG,
	500: "Try again in a few minutes, because the community's server could not finish this. If this keeps happening, report the operation, the time and the details to your community platform's support.",
	408: LATER,
	425: LATER,
	502: "Try again in a few minutes. The community's server is not responding.",
	503: "Try again in a few minutes. The community's server is busy or under maintenance.",
	504: "Try again in a few minutes. The community's server took too long to answer.",
	511: "Ask your n8n administrator to log in to n8n's network, which blocks all requests until then.",
};

const NOT_ACCEPTED =
	"Check the values you entered. If all of them are right, report the operation and the time to your community platform's support, and ask why they do not accept this request.";

/** Explains answers that came with a success status, but are not what was requested. */
const UNEXPECTED: Record<Unexpected, Explanation> = {
	webPage: { reason: 'A web page came back instead of data', advice: SOMETHING_ELSE },
	unreadable: {
		reason: "The community's answer could not be read",
		advice:
			"Try again in a few minutes, because the answer may have been cut off. If this keeps happening, ask your community platform's support which proxy or firewall may change their answers.",
	},
	refusal: { reason: 'The community refused this without giving a reason', advice: NOT_ACCEPTED },
	nothing: {
		reason: "The community's answer did not contain the requested record",
		advice:
			"Check 'Base URL' in the credential, and check that the owner of the API key can see the record. If both are right, report the ID and the time to your community platform's support.",
	},
	otherRecord: {
		reason: 'The community returned a different record than requested',
		advice: "Report the ID of the record and the time to your community platform's support.",
	},
	notTheApi: {
		reason: "Something other than your community's API answered",
		advice: SOMETHING_ELSE,
	},
};

// The statuses below 500 for which gateways, proxies and firewalls send their own page.
const WITH_OWN_PAGE = [401, 403, 407, 408, 413, 414, 425, 429, 431];
// The statuses with which a gateway says that the server behind it does not answer.
const UNAVAILABLE = [502, 503, 504];
const NOT_AVAILABLE = "The community's server is not available right now";

/** Explains an answer that is not what was requested. Every quote from the answer goes through `redact`. */
export function explainAnswer(
	request: ApiRequest,
	answer: HttpAnswer,
	{ status = answer.statusCode, unexpected }: Outcome,
	{ baseUrl, redact }: { baseUrl: string; redact(text: string): string },
): Explanation {
	const { headers, body } = answer;
	const quote = (text: string) => shortened(redact(text));
	const stated = readReason(body, redact);
	if (unexpected === 'refusal' && stated) return { ...stated, advice: NOT_ACCEPTED };
	if (unexpected) return UNEXPECTED[unexpected];
	if (isRedirect(status)) return explainRedirect(String(headers.location ?? ''), baseUrl, quote);
	const advice = adviceFor(status, request, stated);
	if (stated) return inWords({ ...stated, advice }, status, request, quote);
	if (isWebPage(body)) return explainWebPage(status, advice);
	const what = status < 500 ? 'refused the request' : 'could not finish the request';
	return { reason: `The community ${what} without giving a reason (status ${status})`, advice };
}

function isRedirect(status: number): boolean {
	return status > 300 && status < 400 && status !== 304;
}

function explainWebPage(status: number, advice: string): Explanation {
	if (UNAVAILABLE.includes(status)) return { reason: NOT_AVAILABLE, advice };
	const isExplained = status >= 500 || WITH_OWN_PAGE.includes(status);
	return isExplained ? { ...UNEXPECTED.webPage, advice } : UNEXPECTED.webPage;
}

// As in a regular expression, which no reader has to understand.
const PATTERN = /\^[[(\\]|[\])*+?}]\$|\[\^?\w-\w|\\[dswDSW]/;

/** Says in our words what was refused, and the API's reason last, if it is a pattern or if the field's format is known. */
function inWords(
	refused: Explanation,
	status: number,
	request: ApiRequest,
	quote: (text: string) => string,
): Explanation {
	const { reason, advice } = refused;
	const { labels = {}, formats = {}, body = {} } = request;
	const [field] = [400, 422].includes(status) ? fieldsNamedIn(reason, request) : [];
	const format = TAKEN.test(reason) ? undefined : formats[field];
	if (!format && !PATTERN.test(reason)) return refused;
	const value = body[field];
	return {
		...refused,
		reason:
			typeof value === 'string'
				? `${quoted(quote(value))} cannot be used as '${labels[field]}'`
				: 'The community does not accept a value that you entered',
		advice: `${format ?? advice} The API answered: "${reason}".`,
	};
}

function explainRedirect(
	location: string,
	baseUrl: string,
	quote: (text: string) => string,
): Explanation {
	const { host, origin } = new URL(URL.canParse(location, baseUrl) ? location : '', baseUrl);
	if (host === '' || origin === new URL(baseUrl).origin) {
		return {
			reason: 'The community redirects this request to another page',
			advice:
				"Check 'Base URL' and 'API Key' in the credential. If both are right, ask your community platform's support for the address of their API, and whether it requires a different login.",
		};
	}
	return {
		reason: "The address in 'Base URL' forwards to another one",
		// Only the target's origin, because a redirect can carry secrets in its login, path or query.
		advice: `If you trust ${quote(origin)}, enter it as 'Base URL' in the credential. The node sends your API key only to the address in 'Base URL'.`,
	};
}

// Only the advice depends on this pattern, not what the node does.
const TAKEN = /\b(already|exists?|taken|in use|duplicate)\b/i;

function adviceFor(status: number, request: ApiRequest, stated?: Reason): string {
	const reason = stated?.reason ?? '';
	if (status === 409 && request.adviceIfTaken !== undefined) return request.adviceIfTaken;
	const aboutFields = adviceAboutFields(status, reason, request);
	if (aboutFields !== undefined) return aboutFields;
	// Without the API's own error body, something else has answered.
	if ([404, 405].includes(status) && !stated?.isOfApi) return SOMETHING_ELSE;
	if ([401, 403].includes(status) && !stated?.isOfApi) return REFUSED_ON_THE_WAY;
	const aboutStatus = STATUS_ADVICE[status] ?? (status >= 500 ? STATUS_ADVICE[500] : NOT_ACCEPTED);
	return adviceAboutIds(status, reason, request) ?? aboutStatus;
}

function adviceAboutFields(
	status: number,
	reason: string,
	request: ApiRequest,
): string | undefined {
	const { labels = {}, adviceIfTaken } = request;
	const named = fieldsNamedIn(reason, request);
	if (![400, 409, 422].includes(status) || named.length === 0) return undefined;
	const check = `Check ${named.map((field) => `'${labels[field]}'`).join(' and ')}.`;
	return adviceIfTaken && TAKEN.test(reason) ? `${check} ${adviceIfTaken}` : check;
}

function adviceAboutIds(status: number, reason: string, request: ApiRequest): string | undefined {
	const { identifiers = [] } = request;
	const blamed = identifiers.filter(({ value }) => mentions(reason, value, BETWEEN_VALUES));
	if (![404, 410].includes(status) || blamed.length === 0) return undefined;
	return noSuchRecord(blamed.map(identifierIn).join(' and '));
}

// If a field was not sent, a common word such as "content" may be about something else.
function fieldsNamedIn(reason: string, { labels = {}, body = {}, qs = {} }: ApiRequest): string[] {
	const sent = JSON.stringify([body, qs]);
	return Object.keys(labels).filter(
		(field) => sent.includes(`"${field}":`) && mentions(reason, field, BETWEEN_FIELDS),
	);
}

function identifierIn({ label, value, selectedLabel }: Identifier): string {
	const shown = selectedLabel === undefined ? '' : `${shortened(selectedLabel)}, `;
	return `'${label}' (${shown}${shortened(value)})`;
}

// A field also counts in a path such as body.name, but "username" does not mention "name".
const BETWEEN_FIELDS = /\W+/;
// A dot is part of a value, because an msid has one. So neither "20" nor "2.abc" mentions "2".
const BETWEEN_VALUES = /[^\w.]+|\.(?=\s)/;

function mentions(text: string, word: string, between: RegExp): boolean {
	return ` ${text} `.toLowerCase().split(between).includes(word.toLowerCase());
}

// An answer can have any length, so only this much of a text is read and shown.
const MAX_LENGTH_READ = 100_000;
const MAX_REASON_LENGTH = 1000;
// A longer plain text is a dump rather than a reason.
const MAX_PLAIN_LENGTH = 300;

// RFC 9457 (detail, title), OAuth 2.0 (RFC 6749, section 5.2), JSON:API (errors).
const KEYS_OF_OTHERS = ['detail', 'error_description', 'error', 'errors', 'errorMessage', 'title'];

// Looks in the API's own error body, then in the usual ones of other servers, then in short plain text.
function readReason(body: unknown, redact: (text: string) => string): Reason | undefined {
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
	return isText && body.length <= MAX_PLAIN_LENGTH ? body : undefined;
}

// Returns the first entry of a list, or the fields of an object that usually hold a sentence.
function textsIn(value: unknown): unknown[] {
	const first = Array.isArray(value) ? (value as unknown[])[0] : value;
	if (!isRecord(first)) return [first];
	return [first.detail, first.message, first.msg, first.description, first.title];
}

function shownOf(value: unknown, redact: (text: string) => string): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	// Secrets are hidden first, because a secret that is cut in two would not be found.
	const text = printable(redact(String(value).slice(0, MAX_LENGTH_READ))).trim();
	return beginningOf(text, MAX_REASON_LENGTH) || undefined;
}
