import type { IDataObject } from 'n8n-workflow';
import { ignoreFailure } from '../../shared/failure';
import type { NamedKind } from '../../shared/records/identity';
import type { Api } from '../../shared/transport';
import type { Reference } from '../input/identifiers';
import { Once } from '../../shared/async/once';
import { Listed, type Names } from './listed';
import type { Memory } from './memory';
import { People } from './people';
import { SharedPages } from './sharedPages';

/** A community as the items of one run see it with one credential. It finds the records that they name. */
export class Community {
	readonly people: People;
	/** What several items share, such as lists. */
	readonly once = new Once();
	readonly pages = new SharedPages();
	/** What earlier items of a dry run would set, by the key of the record's lock. */
	readonly planned = new Map<string, IDataObject>();

	constructor(
		readonly api: Api,
		memory: Memory,
	) {
		this.people = new People(api, memory);
	}

	/** Adds a member to the next search. */
	seek(reference: Reference): void {
		if (reference.kind === 'user' && reference.by !== 'id')
			this.people.seek(reference.by, reference.text);
	}

	/** Returns the ID of a record (for a member, the msid). Throws a Failure if none or several have the name. */
	async find(reference: Reference): Promise<string> {
		const { text, label } = reference;
		if (reference.kind !== 'user') return await (await this.all(reference.kind)).idOf(text, label);
		if (reference.by === 'id') return await this.people.msidOf(text);
		return await this.people.msidNamed(reference.by, text, label);
	}

	/** Returns all records of a kind, which are listed once. Throws a Failure if they cannot be listed, or Cancelled. */
	async all(kind: NamedKind): Promise<Listed> {
		return await this.once.get(kind, async () => await Listed.load(this.api, kind));
	}

	/** The same if they were listed before. Sends nothing. */
	async known(kind: NamedKind): Promise<Listed | undefined> {
		return this.hasListed(kind) ? await this.all(kind).catch(ignoreFailure) : undefined;
	}

	hasListed(kind: NamedKind): boolean {
		return this.once.has(kind);
	}

	/** Returns the names of all roles, or undefined if they cannot be listed. */
	async roleNames(): Promise<Names | undefined> {
		return await this.all('role').then(({ names }) => names, ignoreFailure);
	}
}
