import { firstOf, quoted } from '../../shared/failure';
import { counted, withoutMarkup } from '../../shared/text';
import type { Operation } from '../actions/operation';

/** The hint about a list that ended at its limit. */
export const AT_LIMIT =
	"There may be more records than 'Limit' allows. To get them, raise 'Limit'.";

/** What an item can note. After the dash: the text that comes with the note. */
export type Note =
	| 'applied' // it changed something
	| 'created' // it created a record, although the operation can also update one
	| 'unchanged' // nothing was sent, because the record had these values
	| 'existing' // the record existed, so that nothing was created or changed
	| 'sameRole' // the member got the role that they had
	| 'newRole' // the member gets another role - the IDs of the old and the new one
	| 'unknownRole' // the member gets a role, and had an unknown one
	| 'severalRoles' // items give a member different roles - the username or the ID
	| 'skippedByRole' // "Only If Current Role Is" does not include the role - "ada_l stays Admin"
	| 'planned' // a dry run - the action
	| 'similarTag' // a dry run would set the name of a tag, and a similar one exists - both names
	| 'notReturned' // the dry run would set a field that the API does not return - its label
	| 'cleared' // the update may have cleared a field that the API does not return - its label
	| 'noValue' // a field had no value, so it was left out - its label
	| 'emptyCell' // it was left out, because the cell of its member is empty
	| 'notFound' // a member was left out - the name or ID, with similar names
	| 'openBoard' // its board needs no members, because everyone can use it - the name
	| 'searched' // members were read because of their email addresses
	| 'listed' // it lists records - "empty" if there are none
	| 'repeated' // it requested the same list as an earlier item
	| 'atLimit' // the list ended at its limit although there may be more records
	| 'throttled' // retries and pauses - a sentence
	| 'hint'; // - a sentence of the operation

/** The notes of all items of a run, from which the hints are made. */
export class Notes {
	private readonly countsByNote = new Map<Note, Map<string, number>>();

	add(note: Note, text = '', times = 1): void {
		const counts = this.counts(note);
		this.countsByNote.set(note, counts.set(text, (counts.get(text) ?? 0) + times));
	}

	/** How often each text was noted. */
	counts(note: Note): Map<string, number> {
		return this.countsByNote.get(note) ?? new Map<string, number>();
	}

	/** How often it was noted, with any text or with this one. */
	count(note: Note, text?: string): number {
		const counts = this.counts(note);
		if (text !== undefined) return counts.get(text) ?? 0;
		return [...counts.values()].reduce((total, each) => total + each, 0);
	}

	/** The texts that were noted, each once. */
	texts(note: Note): string[] {
		return [...this.counts(note).keys()];
	}
}

/** What hints are about, beside the notes. */
interface Subject {
	total: number;
	/** Whether no parameter has an expression, so that the items do not differ. */
	isSame: boolean;
	/** The names of the roles by ID, if they are known. */
	names?: ReadonlyMap<string, string>;
}

/** Makes the hints beside the output. */
export function hintsOf(notes: Notes, operation: Operation, { total, isSame, names }: Subject) {
	const roles = rolesInWords(notes, names);
	const all = [
		...notes.texts('throttled'),
		// For one item, the editor has a hint of its own.
		notes.count('atLimit') > 0 && total > 1 && AT_LIMIT,
		notes.count('listed') > 0 &&
			notes.count('listed', 'empty') === notes.count('listed') &&
			'No records matched. If you expected some, check the values that you entered.',
		notes.count('repeated') > 0 &&
			"Several items requested the same list, so the output contains it once for each of them. To get it only once, open Settings and turn on 'Execute Once'.",
		notes.count('planned') > 0
			? plannedInWords(notes, operation, total, roles)
			: appliedInWords(notes, operation, total, roles),
		// One item speaks for itself.
		...(total > 1 ? hintsAboutRoles(notes) : []),
		isSame && manyOfOne(notes, operation, total),
		...hintsAboutMembers(notes),
		...hintsAboutFields(notes),
	];
	return all.filter((hint): hint is string => typeof hint === 'string');
}

function hintsAboutMembers(notes: Notes): Array<string | false> {
	const [notFound, skippedByRole] = [notes.texts('notFound'), notes.texts('skippedByRole')];
	const [emptyCells, searched] = [notes.count('emptyCell'), notes.count('searched')];
	const boards = notes.texts('openBoard').map(quoted);
	const [are, them] = boards.length === 1 ? ['is', 'it'] : ['are', 'them'];
	return [
		notFound.length > 0 &&
			`${counted(notFound.length, 'member was', 'members were')} not found, so the node left them out: ${withoutMarkup(firstOf(notFound))}. Check the spelling.`,
		emptyCells > 0 &&
			`${counted(emptyCells, 'item has', 'items have')} no member, so the node skipped ${emptyCells === 1 ? 'it' : 'them'}.`,
		skippedByRole.length > 0 &&
			`${counted(notes.count('skippedByRole'), 'member')} kept their role, because it is not in 'Only If Current Role Is': ${withoutMarkup(firstOf(skippedByRole, 3))}.`,
		searched > 0 &&
			`${counted(searched, 'member was', 'members were')} read one by one, because the API cannot search by email address. Later executions find these members faster.`,
		boards.length > 0 &&
			`${withoutMarkup(firstOf(boards))} ${are} not private, so everyone can use ${them} anyway. To restrict a board to its members, turn on 'Private' in 'Update'.`,
	];
}

