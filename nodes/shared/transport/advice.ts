import type { IDataObject } from 'n8n-workflow';
import { identifierOf } from '../records/identity';
import type { RecordType } from '../records/types';
import type { HttpAnswer } from './answer';
import { isRecord, isSuccess, isWebPage } from './answer';
import type { BrokenConnection } from './connection';
import type { Expected } from './expected';
import { unexpectedIn } from './expected';
import type { FailureDetails } from './failure';
import { Failure } from './failure';
import { shortened } from './quote';
import type { Outcome } from './outcome';
import { mayHaveChanged, outcomeOf, statusOf } from './outcome';
import type { Reason } from './reason';
import { readReason } from './reason';
import type { Repeat } from './repeat';
import type { ApiRequest, Identifier } from './request';
import type { Setting } from './settings';

const SOMETHING_ELSE =
	'Check "Base URL" in the credential: something other than the API seems to answer there.';

const REFUSED_BY_WHOM =
	'Check "Base URL", "Source System" and "API Key" in the credential: something other than the API may answer there.';

const VALUES_REFUSED = 'Check the values you gave: the API did not accept one of them.';

const TOO_LONG = "What you gave is too long for the community's server: give less at once.";

const LATER = "The community's server did not take this request right now. Try again later.";

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
	408: LATER,
	425: LATER,
	502: "The community's server could not be reached behind its gateway. Try again later.",
	503: "The community's server is busy or being maintained. Try again later.",
	504: "The community's server took too long behind its gateway. Try again later.",
};

const NOT_ACCEPTED =
	'The community does not accept this request. Check the values you gave; if they are right, ask the operators of the community about it.';

const MAY_EXIST_ADVICE =
	'The record may have been created all the same, so this was not repeated: look in the community before you run it again.';

const NOTHING_CAME =
	'Check "Base URL" in the credential, and that this key may see the record. If this keeps happening, tell the operators of the community.';

/** How many names of fields an advice holds. */
const MOST_NAMED = 3;

const NOTHING_FOUND =
	'Check the values you gave, if any, and "Base URL" in the credential: nothing was found there, or this key may not see it.';

const MAY_BE_CHANGED_ADVICE =
	'The change may have been made all the same; running this again does no harm.';

/** What is known besides the last attempt. */
interface Circumstances {
	/** Whether an earlier attempt was lost, so that it may have been carried out. */
	wasLost?: boolean;
	/** The settings that the user can change. */
	offered?: readonly Setting[];
}

/**
 * The failure for an answer that is not a success, or not what was asked for.
 *
 * @param request what was asked
 * @param answer what came back
 */
export function failureOfAnswer(
	request: ApiRequest,
	answer: HttpAnswer,
	{ wasLost = false, offered = [] }: Circumstances = {},
): Failure {
	const { reason, advice, details } = read(request, answer, offered);
	const { repeat } = request;
	const isUncertain = wasUncertain(repeat, wasLost, outcomeOf(request, answer));
	const told = isUncertain ? uncertainly(repeat, advice) : advice;
	const known = { httpCode: statusOf(answer), ...details };
	return new Failure(reason, told, known, undefined, isUncertain);
}

/**
 * The failure for a request that got no answer.
 *
 * @param request what was asked
 * @param broken what is known about the connection
 */
export function failureOfConnection(
	{ repeat }: Pick<ApiRequest, 'repeat'>,
	{ outcome, reason, advice, setting }: BrokenConnection,
	{ wasLost = false, offered = [] }: Circumstances = {},
): Failure {
	const whatToDo =
		setting !== undefined && offered.includes(setting.label) ? setting.advice : advice;
	const isUncertain = wasUncertain(repeat, wasLost, outcome);
	const told = isUncertain ? uncertainly(repeat, whatToDo) : whatToDo;
	return new Failure(reason, told, {}, undefined, isUncertain);
}

function wasUncertain(repeat: Repeat, wasLost: boolean, outcome: Outcome): boolean {
	return mayHaveChanged(repeat, wasLost ? { kind: 'unreadable' } : outcome);
}

// A record that may exist has to be looked for first; a change can be repeated.
function uncertainly(repeat: Repeat, advice: string): string {
	return repeat === 'creating' ? MAY_EXIST_ADVICE : `${advice} ${MAY_BE_CHANGED_ADVICE}`;
}

interface Told {
	reason: string;
	advice: string;
	details?: FailureDetails;
}

