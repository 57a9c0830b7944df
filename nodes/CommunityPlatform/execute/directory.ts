import type { IDataObject } from 'n8n-workflow';
import type { Sender } from '../../shared/transport';
import { Failure, firstOf, quoted, shortened, unlessFailure } from '../../shared/failure';
import type { NamedKind } from '../../shared/names';
import { NAMED, foldName } from '../../shared/names';
import { pages } from '../../shared/pagination';
import { Stop } from '../../shared/limiter';
import { identifierOf } from '../../shared/records/identity';
import { role } from '../../shared/records/types';
import type { Reference } from '../input/identifiers';
import { dispatch } from './dispatch';
import type { Members } from './members';

const MOST_OFFERED = 3;
// Names that are compared letter by letter; further misses of a run get no suggestion.
const MOST_MISSES = 10;
// Differences are near the beginning; the time of a comparison grows with the square of its length.
const MOST_COMPARED = 60;
// Of a longer name, nobody remembers a part.
const MOST_SEARCHED = 1000;
// At most one letter in so many may differ.
const LETTERS_FOR_EACH_CHANGE = 3;
// Shorter texts are part of almost every name.
const LEAST_PART = 3;

type NamedReference = Extract<Reference, { by: 'name' }>;

const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The records of one kind, also by their folded names. */
interface Listed {
	records: IDataObject[];
	byName: Map<string, IDataObject[]>;
}

/** The names of roles by their IDs, both as text. */
export type RoleNames = ReadonlyMap<string, string>;

/** What only the API knows, for the items of one run. Each listing is requested once. */
export class Directory {
	/** What items have listed, by what they asked for. */
	readonly listings = new Map<string, Promise<Array<IDataObject | Failure>>>();
	private readonly named = new Map<NamedKind, Promise<Listed>>();
	private misses = 0;
	/** Comparisons with all names take long: one after another, they leave n8n its turns. */
	private comparing: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly sender: Sender,
		readonly members: Members,
	) {}

	/** The identifier of a record, of a member the msid; throws a Failure when none or several are named so. */
	async find(reference: Reference): Promise<string> {
		const { members } = this;
		if (reference.kind !== 'user') return await this.idNamed(reference);
		if (reference.by === 'id') return await members.msidOf(reference.text);
		return await members.msidOfPerson(reference.by, reference.text, reference.label);
	}

	private async idNamed(reference: NamedReference): Promise<string> {
		const { kind, text: name, label } = reference;
		const listed = await this.listed(kind);
		const found = listed.byName.get(foldName(name, kind === 'tag')) ?? [];
		if (found.length === 0) throw await this.notFound(reference, listed);
		const ids = found.flatMap((record) => identifierOf(record, NAMED[kind].type) ?? []);
		if (ids.length === 0) {
			throw new Failure(
				`The API did not show the ID of the ${kind} ${quoted(name)}`,
				`Give the ID in '${label}' if you know it. If not, check that the owner of the API key may view ${kind}s.`,
			);
		}
		if (found.length === 1) return ids[0];
		throw ambiguous(kind, name, found, `Give the ID of one of them in '${label}'`);
	}

	/** Whether records of a kind were listed for this run already. */
	hasListed(kind: NamedKind): boolean {
		return this.named.has(kind);
	}

	/** The same as `roleNames`; none if the roles cannot be listed. */
	async roleNamesIfShown(): Promise<RoleNames | undefined> {
		return await this.roleNames().catch(unlessFailure);
	}

	/** @throws Failure when the roles cannot be listed; Cancelled */
	async roleNames(): Promise<RoleNames> {
		const { records } = await this.listed('role');
		const names = new Map<string, string>();
		for (const each of records) {
			const id = identifierOf(each, role);
			if (id !== undefined && each.role_name) names.set(id, String(each.role_name));
		}
		return names;
	}

	/** The only record of this name; of a tag, by either of its two. Throws a Failure when several have it. */
	async only(kind: NamedKind, name: string): Promise<IDataObject | undefined> {
		const found = (await this.listed(kind)).byName.get(foldName(name, kind === 'tag')) ?? [];
		if (found.length < 2) return found[0];
		throw ambiguous(kind, name, found, 'Use Update with the ID of one of them');
	}

	private async listed(kind: NamedKind): Promise<Listed> {
		const listed = this.named.get(kind) ?? this.list(kind);
		this.named.set(kind, listed);
		return await listed;
	}

	private async list(kind: NamedKind): Promise<Listed> {
		const { type, path, nameFields } = NAMED[kind];
		const byName: Listed['byName'] = new Map();
		const listed: Listed = { records: [], byName };
		for await (const { records } of pages(this.sender, { path }, type, { concurrency: Infinity })) {
			for (const record of records) {
				listed.records.push(record);
				const folded = nameFields.map((field) => foldName(record[field], kind === 'tag'));
				for (const name of new Set(folded)) {
					const same = byName.get(name);
					if (same) same.push(record);
					else if (name !== '') byName.set(name, [record]);
				}
			}
		}
		return listed;
	}

	private async notFound(
		{ kind, text: name, label }: NamedReference,
		listed: Listed,
	): Promise<Failure> {
		const reason = `No ${kind} is named ${quoted(name)}`;
		if (listed.records.length === 0) {
			return new Failure(reason, `The community shows no ${kind}s to the owner of this API key.`);
		}
		if (/^\d+$/.test(name)) {
			return new Failure(
				reason,
				`If ${shortened(name)} is the ID of a ${kind}, choose By ID in '${label}'.`,
			);
		}
		const near =
			this.misses++ < MOST_MISSES
				? this.comparing.then(async () => await nearest(kind, name, listed))
				: [];
		this.comparing = Promise.resolve(near);
		const offered = (await near).map(quoted);
		if (offered.length > 0) {
			const advice = `Check the name in '${label}'. The nearest there is: ${ALTERNATIVES.format(offered)}.`;
			return new Failure(reason, advice);
		}
		const orMakeIt = kind === 'tag' ? '. If it is a new tag, Create or Update makes it' : '';
		return new Failure(
			reason,
			`Check the name in '${label}', or choose the ${kind} from the list${orMakeIt}.`,
		);
	}
}

