import { NodeApiError, type FunctionsBase, type IDataObject, type INode } from 'n8n-workflow';
import { withoutMarkup } from './text';

/** What is known about a refused or lost request. Unknown parts are left out. */
export interface FailureDetails {
	httpCode?: number;
	/** The API's name of the HTTP status, e.g. NOT_FOUND. */
	status?: string;
	/** The code the API's message begins with, e.g. ERR_V1. */
	code?: string;
	/** The API's identifier of the error, for its support. */
	errorId?: string;
	/** When the API says it happened (ISO 8601). */
	time?: string;
	/** The member of a list who could not be read. */
	msid?: string;
	/** Whether something may have been changed although the request failed. */
	isUncertain?: boolean;
	/** The kind of record, if a look-up is certain that there is none. */
	notFound?: 'user' | 'board' | 'role' | 'tag';
	/** The name or ID that was looked up. */
	query?: string;
	/** A question with similar names. */
	suggestion?: string;
	/** The cause for n8n's scheduler, which decides when to poll again. Set only if the API's answer proves it. */
	declared?: NodeApiError['failure'];
	/** A sentence that ends with a link, shown last, because n8n takes what follows for a part of the link. */
	link?: string;
	/** Whether every item would fail, because the key, the connection or the server is the cause. */
	concernsEveryItem?: boolean;
}

// The details that a failed item shows.
const SHOWN = ['httpCode', 'status', 'code', 'errorId', 'time', 'msid', 'notFound'] as const;

/** The sentence about a run that failed before anything was changed. */
export const NOTHING_CHANGED = 'Nothing was changed.';

/** Every failure that this package raises. It contains only text and codes, and no request or header with a secret. */
export class Failure extends Error {
	/** What to do about it. */
	readonly advice: string;

	/** @param reason what happened, in the API's own words if there are any */
	constructor(
		reason: string,
		advice: string,
		readonly details: FailureDetails = {},
	) {
		// n8n takes an item with an empty `error` for a success.
		super(reason.trim() === '' ? 'No reason is known' : printable(reason));
		this.advice = printable(advice);
		this.name = 'Failure';
	}

	/** Returns the same failure with other advice or with more details. */
	with({ advice = this.advice, ...more }: FailureDetails & { advice?: string }): Failure {
		return new Failure(this.message, advice, { ...this.details, ...more });
	}
}

// The caller is not allowed to use the endpoint, or the community does not have it.
const DECLINED = [400, 403, 404, 405, 422];

/** Whether the API declined the request itself, so that a different one may succeed. */
export function isDeclined({ details }: Failure): boolean {
	return DECLINED.includes(details.httpCode ?? 0);
}

/** Returns undefined for the Failure of a request that is not essential. Throws anything else. */
export function ignoreFailure(error: unknown): undefined {
	if (!(error instanceof Failure)) throw error;
}

/** Whether the API reports that a record is gone. A 404 without its error body comes from something else. */
export function isGone(error: unknown): boolean {
	if (!(error instanceof Failure)) return false;
	const { httpCode, status, code } = error.details;
	return httpCode === 410 || (httpCode === 404 && (status === 'NOT_FOUND' || code !== undefined));
}

/** Turns anything that was thrown into a Failure. n8n's own errors keep their words. */
export function asFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	const { message, description } = (error ?? {}) as Partial<NodeApiError>;
	return new Failure(
		message ?? 'The node stopped for an unknown reason',
		description ||
			"Check the expressions in the node's parameters, and the credential. If both are right, tell your n8n administrator the time, so that they can check the log of n8n.",
	);
}

/** Combines several Failures into one. If one of them concerns every item, it is the cause of the others. */
export function combined(all: Failure[]): Failure {
	const cause = all.find(({ details }) => all.length === 1 || details.concernsEveryItem);
	if (cause) return cause;
	return new Failure(
		[...new Set(all.map(({ message }) => message))].join('. '),
		[...new Set(all.map(({ advice }) => advice))].join(' '),
	);
}

