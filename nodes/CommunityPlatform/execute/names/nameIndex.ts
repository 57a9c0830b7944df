import type { IDataObject } from 'n8n-workflow';
import type { NamedKind } from '../../../shared/records/named';
import { NAMED } from '../../../shared/records/named';

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

// Normalization sorts marks in time that grows with the square of their number.
const MOST_NORMALIZED = 1000;

/** A name without what does not distinguish names: case, white space, the sign of a hashtag. */
export function fold(kind: NamedKind, name: unknown): string {
	// Spreadsheets contain no-break and doubled spaces, which look like single ones.
	const line = String(name).trim().replace(/\s+/g, ' ');
	const text = (line.length > MOST_NORMALIZED ? line : line.normalize()).toLowerCase();
	return kind === 'tag' ? text.replace(/^#/, '') : text;
}

function isShown(value: unknown): boolean {
	return value !== undefined && value !== null;
}

// A larger number was rounded when the JSON was parsed, so it may identify another record.
function idIn(value: unknown): string | undefined {
	const isId = typeof value === 'string' ? value.trim() !== '' : Number.isSafeInteger(value);
	return isId ? String(value) : undefined;
}
