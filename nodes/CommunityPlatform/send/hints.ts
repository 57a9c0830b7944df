import { shortened } from '../../shared/failures/quote';
import type { Input } from '../operation/input';

const MORE = 'There may be more than "Limit" allows: raise it, or turn on "Return All".';

/** What the user and n8n's tracing are told after a run. */
export class Notes {
	/** Pages that were read. */
	pages = 0;
	/** Items whose listing ended at its limit although there may be more. */
	atLimit = 0;
	/** Listings that were read, and how many of them gave nothing. */
	listings = 0;
	empty = 0;
	/** Items for which something was changed. */
	applied = 0;
	/** Items of a dry run, by what would be done. */
	readonly planned = { create: 0, update: 0, none: 0 };
	/** Labels of what a dry run would set and the API does not show. */
	readonly notShown = new Set<string>();
	/** Items that "Skip Unchanged" has compared: those that were sent, and those that were not. */
	changed = 0;
	unchanged = 0;
	/** What the operation says of itself. */
	readonly ofOperation = new Set<string>();
	/** Labels of fields that an update did not set, because their expressions gave nothing. */
	readonly gaveNothing = new Set<string>();
	/** Labels of fields that an update has let be cleared, because the API does not show them. */
	readonly cleared = new Set<string>();
	/** Labels of fields that the API does not show and that were given as empty. */
	readonly emptied = new Set<string>();
}

/** The items of an output that failed. */
export interface FailedItems {
	count: number;
	/** How many items there are. */
	total: number;
	/** Why the first one failed. */
	reason: string;
}

/**
 * What is shown above the items of a run in which some failed: n8n's table puts the reason into its last columns.
 *
 * @param isApart whether failed items leave by the error output
 */
export function hintOfFailed({ count, total, reason }: FailedItems, isApart: boolean): string {
	const where = isApart ? 'see the Error Branch' : 'see the column error';
	// n8n shows hints as HTML, and the reason is the API's.
	const shown = shortened(reason.replace(/[<>&]/g, ' ')).replace(/\.$/, '');
	return `${count} of ${total} ${total === 1 ? 'item' : 'items'} failed: ${where}. The first reason: ${shown}.`;
}

/**
 * What is shown beside the output of a run; nothing for one that went smoothly.
 *
 * @param notes what the items have noted
 * @param throttled how each API could not keep up, if it could not
 * @param argumentFor set where a model is told, see `Input.argumentFor`
 * @returns sentences that say what happened and what to do
 */
export function hintsOf(
	notes: Notes,
	throttled: string[],
	argumentFor?: Input['argumentFor'],
): string[] {
	const hints: string[] = [];
	for (const how of throttled) {
		hints.push(`The API slowed this run down: ${how}. To wait less, run it at a quieter time.`);
	}
	if (notes.atLimit > 0) {
		hints.push(argumentFor ? moreForModel(argumentFor) : MORE);
	}
	if (notes.listings > 0 && notes.empty === notes.listings) {
		hints.push('Nothing was found. Check what you filter or search by, if anything.');
	}
	hints.push(...plannedInWords(notes));
	if (notes.notShown.size > 0) {
		hints.push(
			`The API does not show ${quotedList(notes.notShown)}: what they hold now is not known, and given as null.`,
		);
	}
	if (notes.unchanged > 0) {
		hints.push(
			`${notes.unchanged} of ${notes.changed + notes.unchanged} were as they should be already: nothing was sent for them.`,
		);
	}
	hints.push(...notes.ofOperation);
	if (notes.gaveNothing.size > 0) {
		hints.push(
			`The expression in ${quotedList(notes.gaveNothing)} gave nothing for at least one item, so the node did not set it there. Check the field's name in the input.`,
		);
	}
	// A model says that a field is to be empty in so many words.
	if (notes.emptied.size > 0 && !argumentFor) {
		const done = isDryRun(notes) ? 'Would be set' : 'Set';
		hints.push(`${done} to empty, as given: ${quotedList(notes.emptied)}.`);
	}
	if (notes.cleared.size > 0) {
		hints.push(
			`${quotedList(notes.cleared)} ${isDryRun(notes) ? 'would be cleared if they are set' : 'may have been cleared'}: the API does not show them, so the node cannot keep them.${argumentFor ? '' : ' Give them under "Update Fields" to set them.'}`,
		);
	}
	return hints;
}

function moreForModel(argumentFor: NonNullable<Input['argumentFor']>): string {
	const limit = argumentFor('limit');
	return limit === undefined
		? 'There may be more than these, which are as many as this tool gives.'
		: `There may be more than these: call again with a higher ${limit}.`;
}

function isDryRun({ planned: { create, update, none } }: Notes): boolean {
	return create + update + none > 0;
}

function plannedInWords(notes: Notes): string[] {
	if (!isDryRun(notes)) return [];
	const { create, update, none } = notes.planned;
	const total = create + update + none;
	const ofAll = notes.applied > 0 ? ` for ${total} of ${total + notes.applied}` : '';
	const created = create > 0 ? `${create} of ${total} would be created` : '';
	const updated =
		create > 0 ? `${update} would be updated` : `${update} of ${total} would be updated`;
	const parts = [created, create === 0 || update > 0 ? updated : ''].filter(Boolean);
	return [`Dry run: nothing was changed${ofAll}. ${parts.join(', ')}.`];
}

function quotedList(labels: Set<string>): string {
	return [...labels].map((label) => `"${label}"`).join(', ');
}
