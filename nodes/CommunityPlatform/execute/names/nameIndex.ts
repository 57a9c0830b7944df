import type { IDataObject } from 'n8n-workflow';
import type { NamedKind } from '../../../shared/names';
import { NAMED, foldName } from '../../../shared/names';
import { identifierOf } from '../../../shared/records/identity';

/** A record that can be found by its name. */
export interface NamedRecord {
	/** Undefined when the API does not show it. */
	id?: string;
	/** The displayed name; undefined when the API shows none. */
	name?: string;
}

/** An index of the records of one kind by their names. */
export class NameIndex {
	readonly records: NamedRecord[] = [];
	private readonly byName = new Map<string, NamedRecord[]>();

	constructor(private readonly kind: NamedKind) {}

	/** Records by folded name. */
	get names(): Iterable<[folded: string, records: NamedRecord[]]> {
		return this.byName;
	}

	/** @param record as the API shows it */
	add(record: IDataObject): void {
		const { nameFields, type } = NAMED[this.kind];
		const names = nameFields.map((field) => record[field]).filter(isShown);
		const named = { id: identifierOf(record, type), name: names.map(String)[0] };
		this.records.push(named);
		for (const folded of new Set(names.map((name) => foldName(name, this.kind === 'tag')))) {
			const others = this.byName.get(folded);
			if (others) others.push(named);
			else this.byName.set(folded, [named]);
		}
	}

	/** @param folded a name, see {@link foldName} */
	find(folded: string): NamedRecord[] {
		return this.byName.get(folded) ?? [];
	}
}

function isShown(value: unknown): boolean {
	return value !== undefined && value !== null;
}
