import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/failure';
import { isFieldHidden } from '../../shared/triggerParameters';
import { plainName } from '../../shared/text';
import { isBlank, notUsable, text } from '../../shared/values';
import { rules, type Field, type Convert } from './field';

// No name is longer, and n8n would wait while a longer text is compared.
const LONGEST = 1000;

const nameWords: Convert = (value, label) => {
	const part = text(value, label) as string;
	const words = part.length > LONGEST ? null : plainName(part).match(/[^ @][^ ]*/g);
	if (words) return words;
	throw notUsable(value, 'cannot be part of a name', `Enter part of a name in '${label}'.`);
};

/** Returns the filter for words that are parts of a name (see {@link hasWords}). */
export function nameContains(placeholder: string, description: string): Field {
	return {
		displayName: 'Name Contains',
		name: 'nameContains',
		type: 'string',
		default: '',
		placeholder,
		description,
		[rules]: { convert: nameWords },
	};
}

/** Returns a test whether each word that {@link nameContains} has read is part of one of these fields. */
export function hasWords(words: unknown, fields: string[], whose?: string) {
	const names = (record: IDataObject) => fields.map((field) => plainName(record[field])).join(' ');
	const hasAll = (name: string) => (words as string[]).every((word) => name.includes(word));
	return testOf('name', 'Name Contains', names, hasAll, whose);
}

/** Returns a test of a field. It drops records without the field, but a single one proves nothing (docs/decisions.md, A28). */
export function testOf<T>(
	what: string,
	parameter: string,
	of: (record: IDataObject) => T,
	isWanted: (value: T) => boolean,
	whose = 'members',
) {
	let listed = 0;
	let returned = 0;
	return {
		matches(record: IDataObject): boolean {
			const value = of(record);
			listed++;
			if (isBlank(value)) return false;
			returned++;
			return isWanted(value);
		},
		requireReturned(): void {
			if (!isFieldHidden(returned, listed)) return;
			throw new Failure(
				`The owner of the API key cannot see the ${what} of ${whose}`,
				`Use the key of a member who can, or remove '${parameter}' from the filters.`,
			);
		},
	};
}
