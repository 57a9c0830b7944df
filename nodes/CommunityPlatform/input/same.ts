import type { IDataObject } from 'n8n-workflow';
import { inApiType } from './apiType';
import type { Field } from './field';
import { meaning } from './field';
import { isMap } from './values';

/**
 * Whether two values of a parameter mean the same to the API, so that replacing one by the other changes nothing.
 * Absent, null and empty text are the same (docs/api/README.md, "General response rules"); lists are sets, maps are compared
 * key by key, identifiers and codes in the type that the API documents.
 *
 * @param field the parameter that sends the values
 */
export function isSame(field: Field, a: unknown, b: unknown): boolean {
	if (isAbsent(a) || isAbsent(b)) return isAbsent(a) && isAbsent(b);
	const { isSame: own } = field[meaning] ?? {};
	if (own) return own(a, b);
	if (field.type === 'color') return String(a).toLowerCase() === String(b).toLowerCase();
	return canonical(inApiType(field, a)) === canonical(inApiType(field, b));
}

function isAbsent(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

// Numbers as text, because the API gives an identifier in either form.
function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${[...new Set(value.map(canonical))].sort().join()}]`;
	if (!isMap(value)) return JSON.stringify(String(value));
	const entries = Object.entries(value as IDataObject).filter(([, each]) => !isAbsent(each));
	return `{${entries
		.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)
		.sort()
		.join()}}`;
}
