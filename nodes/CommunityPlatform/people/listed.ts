import type { IDataObject } from 'n8n-workflow';
import { Failure, firstOf, quoted, shortened } from '../../shared/failure';
import { pages } from '../../shared/pagination';
import { NAMED, type NamedKind, identifierOf } from '../../shared/records/identity';
import { foldName, plainName, unquoted } from '../../shared/text';
import type { Sender } from '../../shared/transport';
import { Nearest } from './nearest';

/** Names of records by their IDs, both as text. */
export type Names = ReadonlyMap<string, string>;

// So many names fit into a failure.
const FEW = 10;

/** All boards, roles or tags of a community, listed once to find them by name. */
export class Listed {
	readonly names: Names;
	private readonly byId = new Map<string, IDataObject>();
	/** By folded name. A tag has two names. */
	private readonly byName = new Map<string, IDataObject[]>();
	private byLetters?: Map<string, IDataObject>;
	private readonly nearest = new Nearest(() =>
		[...this.byName].map(([folded, [record]]) => [folded, String(record[this.shownAs] ?? folded)]),
	);
	private readonly shownAs: string;
	private readonly isEmpty: boolean;

	static async load(sender: Sender, kind: NamedKind): Promise<Listed> {
		const { type, path } = NAMED[kind];
		let records: IDataObject[] = [];
		for await (const page of pages(sender, { path }, type, { isPrefetching: true })) {
			records = records.concat(page.records);
		}
		return new Listed(kind, records);
	}

	private constructor(
		private readonly kind: NamedKind,
		records: IDataObject[],
	) {
		const { type, nameFields } = NAMED[kind];
		[this.shownAs] = nameFields;
		this.isEmpty = records.length === 0;
		for (const record of records) {
			const id = identifierOf(record, type);
			if (id !== undefined) this.byId.set(id, record);
			for (const name of new Set(nameFields.map((field) => this.folded(record[field])))) {
				if (name !== '') this.byName.set(name, [...(this.byName.get(name) ?? []), record]);
			}
		}
		const named = [...this.byId].filter(([, record]) => record[this.shownAs]);
		this.names = new Map(named.map(([id, record]) => [id, String(record[this.shownAs])]));
	}

	record(id: string): IDataObject | undefined {
		return this.byId.get(id);
	}

	/** Returns the only record with a name. Throws a Failure if several records have it. */
	only(name: string): IDataObject | undefined {
		const found = this.having(name);
		if (found.length > 1)
			throw this.explainAmbiguous(name, found, "Use 'Update' with one of these IDs");
		return found[0];
	}

	/** Returns the ID of the only record with a name. Throws a Failure if none or several have it. */
	async idOf(name: string, label: string): Promise<string> {
		const { kind } = this;
		const exact = this.having(name);
		const found = exact.length > 0 ? exact : this.having(unquoted(name));
		if (found.length === 0) throw await this.explainNotFound(name, label);
		const [id] = this.idsOf(found);
		if (id === undefined) {
			throw new Failure(
				`The API did not return the ID of the ${kind} ${quoted(name)}`,
				`If you know the ID, enter it in '${label}'. Otherwise, use the API key of a member who can see the IDs of ${kind}s.`,
			);
		}
		if (found.length === 1) return id;
		throw this.explainAmbiguous(name, found, `Enter one of these IDs in '${label}'`);
	}

	having(name: string): IDataObject[] {
		return this.byName.get(this.folded(name)) ?? [];
	}

	/** Returns a record whose name has the same letters and digits. */
	similar(name: string): IDataObject | undefined {
		this.byLetters ??= new Map(
			[...this.byName].map(([folded, [record]]) => [lettersOf(folded), record]),
		);
		const letters = lettersOf(name);
		return letters === '' ? undefined : this.byLetters.get(letters);
	}

	private folded(name: unknown): string {
		return foldName(name, this.kind === 'tag');
	}

	private idsOf(records: IDataObject[]): string[] {
		return records.flatMap((record) => identifierOf(record, NAMED[this.kind].type) ?? []);
	}

	private explainAmbiguous(name: string, found: IDataObject[], advice: string): Failure {
		const ids = firstOf(this.idsOf(found).map(shortened));
		const reason = `${found.length} ${this.kind}s are named ${quoted(name)}`;
		return new Failure(reason, `${advice}: ${ids}.`);
	}

	private async explainNotFound(name: string, label: string): Promise<Failure> {
		const { kind } = this;
		const reason = `No ${kind} named ${quoted(name)} was found`;
		if (this.isEmpty) {
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
		const suggestion = await this.nearest.to(this.folded(name));
		const others =
			kind === 'role' && this.names.size <= FEW
				? `The roles are: ${[...this.names.values()].map(shortened).join(', ')}.`
				: `'Get Many' lists all ${kind}s.`;
		const advice = `Check the name in '${label}'. ${suggestion || others}`;
		return new Failure(reason, advice, { notFound: kind });
	}
}

function lettersOf(name: string): string {
	return plainName(name).replace(/[^\p{L}\p{N}]/gu, '');
}
