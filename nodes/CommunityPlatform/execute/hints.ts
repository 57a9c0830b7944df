import { shortened } from '../../shared/transport/failure';
import type { Input } from '../input/input';

const MORE = 'There may be more than "Limit" allows: raise it, or turn on "Return All".';

/** What hints and tracing rest on; the items of a run add to it. */
export class Notes {
	/** Pages that were read. */
	pages = 0;
	/** Items whose listing ended at its limit although there may be more records. */
	atLimit = 0;
	/** Listings that were read, and how many of them were empty. */
	listings = 0;
	empty = 0;
	/** Items for which something was changed. */
	applied = 0;
	/** Items of a dry run, by action. */
	readonly planned = { create: 0, update: 0, none: 0 };
	/** Labels of fields that a dry run would set and the API does not show. */
	readonly notShown = new Set<string>();
	/** Items compared by "Skip Unchanged": sent, and not sent. */
	changed = 0;
	unchanged = 0;
	/** Hints of the operation itself. */
	readonly ofOperation = new Set<string>();
	/** Labels of fields that an update did not set, because their expressions had no result. */
	readonly gaveNothing = new Set<string>();
	/** Labels of fields that an update may have cleared, because the API does not show them. */
	readonly cleared = new Set<string>();
	/** Labels of fields that the API does not show and that were set to empty. */
	readonly emptied = new Set<string>();
}

/** The failed items of an output. */
export interface FailedItems {
	count: number;
	/** How many items there are. */
	total: number;
	/** Why the first one failed. */
	reason: string;
	/** Whether a change was certainly not made for any of them. */
	isUnchanged: boolean;
}

/**
 * The hint about failed items: n8n's table shows the reasons only in its last columns.
 *
 * @param isApart whether failed items go to the error output
 */
export function hintOfFailed(
	{ count, total, reason, isUnchanged }: FailedItems,
	isApart: boolean,
): string {
	const where = isApart ? 'see the Error Branch' : 'see the column error';
	// n8n shows hints as HTML, and the reason is the API's.
	const shown = shortened(reason.replace(/[<>&]/g, ' ')).replace(/\.$/, '');
	const changed = isUnchanged ? ' Nothing was changed for them.' : '';
	return `${count} of ${total} ${total === 1 ? 'item' : 'items'} failed: ${where}. The first reason: ${shown}.${changed}`;
}

/**
 * The hints beside the output of a run.
 *
 * @param notes of the run's items
 * @param throttled throttle reports, one for each API that slowed the run down
 * @param argumentFor set if the hints are for a model, see `Input.argumentFor`
 * @returns sentences that say what happened and what to do; none for a run without anything to report
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
			`The API does not show ${quotedList(notes.notShown)}: the present value is not known, and "from" is null.`,
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
	// A model clears a field only explicitly, so it needs no hint.
	if (notes.emptied.size > 0 && !argumentFor) {
		const after = isDryRun(notes) ? 'Would be empty after the update' : 'Empty after the update';
		hints.push(`${after}, as given: ${quotedList(notes.emptied)}.`);
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