function ambiguous(kind: NamedKind, name: string, found: IDataObject[], advice: string): Failure {
	const ids = found.flatMap((record) => identifierOf(record, NAMED[kind].type) ?? []);
	return new Failure(
		`${found.length} ${kind}s are named ${quoted(name)}`,
		`${advice}: ${firstOf(ids.map(shortened))}.`,
	);
}

// Names of which one contains the other come first, then those with the fewest letters to change.
async function nearest(kind: NamedKind, name: string, { byName }: Listed): Promise<string[]> {
	const typed = foldName(name, kind === 'tag');
	const [shownAs] = NAMED[kind].nameFields;
	const names = [...byName];
	let rated: Array<{ shown: string; changes: number }> = [];
	await dispatch(names.length, new Stop(), async (at) => {
		const [folded, [record]] = names[at];
		const changes = changesBetween(typed, folded);
		if (changes === undefined) return;
		rated.push({ shown: String(record[shownAs] ?? folded), changes });
		rated.sort((a, b) => a.changes - b.changes || a.shown.localeCompare(b.shown));
		rated = rated
			.filter(({ shown }, index) => rated.findIndex((each) => each.shown === shown) === index)
			.slice(0, MOST_OFFERED);
	});
	return rated.map(({ shown }) => shown);
}

function changesBetween(typed: string, folded: string): number | undefined {
	const [short, long] = [typed, folded]
		.map((name) => name.slice(0, MOST_SEARCHED))
		.sort((a, b) => a.length - b.length);
	const difference = long.length - short.length;
	const isPart = short.length >= LEAST_PART && 2 * folded.length >= typed.length;
	if (isPart && long.includes(short)) return difference - long.length;
	const most = Math.floor(Math.min(long.length, MOST_COMPARED) / LETTERS_FOR_EACH_CHANGE);
	if (difference > most) return undefined;
	const changes = editDistance(typed.slice(0, MOST_COMPARED), folded.slice(0, MOST_COMPARED));
	return changes <= most ? changes : undefined;
}

/** Levenshtein's distance: letters to insert, delete or replace to turn one text into the other. */
function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = row[j - 1] + Number(a[i - 1] !== b[j - 1]);
			next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
		}
		row = next;
	}
	return row[b.length];
}
