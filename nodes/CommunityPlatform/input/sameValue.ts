import { trimmed } from '../../shared/text';
import type { Field } from '../actions/operation';
import { rules } from '../actions/operation';
import { isBlank, isMap } from './values';

/**
 * Whether two values of a parameter mean the same to the API, so that replacing one by the other changes nothing
 * (docs/decisions.md, A19): blank is blank, texts may differ in the white space around them and in their line breaks,
 * colors in their notation, codes in their type; lists are sets, maps are compared key by key.
 */
export function sameValue(field: Field, a: unknown, b: unknown): boolean {
	if (isBlank(a) || isBlank(b)) return isBlank(a) && isBlank(b);
	const isSame = field[rules]?.isSame;
	if (isSame) return isSame(a, b);
	const canonical = field.type === 'color' ? canonicalColor : canonicalValue;
	return canonical(a) === canonical(b);
}

// #F00, #ff0000 and #ff0000ff are one color.
function canonicalColor(value: unknown): string {
	const color = String(value).trim().toLowerCase();
	const long = /^#[\da-f]{3,4}$/.test(color) ? color.replace(/[\da-f]/g, '$&$&') : color;
	return long.replace(/^(#[\da-f]{6})ff$/, '$1');
}

// Numbers as text, because the API gives an identifier in either form.
function canonicalValue(value: unknown): string {
	if (Array.isArray(value)) return `[${[...new Set(value.map(canonicalValue))].sort().join()}]`;
	if (!isMap(value))
		return JSON.stringify(trimmed(String(value)).replace(/\r\n?/g, '\n').normalize());
	const entries = Object.entries(value).filter(([, each]) => !isBlank(each));
	return `{${entries
		.map(([key, each]) => `${JSON.stringify(key)}:${canonicalValue(each)}`)
		.sort()
		.join()}}`;
}
