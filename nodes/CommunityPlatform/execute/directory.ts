import type { IDataObject } from 'n8n-workflow';
import type { Sender } from '../../shared/transport';
import { Failure, firstOf, quoted, shortened, ignoreFailure } from '../../shared/failure';
import { foldName, unquoted } from '../../shared/text';
import { pages } from '../../shared/pagination';
import { NAMED, type NamedKind, identifierOf } from '../../shared/records/identity';
import type { Reference } from '../input/identifiers';
import type { Members } from './members/members';
import { Nearest } from './nearest';

type NamedReference = Extract<Reference, { by: 'name' }>;

/** The records of one kind, also by their folded names. */
interface NamedRecords {
	records: IDataObject[];
	byName: Map<string, IDataObject[]>;
}

/** Names of records by their IDs, both as text. */
export type Names = ReadonlyMap<string, string>;

/** Looks up what only the API knows, for the items of one run. Each listing is requested once. */
export class Directory {
	/** The lists of items, by what they requested. */
	readonly lists = new Map<string, Promise<Array<IDataObject | Failure>>>();
	private readonly named = new Map<NamedKind, Promise<NamedRecords>>();
	private readonly nearest = new Map<NamedKind, Nearest>();

	constructor(
		private readonly sender: Sender,
		readonly members: Members,
	) {}

	/** Adds a member to the next search. */
	seek(reference: Reference): void {
		if (reference.kind !== 'user' || reference.by === 'id') return;
		this.members.search.seek(reference.by, reference.text);
	}

	/** Returns the ID of a record (for a member, the msid). Throws a Failure if none or several have the name. */
	async find(reference: Reference): Promise<string> {
		const { members } = this;
		if (reference.kind !== 'user') return await this.idNamed(reference);
		if (reference.by === 'id') return await members.msidOf(reference.text);
		return await members.msidNamed(reference.by, reference.text, reference.label);
	}

	private async idNamed(reference: NamedReference): Promise<string> {
		const { kind, text: name, label } = reference;
		const listed = await this.listed(kind);
		const named = (text: string) => listed.byName.get(foldName(text, kind === 'tag'));
		const found = named(name) ?? named(unquoted(name)) ?? [];
		if (found.length === 0) throw await this.failureOf(reference, listed);
		const ids = found.flatMap((record) => identifierOf(record, NAMED[kind].type) ?? []);
		if (ids.length === 0) {
			throw new Failure(
				`The API did not return the ID of the ${kind} ${quoted(name)}`,
				`If you know the ID, enter it in '${label}'. Otherwise, use the API key of a member who can see the IDs of ${kind}s.`,
			);
		}
		if (found.length === 1) return ids[0];
		throw ambiguous(kind, name, found, `Enter one of these IDs in '${label}'`);
	}

	/** Whether records of a kind were already listed for this run. */
	hasListed(kind: NamedKind): boolean {
		return this.named.has(kind);
	}

	/** Returns the record with an ID if the records of its kind were already listed. Sends nothing. */
	async ifListed(kind: NamedKind, id: string): Promise<IDataObject | undefined> {
		const listed = await this.named.get(kind)?.catch(ignoreFailure);
		return listed?.records.find((record) => identifierOf(record, NAMED[kind].type) === id);
	}

	/** Like `names`, but undefined if the records cannot be listed. */
	async namesIfListed(kind: NamedKind): Promise<Names | undefined> {
		return await this.names(kind).catch(ignoreFailure);
	}

	/** Returns the names of all records of a kind. Throws a Failure if they cannot be listed, or Cancelled. */
	async names(kind: NamedKind): Promise<Names> {
		const { type, nameFields } = NAMED[kind];
		const { records } = await this.listed(kind);
		const names = new Map<string, string>();
		for (const each of records) {
			const id = identifierOf(each, type);
			if (id !== undefined && each[nameFields[0]]) names.set(id, String(each[nameFields[0]]));
		}
		return names;
	}

	/** Returns the only record with a name. A tag has two names. Throws a Failure if several records have it. */
	async only(kind: NamedKind, name: string): Promise<IDataObject | undefined> {
		const found = (await this.listed(kind)).byName.get(foldName(name, kind === 'tag')) ?? [];
		if (found.length < 2) return found[0];
		throw ambiguous(kind, name, found, "Use 'Update' with one of these IDs");
	}

	private async listed(kind: NamedKind): Promise<NamedRecords> {
		const listed = this.named.get(kind) ?? this.list(kind);
		this.named.set(kind, listed);
		return await listed;
	}

	private async list(kind: NamedKind): Promise<NamedRecords> {
		const { type, path, nameFields } = NAMED[kind];
		const byName: NamedRecords['byName'] = new Map();
		const listed: NamedRecords = { records: [], byName };
		for await (const { records } of pages(this.sender, { path }, type, { isPrefetching: true })) {
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

	private async failureOf(
		{ kind, text: name, label }: NamedReference,
		listed: NamedRecords,
	): Promise<Failure> {
		const reason = `No ${kind} named ${quoted(name)} was found`;
		if (listed.records.length === 0) {
			return new Failure(
				reason,
				`Check that the community has ${kind}s. If it does, ask an admin to let the owner of the API key see them.`,
			);
		}
		if (/^\d+$/.test(name)) {
			return new Failure(
				reason,
				`If ${shortened(name)} is an ID, choose 'By ID' in '${label}'. Otherwise, check the name.`,
				{ notFound: kind },
			);
		}
		const nearest = this.nearest.get(kind) ?? new Nearest(() => offeredNames(kind, listed));
		this.nearest.set(kind, nearest);
		const near = await nearest.to(foldName(name, kind === 'tag'));
		const advice = `Check the name in '${label}'. ${near || `'Get Many' lists all ${kind}s.`}`;
		return new Failure(reason, advice, { notFound: kind });
	}
}

function offeredNames(
	kind: NamedKind,
	{ byName }: NamedRecords,
): Array<[folded: string, shown: string]> {
	const [shownAs] = NAMED[kind].nameFields;
	return [...byName].map(([folded, [record]]) => [folded, String(record[shownAs] ?? folded)]);
}

function ambiguous(kind: NamedKind, name: string, found: IDataObject[], advice: string): Failure {
	const ids = found.flatMap((record) => identifierOf(record, NAMED[kind].type) ?? []);
	return new Failure(
		`${found.length} ${kind}s are named ${quoted(name)}`,
		`${advice}: ${firstOf(ids.map(shortened))}.`,
	);
}
