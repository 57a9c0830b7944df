import type { IDataObject, INode } from 'n8n-workflow';
import { adviceOf, asFailure, sentences, toNodeError } from '../../shared/failure';
import type { RecordType } from '../../shared/records/types';
import { AT_LIMIT, type Notes } from '../run/notes';

/** The fields of the simplified form: HTML instead of plain text, so that a model can correct it, and no pictures. */
export function simplifiedForModel({ simplified = [] }: RecordType): string[] {
	const withContent = simplified.map((each) => (each === 'clean_text' ? 'content' : each));
	return [...new Set(withContent)].filter((field) => field !== 'user_avatar');
}

/** The hints of a run as items, because a model sees only these. */
export function itemsOfHints(hints: string[], notes: Notes, total: number): IDataObject[] {
	// For one item, the editor has a hint of its own.
	const isCut = notes.count('atLimit') > 0 && total === 1;
	return [...(isCut ? [AT_LIMIT] : []), ...hints].map((hint) => ({ hint }));
}

/** Returns the error that ends a run. Its message contains the advice, because a model may see nothing else (docs/decisions.md, E24). */
export function toToolError(
	thrown: unknown,
	node: INode,
	itemIndex: number,
	form: Parameters<typeof toNodeError>[3],
): Error {
	// Even for n8n's own error, whose advice would be lost.
	const failure = asFailure(thrown);
	const error = toNodeError(failure, node, itemIndex, form);
	const reason = /[.!?:]$/.test(error.message) ? error.message : `${error.message}.`;
	const message = sentences(reason, adviceOf(failure, form?.changed), failure.details.link);
	// If n8n passes the description on, the advice would appear twice.
	return Object.assign(error, { message, description: null });
}
