import type { FunctionsBase, IDataObject, INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { inWords, isDetailsForSuccess } from './errorOutput';
import { Failure } from './failure';

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
		description || 'Check the parameters of the node and its credential.',
	);
}

/**
 * A failed item for the two "Continue" settings (contract, "What an item looks like"). There is no
 * `.error` beside it: with one, n8n keeps nothing else (design, engine fact 6).
 *
 * @param functions what the node runs on: an older n8n takes no details in the error output, so there
 * the advice ends with the most important of them
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

/**
 * What ends a run: the API's reason as the message, what to do as the description.
 *
 * @param failure with its `backOff` for n8n's polls; versions before 2.4x pass over that
 * @param node the node that shows it
 * @param itemIndex the input item it happened at
 * @param applied how many items were done by then; left out where nothing is applied item by item
 */
export function toNodeApiError(
	{ message, advice, details, backOff }: Failure,
	node: INode,
	itemIndex?: number,
	applied?: number,
): NodeApiError {
	const description = [advice, ...appliedInWords(applied)].join(' ');
	const response = { message, ...known(details as IDataObject) };
	const error = new NodeApiError(node, response as never, {
		message,
		description,
		httpCode: details.httpCode?.toString(),
		itemIndex,
		failure: backOff,
	});
	// n8n puts a text of its own in its place where it finds the code of a connection in it.
	error.message = message;
	return error;
}

function appliedInWords(applied?: number): string[] {
	if (applied === undefined) return [];
	return [applied === 0 ? 'Nothing was changed.' : `Items already applied: ${applied}.`];
}

function known(details: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
