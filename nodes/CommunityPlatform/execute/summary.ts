import { firstOf, quoted } from '../../shared/failure';
import { counted, withoutMarkup } from '../../shared/text';
import type { Operation } from '../actions/operation';

/** The hint about a list that ended at its limit. */
export const AT_LIMIT =
	"There may be more records than 'Limit' allows. To get them, raise 'Limit'.";

/** What a run did. Its items add to it, and the hints are made from it. */
export class RunSummary {
	/** Items that changed something. */
	applied = 0;
	/** Those that created a record, if the operation can also update one. */
	created = 0;
	/** Failed items that may have changed something. */
	uncertain = 0;
	/** Items whose listing ended at its limit although there may be more records. */
	atLimit = 0;
	listings = 0;
	empty = 0;
	/** Items that requested the same list as an earlier item. */
	repeated = 0;
	/** Items of a dry run, by action. */
	readonly planned = { create: 0, update: 0, none: 0 };
	/** Labels of fields that a dry run would set and that the API does not return. */
	readonly notReturned = new Set<string>();
	/** Items for which nothing was sent, because the record had these values. */
	unchanged = 0;
	/** Items whose record existed, so that nothing was created or changed. */
	existing = 0;
	/** Members who got the role that they had. */
	sameRole = 0;
	/** How many members got another role, or would get it, by the old and the new one. */
	readonly newRoles = new Map<string, number>();
	/** The names or IDs of members that the community does not have, and that were left out, with similar names. */
	readonly notFound = new Set<string>();
	/** Items that were left out, because the cell of their member is empty. */
	emptyCells = 0;
	/** Members who kept their role, because "Only If Role Is" does not include it, e.g. "ada_l stays Admin". */
	readonly keptRoles: string[] = [];
	/** Names of boards whose members were changed, although everyone can use the board. */
	readonly openBoards = new Set<string>();
	readonly ofOperation = new Set<string>();
	/** Labels of fields that were left out of at least one item, because they had no value there. */
	readonly gaveNothing = new Set<string>();
	/** Labels of fields that an update may have cleared, because the API does not return them. */
	readonly cleared = new Set<string>();
	/** For each API, a sentence about retries and pauses, if there were any. */
	readonly throttled: Array<string | undefined> = [];
	/** How many members were read because of their email addresses. */
	searched = 0;

	/**
	 * The hints beside the output, if there is anything to report. `isSame`: no parameter has an expression, so the items do
	 * not differ.
	 */
	hints(total: number, operation: Operation, isSame: boolean): string[] {
		const { notReturned, gaveNothing, cleared } = this;
		const { create, update, none } = this.planned;
		const planned = create + update + none;
		const [clears, toKeep] = planned
			? ['could clear', 'To keep them']
			: ['may have cleared', "Check them in the member's profile. To keep them next time"];
		return [
			...this.throttled,
			// For one item, the editor has a hint of its own.
			this.atLimit > 0 && total > 1 && AT_LIMIT,
			this.listings > 0 &&
				this.empty === this.listings &&
				'No records matched. If you expected some, check the values that you entered.',
			this.repeated > 0 &&
				"Several items requested the same list, so the output contains it once for each of them. To get it only once, open Settings and turn on 'Execute Once'.",
			planned ? this.plannedInWords(total, operation) : this.appliedInWords(total, operation),
			isSame &&
				this.applied + create > 1 &&
				isPlainCreate(operation) &&
				`${total} items make ${total} ${createdBy(operation)}. To write one, open Settings and turn on 'Execute Once'.`,
			...this.ofMembers(),
			notReturned.size > 0 &&
				`The API does not return ${quotedList(notReturned)}, so 'from' is empty (null) even if there is a current value.`,
			...this.ofOperation,
			gaveNothing.size > 0 &&
				`At least one item has no value for ${quotedList(gaveNothing)}, so the node did not set it there. If you expected a value, check the field's name in the input.`,
			cleared.size > 0 &&
				`The update ${clears} ${quotedList(cleared)}, because the API does not return these fields. ${toKeep}, enter their current values as well.`,
		].filter((hint) => typeof hint === 'string');
	}

