import { shortened } from '../../shared/failure';

/** What a run did: its items add to it, and what the user is told of the run is read from it. */
export class RunSummary {
	/** Items that changed something. */
	applied = 0;
	/** Failed items that may have changed something. */
	uncertain = 0;
	/** Items whose listing ended at its limit although there may be more records. */
	atLimit = 0;
	listings = 0;
	empty = 0;
	/** Items that asked for the same list as one before. */
	repeated = 0;
	/** Items of a dry run, by action. */
	readonly planned = { create: 0, update: 0, none: 0 };
	/** Labels of fields that a dry run would set and the API does not show. */
	readonly notShown = new Set<string>();
	/** Items for which "Skip Unchanged" sent nothing. */
	unchanged = 0;
	hadTheRole = 0;
	/** How the role of the API key's owner changed, by names of roles. */
	ownRole?: { from: string; to: string };
	readonly ofOperation = new Set<string>();
	/** Labels of fields that an update did not set, because their expressions had no result. */
	readonly gaveNothing = new Set<string>();
	/** Labels of fields that an update may have cleared, because the API does not show them. */
	readonly cleared = new Set<string>();

	/**
	 * The hints beside the output: what happened and what to do; none if there is nothing to report.
	 *
	 * @param throttled sentences about retries and pauses, one for each API
	 * @param searched how many members were read because of their email addresses
	 * @param verb of what the items did, e.g. "created"
	 */
	hints(throttled: string[], searched: number, total: number, verb: string): string[] {
		const { notShown, ownRole, gaveNothing, cleared } = this;
		const { create, update, none } = this.planned;
		const planned = create + update + none;
		const owner = ({ from, to }: NonNullable<RunSummary['ownRole']>) =>
			asText(planned ? `'${from}' would become '${to}'` : `it was '${from}' and is now '${to}'`);
		const lost = planned ? 'would be cleared if they are set' : 'may have been cleared';
		return [
			...throttled,
			this.atLimit > 0 && "There may be more than 'Limit' allows: raise it to get more.",
			this.listings > 0 &&
				this.empty === this.listings &&
				'Nothing was found. Check what you filter or search by, if anything.',
			this.repeated > 0 &&
				"Several items asked for the same list, so the output holds it for each of them. To get it once, open Settings and turn on 'Execute Once'.",
			planned ? this.plannedInWords(planned) : this.appliedInWords(total, verb),
			ownRole && `The owner of this API key is among those whose role changes: ${owner(ownRole)}.`,
			notShown.size > 0 &&
				`The API does not show ${quotedList(notShown)}: the current value is not known, and "from" is null.`,
			searched > 0 &&
				`${searched} members were read to look for email addresses, because the API has no search by them. A later run finds at once who was seen.`,
			...this.ofOperation,
			gaveNothing.size > 0 &&
				`The expression in ${quotedList(gaveNothing)} gave nothing for at least one item, so the node did not set it there: the field is empty in the input, or has another name.`,
			cleared.size > 0 &&
				`${quotedList(cleared)} ${lost}: the API does not show them, so the node cannot keep them. Give them as well to set them.`,
		].filter((hint) => typeof hint === 'string');
	}

	/** The hint about failed items, because n8n's table shows the reasons only in its last columns; none if there are none. */
	hintsOfFailed(reasons: string[], items: number, isApart: boolean, isWriting: boolean): string[] {
		if (reasons.length === 0) return [];
		const where = isApart ? 'see the Error Branch' : 'see the column error';
		const reason = shortened(asText(reasons[0])).replace(/\.$/, '');
		const changed = isWriting && this.uncertain === 0 ? ' Nothing was changed for them.' : '';
		return [
			`${reasons.length} of ${items} ${items === 1 ? 'item' : 'items'} failed: ${where}. The first reason: ${reason}.${changed}`,
		];
	}

	/**
	 * What was changed by the time a failure ended the run. "Nothing" only if nothing was sent, or every answer was a
	 * refusal.
	 *
	 * @param isUncertain whether the item that failed may have changed something
	 * @param concernsEveryItem whether any item would have failed
	 */
	whatChanged(total: number, isUncertain: boolean, concernsEveryItem?: boolean): string[] {
		const { applied } = this;
		const others = this.uncertain - Number(isUncertain);
		const hasRest = applied + others < total - 1;
		const isUnchanged = applied === 0 && this.uncertain === 0;
		return [
			isUnchanged && 'Nothing was changed.',
			applied > 0 && `Items already applied: ${applied}.`,
			others > 0 && `Items that may have been applied as well: ${others}.`,
			hasRest && !isUnchanged && 'The rest was not carried out.',
			hasRest &&
				!concernsEveryItem &&
				"To get the others, open Settings and set 'On Error' to 'Continue (using error output)'.",
		].filter((sentence) => typeof sentence === 'string');
	}

	private appliedInWords(total: number, verb: string): string | undefined {
		const { applied, unchanged, hadTheRole } = this;
		if (total === 1 && unchanged === 1) return 'It needed no change: nothing was sent.';
		if (total === 1 || applied + unchanged === 0) return undefined;
		const same = unchanged > 0 ? ` ${unchanged} needed no change.` : '';
		const had = hadTheRole > 0 ? ` ${hadTheRole} had the role already.` : '';
		return `${applied - hadTheRole} of ${total} ${verb}.${same}${had}`;
	}

	private plannedInWords(total: number): string {
		const { create, update } = this.planned;
		const created = `${create} of ${total} would be created`;
		const updated = `${update}${create > 0 ? '' : ` of ${total}`} would be updated`;
		const parts = create === 0 ? updated : update === 0 ? created : `${created}, ${updated}`;
		return `Dry run: nothing was changed. ${parts}.`;
	}
}

/** A text for a hint: n8n shows hints as HTML, and what the API gave may hold any sign. */
function asText(given: string): string {
	return given.replace(/[<>&]/g, ' ');
}

function quotedList(labels: Set<string>): string {
	return [...labels].map((label) => `'${label}'`).join(', ');
}
