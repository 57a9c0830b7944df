import type { FunctionsBase, IDataObject, INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { inWords, isDetailsForSuccess } from './errorOutput';
import { Failure } from './failure';

const SET_BY_PERSON = /\bthe credential\b|\bunder Options\b|\brequest options\b/;

/**
 * @param error anything that was thrown
 * @returns a Failure with a text for the user; n8n's own errors keep their message
 */
export function asFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	const { message, description } = (error ?? {}) as {
		message?: string;
		description?: string | null;
	};
	return new Failure(
		message ?? 'Something unexpected happened',
		description || 'Check the parameters of the node and the credential.',
	);
}

/**
 * A failed item for the two "Continue" settings (docs/failures.md, "What happens next"). There is no
 * `.error` beside it: with one, n8n keeps nothing else (docs/decisions.md, E6).
 *
 * @param functions of the node: an older n8n takes no details in the error output, so the advice ends with the most
 * important ones there
 */
export function toItemJson(
	{ message, advice, details }: Failure,
	functions: Pick<FunctionsBase, 'getNode'>,
): IDataObject {
	if (isDetailsForSuccess(functions)) {
		return { error: message, message: [advice, inWords(details)].filter(Boolean).join(' ') };
	}
	return { error: message, message: advice, details: known(details as IDataObject) };
}

/** How many items of a run have changed something. */
export interface Progress {
	/** Items that were applied. */
	applied: number;
	/** Items that may have been applied. */
	uncertain: number;
}

/**
 * The error that ends a run: the API's reason as the message, what to do as the description.
 *
 * @param failure its `backOff` is for n8n's polls; older versions ignore it
 * @param node the node that shows it
 * @param itemIndex the input item it happened at
 * @param told `progress`: what was changed by then, left out where items change nothing; `isTool`: a model is told,
 * which on some roads sees the message alone (docs/decisions.md, E24)
 */
export function toNodeApiError(
	failure: Failure,
	node: INode,
	itemIndex?: number,
	{ progress, isTool = false }: { progress?: Progress; isTool?: boolean } = {},
): NodeApiError {
	const { message, advice, details, backOff } = failure;
	const description = [advice, ...changedInWords(failure, progress)].join(' ');
	const response = { message, ...known(details as IDataObject) };
	const error = new NodeApiError(node, response as never, {
		message,
		description,
		httpCode: details.httpCode?.toString(),
		itemIndex,
		failure: backOff,
	});
	// n8n replaces a message that contains the code of a connection error with a text of its own.
	error.message = message;
	if (isTool) {
		const changed = changedInWords(failure, progress);
		error.message = [...changed, sentence(message), adviceForModel(advice)]
			.filter(Boolean)
			.join(' ');
		// Where n8n passes it on, it would say the advice twice.
		error.description = null;
	}
	return error;
}

// What a person has set, a model can only pass on.
function adviceForModel(advice: string): string {
	return SET_BY_PERSON.test(advice) ? `Tell the person who set up this tool: ${advice}` : advice;
}

// "Nothing" only if nothing was sent, or every answer was a refusal.
function changedInWords({ isUncertain }: Failure, progress?: Progress): string[] {
	if (!progress) return [];
	const { applied, uncertain } = progress;
	if (applied === 0 && uncertain === 0) return ['Nothing was changed.'];
	const others = isUncertain ? uncertain - 1 : uncertain;
	return [
		...(applied > 0 ? [`Items already applied: ${applied}.`] : []),
		...(others > 0 ? [`Items that may have been applied as well: ${others}.`] : []),
	];
}

function sentence(text: string): string {
	return /[.!?:]$/.test(text) ? text : `${text}.`;
}

function known(details: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