/** Waits for all. Throws anything that is not a Failure, or else all Failures combined. */
export async function allOf<T>(promises: Array<Promise<T>>): Promise<T[]> {
	const settled = await Promise.allSettled(promises);
	const thrown = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
	const other: unknown = thrown.find((each) => !(each instanceof Failure));
	if (other !== undefined) throw other;
	if (thrown.length > 0) throw combined(thrown as Failure[]);
	return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

// A node cannot find out n8n's version, but this method of the engine's object came with 2.40 (docs/decisions.md, E21).
const CAME_LATER = '_getRunlessCredentials';

/**
 * Returns the `json` of a failed item (docs/failures.md, "What happens next"; docs/decisions.md, E6). In the error
 * output, older versions of n8n take one with details for a success (E21), so the message ends with them.
 */
export function toItemJson(
	{ message, advice: whatToDo, details }: Failure,
	functions: Pick<FunctionsBase, 'getNode'>,
): IDataObject {
	const advice = sentences(whatToDo, details.link);
	if (functions.getNode().onError !== 'continueErrorOutput' || CAME_LATER in functions) {
		const present = SHOWN.filter((name) => details[name] !== undefined);
		const shown = Object.fromEntries(present.map((name) => [name, details[name]]));
		return { error: message, message: advice, ...(present.length > 0 && { details: shown }) };
	}
	const { httpCode, errorId } = details;
	const codes = [httpCode && `status ${httpCode}`, errorId && `reference ${errorId}`];
	const shown = codes.filter(Boolean).join(', ');
	return { error: message, message: shown ? `${advice} (${shown})` : advice };
}

/**
 * Returns the error that ends a run, with the reason as its message and the advice as its description. n8n's own errors
 * are thrown themselves, because the editor reads their context (docs/decisions.md, E38).
 *
 * @param form `changed`: sentences about what was changed; `isNamed`: the message names the item, counted from one;
 * `isOnly`: there is no other item
 */
export function toNodeError(
	thrown: unknown,
	node: INode,
	itemIndex?: number,
	form: { changed?: string[]; isNamed?: boolean; isOnly?: boolean } = {},
): Error {
	const { changed = [], isNamed, isOnly = false } = form;
	const failure = asFailure(thrown);
	const { details } = failure;
	const message = failure.message + (isNamed ? ` (item ${(itemIndex ?? 0) + 1})` : '');
	if (isOfN8n(thrown)) return withItem(Object.assign(thrown, { message }), isOnly, itemIndex);
	const error = new NodeApiError(node, { message, ...details } as never, {
		message,
		description: sentences(withoutMarkup(adviceOf(failure, changed)), details.link),
		httpCode: details.httpCode?.toString(),
		itemIndex,
	});
	// n8n replaces a message that contains the code of a connection error with its own text, and older versions leave out
	// a declared cause.
	Object.assign(error, { message, failure: details.declared });
	return withItem(error, isOnly, itemIndex);
}

/** Returns the advice of a failure, and after it what was changed. */
export function adviceOf({ advice }: Failure, changed: string[] = []): string {
	return sentences(advice, ...changed.filter((sentence) => !advice.startsWith(sentence)));
}

/** Joins sentences, leaving out what is not there. */
export function sentences(...all: Array<string | undefined>): string {
	return all.filter((each) => each !== undefined).join(' ');
}

function isOfN8n(error: unknown): error is Pick<NodeApiError, keyof Error | 'context'> {
	return error instanceof Error && 'context' in error;
}

// An error workflow gets only enumerable properties. With several items, the editor would add "[item 5]", counted from
// zero, to a message that says "(item 6)".
function withItem(
	error: Pick<NodeApiError, keyof Error | 'context'>,
	enumerable: boolean,
	value?: number,
): Error {
	Object.defineProperty(error.context, 'itemIndex', { value, enumerable });
	return error;
}

const UNPRINTABLE = /(?![\t\n\r])[\p{Cc}\uFFFD]/gu;

/** Returns a text without control characters and replacement characters. */
export function printable(text: string): string {
	return text.replace(UNPRINTABLE, ' ');
}

/** Returns the beginning of a text, long enough to recognise it, with an ellipsis if it is cut off. */
export function shortened(whole: string): string {
	return beginningOf(whole, 60);
}

/** Returns at most so many characters of a text, with an ellipsis if it is cut off. */
export function beginningOf(whole: string, most: number): string {
	// Split into characters, because half of a surrogate pair is not valid text.
	const shown = [...whole.slice(0, 2 * most)].slice(0, most).join('');
	return shown.length < whole.length ? `${shown}…` : whole;
}

/** Returns the shortened text in quotation marks, without white space around it. */
export function quoted(text: string): string {
	return `'${shortened(text.trim())}'`;
}

const MAX_IDS_SHOWN = 10;

/** Lists the first IDs, and how many more there are. */
export function firstOf(ids: string[], most = MAX_IDS_SHOWN): string {
	const shown = ids.slice(0, most).join(', ');
	return ids.length > most ? `${shown} and ${ids.length - most} more` : shown;
}