function hintsAboutFields(notes: Notes): Array<string | false> {
	const listed = (note: Note) =>
		notes
			.texts(note)
			.map((label) => `'${label}'`)
			.join(', ');
	const [notReturned, noValue, cleared] = [
		listed('notReturned'),
		listed('noValue'),
		listed('cleared'),
	];
	const similar = notes.texts('similarTag');
	const [clears, toKeep] =
		notes.count('planned') > 0
			? ['could clear', 'To keep them']
			: ['may have cleared', "Check them in the member's profile. To keep them next time"];
	return [
		notReturned !== '' &&
			`The API does not return ${notReturned}, so the dry run cannot show the current value.`,
		similar.length > 0 &&
			`The API may refuse these names, because a tag with a similar name exists: ${withoutMarkup(firstOf(similar, 3))}. To change that tag, enter its name exactly.`,
		...notes.texts('hint'),
		noValue !== '' &&
			`At least one item has no value for ${noValue}, so the node did not set it there. If you expected a value, check the field's name in the input.`,
		cleared !== '' &&
			`The update ${clears} ${cleared}, because the API does not return these fields. ${toKeep}, enter their current values as well.`,
	];
}

function hintsAboutRoles(notes: Notes): Array<string | false> {
	const [several, unknown] = [notes.texts('severalRoles'), notes.count('unknownRole')];
	const roles = unknown === 1 ? 'role of 1 member is' : `roles of ${unknown} members are`;
	return [
		several.length > 0 &&
			`Several items give the same member different roles, and the last one counts: ${withoutMarkup(firstOf(several))}. To undo changes, keep only the first row of each member.`,
		unknown > 0 &&
			notes.count('planned') === 0 &&
			`The previous ${roles} not recorded. To be able to undo, add 'Skip Unchanged', which reads each member first.`,
	];
}

/** The changes of roles with their numbers, the most frequent one first. By IDs if the names are not known. */
function rolesInWords(notes: Notes, names: Subject['names'] = new Map<string, string>()): string {
	const all = [...notes.counts('newRole')].sort(([, a], [, b]) => b - a);
	const changes = all.map(([ids, count]) => {
		const shown = ids.split(' ').map((id) => names.get(id) ?? id);
		const change = shown.join(' → ');
		return `${change} ${/\d$/.test(change) ? `(${count})` : count}`;
	});
	return withoutMarkup(firstOf(changes));
}

function appliedInWords(
	notes: Notes,
	operation: Operation,
	total: number,
	roles: string,
): string | false {
	const [applied, unchanged] = [notes.count('applied'), notes.count('unchanged')];
	// One item speaks for itself.
	if (total === 1)
		return unchanged === 1 && 'The record is already up to date, so nothing was sent.';
	const created = onlyCreates(operation) ? applied : notes.count('created');
	const [moves, sameRole] = [notes.count('newRole'), notes.count('sameRole')];
	const updated = applied - created - sameRole;
	// One word for all changes of roles, although not all previous roles may be known.
	const moved = moves > 0 ? updated : 0;
	const counts = {
		created,
		updated: updated - moved,
		'already existed': notes.count('existing'),
		'needed no change': unchanged + sameRole,
	};
	const parts = Object.entries(counts).filter(([, count]) => count > 0);
	const of = parts.length === 1 && moved === 0 ? ` of ${total}` : '';
	const done = parts.map(([what, count]) => `${count}${of} ${what}`).join(', ');
	const changes = moved > 0 && `${moved} changed: ${roles}.`;
	return [changes, done && `${done}.`].filter(Boolean).join(' ') || false;
}

function plannedInWords(notes: Notes, operation: Operation, total: number, roles: string): string {
	const [create, update] = ['create', 'update'].map((action) => notes.count('planned', action));
	if (total === 1) return 'Dry run: nothing was changed.';
	const isCreate = create > 0 || onlyCreates(operation);
	const parts = [
		isCreate && `${create} of ${total} would be created`,
		!isCreate && `${update} of ${total} would be updated`,
		isCreate && update > 0 && `${update} would be updated`,
	];
	const moves = roles === '' ? '' : `: ${roles}`;
	return `Dry run: nothing was changed. ${parts.filter(Boolean).join(', ')}${moves}.`;
}

/** The hint that an operation such as "Create reply" has written the same record several times. */
function manyOfOne(notes: Notes, { action, effect, strategy }: Operation, total: number) {
	const isMany = notes.count('applied') + notes.count('planned', 'create') > 1;
	if (!isMany || effect !== 'creates' || strategy) return false;
	const record = action.replace('Create ', '');
	return `Each of the ${total} items creates a ${record}. To create only one, open Settings and turn on 'Execute Once'.`;
}

function onlyCreates({ effect, strategy }: Operation): boolean {
	return effect === 'creates' && strategy?.name !== 'upsert';
}
