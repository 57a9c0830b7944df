import { shortened } from '../../shared/transport';

/** What the items of a run add to, for the hints after it. */
export class Notes {
	/** Items whose listing ended at its limit although there may be more records. */
	atLimit = 0;
	/** Listings that were read, and how many of them were empty. */
	listings = 0;
	empty = 0;
	/** Items of a dry run, by action. */
	readonly planned = { create: 0, update: 0, none: 0 };
	/** Labels of fields that a dry run would set and the API does not show. */
	readonly notShown = new Set<string>();
	/** Items for which "Skip Unchanged" sent nothing. */
	unchanged = 0;
	/** Members whose role was set to the one that they had. */
	hadTheRole = 0;
	/** How the role of the API key's owner changed, by names of roles. */
	ownRole?: { from: string; to: string };
	/** Members that were read to find some by their email addresses. */
	searchedByEmail = 0;
	/** Hints of the operation itself. */
	readonly ofOperation = new Set<string>();
	/** Labels of fields that an update did not set, because their expressions had no result. */
	readonly gaveNothing = new Set<string>();
	/** Labels of fields that an update may have cleared, because the API does not show them. */
	readonly cleared = new Set<string>();
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
	/** Whether they go to the error output. */
	isApart: boolean;
}

/** The hint about failed items: n8n's table shows the reasons only in its last columns. */
export function hintOfFailed({ count, total, reason, isUnchanged, isApart }: FailedItems): string {
	const where = isApart ? 'see the Error Branch' : 'see the column error';
	const shown = shortened(asText(reason)).replace(/\.$/, '');
	const changed = isUnchanged ? ' Nothing was changed for them.' : '';
	return `${count} of ${total} ${total === 1 ? 'item' : 'items'} failed: ${where}. The first reason: ${shown}.${changed}`;
}

/**
 * The hints beside the output of a run.
 *
 * @param notes of the run's items
 * @param throttled sentences about retries and pauses, one for each API
 * @param run how many items there are, for how many something was changed, and what that is called
 * @returns sentences that say what happened and what to do; none for a run without anything to report
 */
export function hintsOf(
	notes: Notes,
	throttled: string[],
	run: { total: number; applied: number; verb: string },
): string[] {
	const { atLimit, listings, empty, notShown, gaveNothing, cleared } = notes;
	const isDryRun = plannedOf(notes) > 0;
	const hints = [...throttled];
	if (atLimit > 0) {
		hints.push("There may be more than 'Limit' allows: raise it to get more.");
	}
	if (listings > 0 && empty === listings) {
		hints.push('Nothing was found. Check what you filter or search by, if anything.');
	}
	if (isDryRun) hints.push(plannedInWords(notes, run.applied));
	else hints.push(...appliedInWords(notes, run));
	if (notes.ownRole) {
		const { from, to } = notes.ownRole;
		const how = isDryRun ? `'${from}' would become '${to}'` : `it was '${from}' and is now '${to}'`;
		hints.push(`The owner of this API key is among those whose role changes: ${asText(how)}.`);
	}
	if (notShown.size > 0) {
		hints.push(
			`The API does not show ${quotedList(notShown)}: the current value is not known, and "from" is null.`,
		);
	}
	if (notes.searchedByEmail > 0) {
		hints.push(
			`Found by reading ${notes.searchedByEmail} members, because the API has no search by email address. Who was found is known for ten minutes.`,
		);
	}
	hints.push(...notes.ofOperation);
	if (gaveNothing.size > 0) {
		hints.push(
			`The expression in ${quotedList(gaveNothing)} gave nothing for at least one item, so the node did not set it there: the field is empty in the input, or has another name.`,
		);
	}
	if (cleared.size > 0) {
		const what = isDryRun ? 'would be cleared if they are set' : 'may have been cleared';
		hints.push(
			`${quotedList(cleared)} ${what}: the API does not show them, so the node cannot keep them. Give them under 'Update Fields' to set them.`,
		);
	}
	return hints;
}

function appliedInWords(
	{ unchanged, hadTheRole }: Notes,
	{ total, applied, verb }: { total: number; applied: number; verb: string },
): string[] {
	if (total === 1 && unchanged === 1) {
		return ['It was as it should be already: nothing was sent for it.'];
	}
	if (total === 1 || applied + unchanged === 0) return [];
	const same = 'as they should be already: nothing was sent for them.';
	return [
		[
			`${applied} of ${total} ${verb}.`,
			...(unchanged > 0 ? [`${unchanged} ${unchanged === 1 ? 'was' : 'were'} ${same}`] : []),
			...(hadTheRole > 0 ? [`${hadTheRole} had the role already.`] : []),
		].join(' '),
	];
}

function plannedOf({ planned: { create, update, none } }: Notes): number {
	return create + update + none;
}

function plannedInWords(notes: Notes, applied: number): string {
	const { create, update } = notes.planned;
	const total = plannedOf(notes);
	const ofAll = applied > 0 ? ` for ${total} of ${total + applied}` : '';
	const created = `${create} of ${total} would be created`;
	const updated = `${update}${create > 0 ? '' : ` of ${total}`} would be updated`;
	const parts = create === 0 ? updated : update === 0 ? created : `${created}, ${updated}`;
	return `Dry run: nothing was changed${ofAll}. ${parts}.`;
}

// n8n shows hints as HTML, and what the API gave may hold any sign.
function asText(given: string): string {
	return given.replace(/[<>&]/g, ' ');
}

function quotedList(labels: Set<string>): string {
	return [...labels].map((label) => `'${label}'`).join(', ');
}
