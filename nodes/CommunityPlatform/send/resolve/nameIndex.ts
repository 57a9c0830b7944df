import type { IDataObject } from 'n8n-workflow';
import type { NamedKind } from '../../../shared/records/named';
import { NAMED } from '../../../shared/records/named';

/** A record that can be found by its name. */
export interface NamedRecord {
	/** Undefined when the API does not show it. */
	id?: string;
	/** As people know it; undefined when the API shows none. */
	name?: string;
}

/** The records of one kind by their names, so that each name is looked up without going through all of them. */
export class NameIndex {
	readonly records: NamedRecord[] = [];
	private readonly byName = new Map<string, NamedRecord[]>();

	constructor(private readonly kind: NamedKind) {}

	/** Each name that a record has, folded, with those who have it. */
	get names(): Iterable<[folded: string, records: NamedRecord[]]> {
		return this.byName;
	}

	/** @param record as the API shows it */
	add(record: IDataObject): void {
		const { idField, nameFields } = NAMED[this.kind];
		const names = nameFields.map((field) => record[field]).filter(isShown);
		const named = { id: idIn(record[idField]), name: names.map(String)[0] };
		this.records.push(named);
		for (const folded of new Set(names.map((name) => fold(this.kind, name)))) {
			const others = this.byName.get(folded);
			if (others) others.push(named);
			else this.byName.set(folded, [named]);
		}
	}

	/** @param folded a name, see {@link fold} */
	find(folded: string): NamedRecord[] {
		return this.byName.get(folded) ?? [];
	}
}

// Marks are sorted in time that grows with the square of their number.
const MOST_NORMALIZED = 1000;

/** What names have in common that are spelled in different ways: case, white space, the sign of a hashtag. */
export function fold(kind: NamedKind, name: unknown): string {
	// Tables have no-break spaces and doubled ones, which are not seen.
	const line = String(name).trim().replace(/\s+/g, ' ');
	const text = (line.length > MOST_NORMALIZED ? line : line.normalize()).toLowerCase();
	return kind === 'tag' ? text.replace(/^#/, '') : text;
}

function isShown(value: unknown): boolean {
	return value !== undefined && value !== null;
}

// A larger number has been rounded when the answer was read, so it may be that of another record.
function idIn(value: unknown): string | undefined {
	const isId = typeof value === 'string' ? value.trim() !== '' : Number.isSafeInteger(value);
	return isId ? String(value) : undefined;
}