function read(request: ApiRequest, answer: HttpAnswer, offered: readonly Setting[]): Told {
	const status = statusOf(answer);
	const given = readReason(answer.body);
	if (isSuccess({ ...answer, statusCode: status })) return unexpected(request, answer, given);
	if (status >= 300 && status < 400) return redirected(answer);
	if (given) return { ...toldBy(given), advice: adviceFor(status, request, offered, given) };
	// A gateway also answers with a page when a request is too long.
	if (isWebPage(answer) && STATUS_ADVICE[status] !== TOO_LONG) {
		const isBusy = [408, 425, 429].includes(status) || status >= 500;
		const advice = isBusy ? statusAdvice(status, offered) : SOMETHING_ELSE;
		return { reason: 'A web page came back instead of data', advice };
	}
	return {
		reason: `The API answered with HTTP status ${status} and gave no reason`,
		advice: adviceFor(status, request, offered),
	};
}

function toldBy({ text, status, code, errorId, time }: Reason): Pick<Told, 'reason' | 'details'> {
	return { reason: text, details: { status, code, errorId, time } };
}

function unexpected(request: ApiRequest, answer: HttpAnswer, given: Reason | undefined): Told {
	switch (unexpectedIn(request, answer)) {
		case 'webPage':
			return { reason: 'A web page came back instead of data', advice: SOMETHING_ELSE };
		case 'refusal':
			if (given) return { ...toldBy(given), advice: NOT_ACCEPTED };
			return { reason: 'The API refused this and gave no reason', advice: NOT_ACCEPTED };
		case 'nothing':
			return { reason: 'The API answered without the record asked for', advice: NOTHING_CAME };
		case 'otherRecord':
			return {
				reason: 'The API answered with another record than the one asked for',
				advice: `${cameInstead(request.expects, answer.body)} Tell the operators of the community.`,
			};
		default:
			return {
				reason: 'The answer did not come from the API',
				advice: `${formOf(answer.body)} came back. ${SOMETHING_ELSE}`,
			};
	}
}

function cameInstead(expects: Expected, body: unknown): string {
	const { record, id } = expects as { record: RecordType; id: string };
	return `The record ${shortened(identifierOf(body as IDataObject, record) ?? '')} came back instead of ${shortened(id)}.`;
}

// Some names of fields help to recognise what has answered; values are never shown.
function formOf(body: unknown): string {
	if (Array.isArray(body)) return 'A list of something else';
	if (!isRecord(body)) return 'Something that is no record';
	const names = Object.keys(body)
		.slice(0, MOST_NAMED)
		.map((name) => `"${shortened(name)}"`);
	return `A record with ${names.length === 0 ? 'no fields' : names.join(', ')}`;
}

function adviceFor(
	httpCode: number,
	request: ApiRequest,
	offered: readonly Setting[],
	given?: Reason,
): string {
	const { labels = {}, identifiers = [], adviceIfTaken } = request;
	if (httpCode === 409 && adviceIfTaken !== undefined) return adviceIfTaken;
	const named = Object.keys(labels).filter((field) => mentionsField(given?.text ?? '', field));
	if ([400, 409, 422].includes(httpCode) && named.length > 0) {
		return `Check ${named.map((field) => `"${labels[field]}"`).join(' and ')}.`;
	}
	// Without the API's own error body, something else has answered.
	if ([404, 405].includes(httpCode) && !given?.isOfApi) return SOMETHING_ELSE;
	if (httpCode === 401 && !given?.isOfApi) return REFUSED_BY_WHOM;
	if ([404, 410].includes(httpCode)) {
		const blamed = identifiers.filter(({ value }) => mentionsValue(given?.text ?? '', value));
		const checked = blamed.length > 0 ? blamed : identifiers;
		if (checked.length === 0) return NOTHING_FOUND;
		const list = checked.map(identifierIn).join(' and ');
		return `Check ${list}: nothing was found there, or this key may not see it.`;
	}
	return statusAdvice(httpCode, offered);
}

function identifierIn({ label, value, picked }: Identifier): string {
	const shown = picked === undefined ? '' : `${shortened(picked)}, `;
	return `"${label}" (${shown}${shortened(value)})`;
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

// As a whole word, also in a path such as body.name: "username" does not mention "name".
function mentionsField(text: string, field: string): boolean {
	return text.toLowerCase().split(/\W+/).includes(field);
}

// As a whole word with dots, because an msid has one: neither "20" nor "2.abc" mentions "2".
function mentionsValue(text: string, value: string): boolean {
	return ` ${text} `
		.toLowerCase()
		.split(/[^\w.]+|\.(?=\s)/)
		.includes(value.toLowerCase());
}

function redirected(answer: HttpAnswer): Told {
	// The target's host only: a redirect can carry secrets in its login, path or query.
	const target = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#@]+)/i.exec(
		String(answer.headers.location ?? ''),
	);
	const origin = target && target[1] + target[2];
	return {
		reason: 'The base URL redirects to another address',
		advice: origin
			? `Use ${shortened(origin)} as "Base URL" in the credential if you trust that address; the key is never sent along to another one.`
			: 'Open the base URL in a browser and enter the address you end up at as "Base URL" in the credential.',
	};
}
