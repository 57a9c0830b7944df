import type { INode } from 'n8n-workflow';
import { adviceOf, asFailure, sentences, toNodeError } from '../../shared/failure';
import type { RecordType } from '../../shared/records/types';
import { AT_LIMIT, type RunSummary } from '../execute/summary';

/** The fields of the simplified form: HTML instead of plain text, so that a model can correct it, and no pictures. */
export function simplifiedForModel({ simplified = [] }: RecordType): string[] {
	const withContent = simplified.map((each) => (each === 'clean_text' ? 'content' : each));
	return [...new Set(withContent)].filter((field) => field !== 'user_avatar');
}

/** The hints of a run, which a model gets as items. */
export function hintsForModel(hints: string[], { atLimit }: RunSummary, total: number): string[] {
	// For one item, the editor has a hint of its own.
	return atLimit > 0 && total === 1 ? [AT_LIMIT, ...hints] : hints;
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
