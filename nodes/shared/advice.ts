import type { ApiError, HttpAnswer } from './answer';
import { isSuccess, isWebPage, readApiError } from './answer';
import { Failure } from './failure';
import type { ApiRequest } from './request';

const STATUS_ADVICE: Record<number, string> = {
	401: 'Check "Source System" and "API Key" in the credential.',
	403: 'Check "API Key" in the credential: a wrong key is refused this way. If the key is right, the member it belongs to lacks the permission for this.',
	405: 'Check "Base URL" in the credential: something other than the API seems to answer there.',
	409: 'Something with the same unique value exists already. Choose another value, or change the existing record instead.',
	418: 'The API declines this request. Ask the operators of the community about it.',
	429: 'The API limits how many requests it takes. Lower "Max Requests at Once" or raise "Max Retries" under Options, or run this at a quieter time.',
	500: "The community's server could not finish this. Try again later; if it stays, tell the operators of the community what the details say.",
	502: "The community's server could not be reached behind its gateway. Try again later.",
	503: "The community's server is busy or being maintained. Try again later.",
	504: "The community's server took too long behind its gateway. Try again later.",
};

const OUTCOME_UNKNOWN_ADVICE =
	'The record may have been created all the same, so this was not repeated: look in the community before you run it again.';

const NOTHING_FOUND =
	'Check the values you gave, if any, and "Base URL" in the credential: nothing was found there, or this key may not see it.';

const CONNECTION: Array<[codes: RegExp, reason: string, advice: string]> = [
	[
		/ENOTFOUND|EAI_AGAIN/,
		'There is no server at the base URL',
		'Check "Base URL" in the credential for typing slips, and that this n8n can look up the name.',
	],
	[
		/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/,
		'Nothing accepts connections at the base URL',
		'Check "Base URL" in the credential, including the port, and that the community is running and reachable from this n8n.',
	],
	[
		/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
		"The certificate of the community's address is not valid",
		'Ask the operators of the community to mend the certificate. If you trust the address all the same, turn on "Ignore SSL Issues" in the node\'s settings.',
	],
	[
		/EPROTO|ERR_SSL|WRONG_VERSION/,
		"The community's address does not speak HTTPS as expected",
		'Check in the credential whether "Base URL" should begin with http:// or https://, and the port.',
	],
	[
		/ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT/,
		'The API did not answer in time',
		'Try again later, or raise "Timeout" in the node\'s request options.',
	],
];

/**
 * The failure for an answer that is not a success, or is not what the API answers.
 *
 * @param request what was asked
 * @param answer what came back
 * @param outcomeUnknown whether the record may have been created although the answer says otherwise
 */
export function failureOfAnswer(
	request: ApiRequest,
	answer: HttpAnswer,
	outcomeUnknown = false,
): Failure {
	const httpCode = answer.statusCode;
	const apiError = isSuccess(answer) ? undefined : readApiError(answer.body);
	if (apiError) {
		const advice = outcomeUnknown ? OUTCOME_UNKNOWN_ADVICE : adviceFor(httpCode, request, apiError);
		const { text, ...details } = apiError;
		return new Failure(text, advice, { httpCode, ...details });
	}
	if (httpCode >= 300 && httpCode < 400) return redirected(httpCode, answer);
	if (isSuccess(answer) || isWebPage(answer)) {
		return new Failure(
			isWebPage(answer)
				? 'A web page came back instead of data'
				: 'The answer is not one of this API',
			outcomeUnknown ? OUTCOME_UNKNOWN_ADVICE : statusAdvice(httpCode >= 500 ? httpCode : 405),
			{ httpCode },
		);
	}
	return new Failure(
		`The API answered with HTTP status ${httpCode} and gave no reason`,
		outcomeUnknown ? OUTCOME_UNKNOWN_ADVICE : adviceFor(httpCode, request),
		{ httpCode },
	);
}

/**
 * The failure for a request that got no answer.
 *
 * @param code the code of Node or of n8n's HTTP client, e.g. ECONNREFUSED
 * @param outcomeUnknown whether the record may have been created all the same
 */
export function failureOfConnection(code: string, outcomeUnknown = false): Failure {
	const [, reason, advice] = CONNECTION.find(([codes]) => codes.test(code)) ?? [
		undefined,
		'The connection to the API broke before an answer came',
		'Try again later. If it stays, check "Base URL" in the credential and the network of this n8n.',
	];
	return new Failure(reason, outcomeUnknown ? OUTCOME_UNKNOWN_ADVICE : advice);
}

function adviceFor(httpCode: number, request: ApiRequest, apiError?: ApiError): string {
	const { labels = {}, identifiers = [] } = request;
	const named = Object.keys(labels).filter((field) => mentionsField(apiError?.text ?? '', field));
	if ([400, 409].includes(httpCode) && named.length > 0) {
		return `Check ${named.map((field) => `"${labels[field]}"`).join(' and ')}.`;
	}
	if (httpCode === 404) {
		if (!apiError) return STATUS_ADVICE[405];
		const blamed = identifiers.filter(({ value }) => mentionsValue(apiError.text, value));
		const checked = blamed.length > 0 ? blamed : identifiers;
		if (checked.length === 0) return NOTHING_FOUND;
		const list = checked.map(({ label, value }) => `"${label}" (${value})`).join(' and ');
		return `Check ${list}: nothing was found there, or this key may not see it.`;
	}
	if (httpCode === 400) return 'Check the values you gave: the API did not accept one of them.';
	return statusAdvice(httpCode);
}

function statusAdvice(httpCode: number): string {
	return STATUS_ADVICE[httpCode] ?? STATUS_ADVICE[httpCode >= 500 ? 500 : 405];
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

function redirected(httpCode: number, answer: HttpAnswer): Failure {
	// The target's host only: a redirect can carry secrets in its log-in, path or query.
	const target = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#@]+)/i.exec(
		String(answer.headers.location ?? ''),
	);
	const origin = target && target[1] + target[2];
	return new Failure(
		'The base URL redirects to another address',
		origin
			? `Use ${origin} as "Base URL" in the credential if you trust that address; the key is never sent along to another one.`
			: 'Open the base URL in a browser and use the address it ends at as "Base URL" in the credential.',
		{ httpCode },
	);
}