	private ofMembers(): Array<string | false | undefined> {
		return [
			this.notFound.size > 0 &&
				withoutMarkup(
					`${counted(this.notFound.size, 'member was', 'members were')} not found, so the node left them out: ${firstOf([...this.notFound])}. Check the spelling.`,
				),
			this.emptyCells > 0 &&
				`${counted(this.emptyCells, 'item names', 'items name')} no member, because the field is empty, so the node left them out.`,
			this.keptRoles.length > 0 &&
				withoutMarkup(
					`${counted(this.keptRoles.length, 'member keeps', 'members keep')} their role, because 'Only If Role Is' does not include it: ${firstOf(this.keptRoles, 3)}.`,
				),
			this.searched > 0 &&
				`${counted(this.searched, 'member was', 'members were')} read one by one, because the API cannot search by email address. Later executions find these members faster.`,
			this.openBoardsInWords(),
		];
	}

	private appliedInWords(total: number, { strategy, request }: Operation): string | undefined {
		const { applied, unchanged, sameRole, existing, newRoles } = this;
		const isSame = total === 1 && unchanged === 1;
		// One item speaks for itself.
		if (total === 1)
			return isSame ? 'The record is already up to date, so nothing was sent.' : undefined;
		const isCreate = request.method === 'POST' && strategy?.name !== 'upsert';
		const created = isCreate ? applied : this.created;
		const moved = sum(newRoles);
		const counts = {
			created,
			updated: applied - created - moved - sameRole,
			'existed already': existing,
			'needed no change': unchanged + sameRole,
		};
		const parts = Object.entries(counts).filter(([, count]) => count > 0);
		const of = parts.length === 1 && moved === 0 ? ` of ${total}` : '';
		const done = parts.map(([what, count]) => `${count}${of} ${what}`).join(', ');
		const changes = moved > 0 && `${moved} changed: ${byCount(newRoles)}.`;
		return [changes, done && `${done}.`].filter(Boolean).join(' ') || undefined;
	}

	private openBoardsInWords(): string | undefined {
		const { size } = this.openBoards;
		if (size === 0) return undefined;
		const names = withoutMarkup(firstOf([...this.openBoards].map(quoted)));
		const [are, them] = size === 1 ? ['is', 'it'] : ['are', 'them'];
		return `${names} ${are} not private, so everyone can use ${them} anyway. To restrict a board to its members, turn on 'Private' in 'Update'.`;
	}

	private plannedInWords(total: number, { request, strategy }: Operation): string {
		const { create, update } = this.planned;
		const isCreate = create > 0 || (request.method === 'POST' && strategy?.name !== 'upsert');
		const parts: string[] = [];
		if (isCreate) parts.push(`${create} of ${total} would be created`);
		if (!isCreate) parts.push(`${update} of ${total} would be updated`);
		else if (update > 0) parts.push(`${update} would be updated`);
		const roles = this.newRoles.size > 0 ? `: ${byCount(this.newRoles)}` : '';
		if (total === 1) return 'Dry run: nothing was changed.';
		return `Dry run: nothing was changed. ${parts.join(', ')}${roles}.`;
	}
}

function isPlainCreate({ request, strategy }: Operation): boolean {
	return request.method === 'POST' && !strategy;
}

/** What an operation such as "Create reply" creates, in the plural. */
function createdBy({ action }: Operation): string {
	return `${action.replace('Create ', '').replace(/y$/, 'ie')}s`;
}

function sum(counts: Map<string, number>): number {
	return [...counts.values()].reduce((total, each) => total + each, 0);
}

// The most frequent one first.
function byCount(counts: Map<string, number>): string {
	const all = [...counts].sort(([, a], [, b]) => b - a);
	return withoutMarkup(
		firstOf(all.map(([what, count]) => `${what} ${/\d$/.test(what) ? `(${count})` : count}`)),
	);
}

function quotedList(labels: Set<string>): string {
	return [...labels].map((label) => `'${label}'`).join(', ');
}
