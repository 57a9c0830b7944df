/** What the items of a run add to, for the hints after it. */
export class RunSummary {
	/** Items whose listing ended at its limit although there may be more records. */
	atLimit = 0;
	listings = 0;
	empty = 0;
	/** Items of a dry run, by action. */
	readonly planned = { create: 0, update: 0, none: 0 };
	/** Labels of fields that a dry run would set and the API does not show. */
	readonly notShown = new Set<string>();
	/** Items for which "Skip Unchanged" sent nothing. */
	unchanged = 0;
	hadTheRole = 0;
	/** How the role of the API key's owner changed, by names of roles. */
	ownRole?: { from: string; to: string };
	/** Members that were read to find some by their email addresses. */
	searchedByEmail = 0;
	readonly ofOperation = new Set<string>();
	/** Labels of fields that an update did not set, because their expressions had no result. */
	readonly gaveNothing = new Set<string>();
	/** Labels of fields that an update may have cleared, because the API does not show them. */
	readonly cleared = new Set<string>();
}

/**
 * The hints beside the output of a run: what happened and what to do; none if there is nothing to report.
 *
 * @param throttled sentences about retries and pauses, one for each API
 */
export function hintsOf(
	notes: RunSummary,
	throttled: string[],
	run: { total: number; applied: number; verb: string },
): string[] {
	const { atLimit, listings, empty, notShown, ownRole, searchedByEmail, gaveNothing, cleared } =
		notes;
	const { create, update, none } = notes.planned;
	const planned = create + update + none;
	const owner = ({ from, to }: NonNullable<RunSummary['ownRole']>) =>
		asText(planned ? `'${from}' would become '${to}'` : `it was '${from}' and is now '${to}'`);
	const lost = planned ? 'would be cleared if they are set' : 'may have been cleared';
	return [
		...throttled,
		atLimit > 0 && "There may be more than 'Limit' allows: raise it to get more.",
		listings > 0 &&
			empty === listings &&
			'Nothing was found. Check what you filter or search by, if anything.',
		planned ? plannedInWords(notes, planned) : appliedInWords(notes, run),
		ownRole && `The owner of this API key is among those whose role changes: ${owner(ownRole)}.`,
		notShown.size > 0 &&
			`The API does not show ${quotedList(notShown)}: the current value is not known, and "from" is null.`,
		searchedByEmail > 0 &&
			`${searchedByEmail} members were read to look for email addresses, because the API has no search by them. A later run finds at once who was seen.`,
		...notes.ofOperation,
		gaveNothing.size > 0 &&
			`The expression in ${quotedList(gaveNothing)} gave nothing for at least one item, so the node did not set it there: the field is empty in the input, or has another name.`,
		cleared.size > 0 &&
			`${quotedList(cleared)} ${lost}: the API does not show them, so the node cannot keep them. Give them under 'Update Fields' to set them.`,
	].filter((hint) => typeof hint === 'string');
}

function appliedInWords(
	{ unchanged, hadTheRole }: RunSummary,
	{ total, applied, verb }: { total: number; applied: number; verb: string },
): string | undefined {
	if (total === 1 && unchanged === 1) return 'It needed no change: nothing was sent.';
	if (total === 1 || applied + unchanged === 0) return undefined;
	const same = unchanged > 0 ? ` ${unchanged} needed no change.` : '';
	const had = hadTheRole > 0 ? ` ${hadTheRole} had the role already.` : '';
	return `${applied - hadTheRole} of ${total} ${verb}.${same}${had}`;
}

function plannedInWords({ planned }: RunSummary, total: number): string {
	const { create, update } = planned;
	const created = `${create} of ${total} would be created`;
	const updated = `${update}${create > 0 ? '' : ` of ${total}`} would be updated`;
	const parts = create === 0 ? updated : update === 0 ? created : `${created}, ${updated}`;
	return `Dry run: nothing was changed. ${parts}.`;
}

/** A text for a hint: n8n shows hints as HTML, and what the API gave may hold any sign. */
export function asText(given: string): string {
	return given.replace(/[<>&]/g, ' ');
}

function quotedList(labels: Set<string>): string {
	return [...labels].map((label) => `'${label}'`).join(', ');
}
