import type { ApiError, HttpAnswer } from './answer';
import { isSuccess, isWebPage, readApiError } from './answer';
import type { BrokenConnection } from './connection';
import type { FailureDetails } from '../failures/failure';
import { Failure } from '../failures/failure';
import type { Outcome } from './outcome';
import { mayHaveCreated, outcomeOf } from './outcome';
import type { ApiRequest } from './request';
import type { Setting } from './settings';

const SOMETHING_ELSE =
	'Check "Base URL" in the credential: something other than the API seems to answer there.';

const VALUES_REFUSED = 'Check the values you gave: the API did not accept one of them.';

const TOO_LONG = "What you gave is too long for the community's server: give less at once.";

const STATUS_ADVICE: Record<number, string> = {
	400: VALUES_REFUSED,
	401: 'Check "Source System" and "API Key" in the credential.',
	403: 'Check "API Key" in the credential: a wrong key is refused this way. If the key is right, the member it belongs to lacks the permission for this.',
	407: 'The proxy asks for a login: check "Proxy" in the request options of the node, or the proxy of this n8n.',
	409: 'Something with the same unique value exists already. Choose another value, or change the existing record instead.',
	413: TOO_LONG,
	414: TOO_LONG,
	418: 'The API declines this request. Ask the operators of the community about it.',
	422: VALUES_REFUSED,
	431: TOO_LONG,
	500: "The community's server could not finish this. Try again later. If this keeps happening, tell the operators of the community what the details say.",
	502: "The community's server could not be reached behind its gateway. Try again later.",
	503: "The community's server is busy or being maintained. Try again later.",
	504: "The community's server took too long behind its gateway. Try again later.",
};

const NOT_ACCEPTED =
	'The community does not accept this request. Check the values you gave; if they are right, ask the operators of the community about it.';

const MAY_EXIST_ADVICE =
	'The record may have been created all the same, so this was not repeated: look in the community before you run it again.';

const NOTHING_FOUND =
	'Check the values you gave, if any, and "Base URL" in the credential: nothing was found there, or this key may not see it.';

/**
 * The failure for an answer that is not a success, or is not what the API answers.
 *
 * @param request what was asked
 * @param answer what came back
 * @param offered the settings that the user can change
 */
export function failureOfAnswer(
	request: ApiRequest,
	answer: HttpAnswer,
	offered: readonly Setting[] = [],
): Failure {
	const { reason, advice, details } = read(request, answer, offered);
	return new Failure(reason, mayExist(request, answer) ? MAY_EXIST_ADVICE : advice, {
		httpCode: answer.statusCode,
		...details,
	});
}

/**
 * The failure for a request that got no answer.
 *
 * @param request what was asked
 * @param broken what is known about the connection
 * @param offered the settings that the user can change
 */
export function failureOfConnection(
	{ method }: ApiRequest,
	{ outcome, reason, advice, setting }: BrokenConnection,
	offered: readonly Setting[] = [],
): Failure {
	if (mayHaveCreated(method, outcome)) return new Failure(reason, MAY_EXIST_ADVICE);
	const isOffered = setting !== undefined && offered.includes(setting.label);
	return new Failure(reason, isOffered ? setting.advice : advice);
}

// Whoever could not read a success does not know whether there is a record.
function mayExist(request: ApiRequest, answer: HttpAnswer): boolean {
	const outcome: Outcome = isSuccess(answer) ? { kind: 'unreadable' } : outcomeOf(request, answer);
	return mayHaveCreated(request.method, outcome);
}

interface Told {
	reason: string;
	advice: string;
	details?: FailureDetails;
}

function read(request: ApiRequest, answer: HttpAnswer, offered: readonly Setting[]): Told {
	const { statusCode } = answer;
	const apiError = isSuccess(answer) ? undefined : readApiError(answer.body);
	if (apiError) {
		const { text, ...details } = apiError;
		return { reason: text, advice: adviceFor(statusCode, request, offered, apiError), details };
	}
	if (statusCode >= 300 && statusCode < 400) return redirected(answer);
	if (isSuccess(answer)) {
		const reason = isWebPage(answer)
			? 'A web page came back instead of data'
			: 'The answer did not come from the API';
		return { reason, advice: SOMETHING_ELSE };
	}
	// What stands in front of the API says with a page, too, that something is too long.
	if (isWebPage(answer) && STATUS_ADVICE[statusCode] !== TOO_LONG) {
		const isBusy = statusCode === 429 || statusCode >= 500;
		const advice = isBusy ? statusAdvice(statusCode, offered) : SOMETHING_ELSE;
		return { reason: 'A web page came back instead of data', advice };
	}
	return {
		reason: `The API answered with HTTP status ${statusCode} and gave no reason`,
		advice: adviceFor(statusCode, request, offered),
	};
}

function adviceFor(
	httpCode: number,
	request: ApiRequest,
	offered: readonly Setting[],
	apiError?: ApiError,
): string {
	const { labels = {}, identifiers = [], adviceIfTaken } = request;
	if (httpCode === 409 && adviceIfTaken !== undefined) return adviceIfTaken;
	const named = Object.keys(labels).filter((field) => mentionsField(apiError?.text ?? '', field));
	if ([400, 409, 422].includes(httpCode) && named.length > 0) {
		return `Check ${named.map((field) => `"${labels[field]}"`).join(' and ')}.`;
	}
	// Without the API's own words, it is the address that was not found, or that takes no such method.
	if ([404, 405].includes(httpCode) && !apiError) return SOMETHING_ELSE;
	if ([404, 410].includes(httpCode)) {
		const blamed = identifiers.filter(({ value }) => mentionsValue(apiError?.text ?? '', value));
		const checked = blamed.length > 0 ? blamed : identifiers;
		if (checked.length === 0) return NOTHING_FOUND;
		const list = checked.map(({ label, value }) => `"${label}" (${value})`).join(' and ');
		return `Check ${list}: nothing was found there, or this key may not see it.`;
	}
	return statusAdvice(httpCode, offered);
}

function statusAdvice(httpCode: number, offered: readonly Setting[]): string {
	if (httpCode === 429) return tooManyRequests(offered);
	return STATUS_ADVICE[httpCode] ?? (httpCode >= 500 ? STATUS_ADVICE[500] : NOT_ACCEPTED);
}

function tooManyRequests(offered: readonly Setting[]): string {
	const canPace = offered.includes('Max Requests at Once') && offered.includes('Max Retries');
	return canPace
		? 'The API limits how many requests it takes. Lower "Max Requests at Once" or raise "Max Retries" under Options, or run this at a quieter time.'
		: 'The API limits how many requests it takes. Try again later.';
}

// As a word of its own, also in a path such as body.name: username does not mention name.
function mentionsField(text: string, field: string): boolean {
	return text.toLowerCase().split(/\W+/).includes(field);
}

// As a word of its own, dots included, because an msid has one: neither 20 nor 2.abc mentions 2.
function mentionsValue(text: string, value: string): boolean {
	return ` ${text} `
		.toLowerCase()
		.split(/[^\w.]+|\.(?=\s)/)
		.includes(value.toLowerCase());
}

function redirected(answer: HttpAnswer): Told {
	// The target's host only: a redirect can carry secrets in its log-in, path or query.
	const target = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#@]+)/i.exec(
		String(answer.headers.location ?? ''),
	);
	const origin = target && target[1] + target[2];
	return {
		reason: 'The base URL redirects to another address',
		advice: origin
			? `Use ${origin} as "Base URL" in the credential if you trust that address; the key is never sent along to another one.`
			: 'Open the base URL in a browser and enter the address you end up at as "Base URL" in the credential.',
	};
}
