import { jsonParse, type IDataObject, type INodePropertyOptions } from 'n8n-workflow';
import { Failure, quoted } from './failure';
import { LINE_BREAK, isInvisible, trimmed, unquoted } from './text';

/**
 * Converts one value, e.g. from an expression or a spreadsheet, to the API's type.
 *
 * @param value as n8n resolved it, never undefined, null or a resource locator object
 * @param label the parameter's label in the editor
 * @param mode how a resource locator was set, undefined for anything else
 * @param of its context: the workflow's time zone, whether members who are not found are left out, and the values of the parameters before
 * @returns the value, or a `LookUp` for one that only the API knows
 * @throws Failure that names the parameter and what to enter instead
 */
export type Convert = (
	value: unknown,
	label: string,
	mode?: string,
	of?: { timezone?: string; leavesOut?: boolean; before?: Record<string, unknown> },
) => unknown;

/** The failure for a parameter with an invalid value. */
export function badValue(label: string, reason: string, advice: string): Failure {
	return new Failure(`The parameter '${label}' ${reason}`, advice);
}

/** The same, but the text shows the value. */
export function notUsable(value: unknown, reason: string, advice: string): Failure {
	const object = Array.isArray(value) ? 'The list you entered' : 'The object you entered';
	const said = typeof value === 'object' && value !== null ? object : quoted(String(value));
	return new Failure(`${said} ${reason}`, advice);
}

/** Whether a value is empty: no value, not a number, or text without a visible character. */
export function isBlank(value: unknown): boolean {
	if (value === undefined || value === null || Number.isNaN(value)) return true;
	return typeof value === 'string' && isInvisible(value);
}

/** Whether a value is a JSON object, and not a list, a date or another kind of object. */
export function isMap(value: unknown): value is IDataObject {
	return Object.prototype.toString.call(value) === '[object Object]';
}

/** Reads text. Numbers and booleans are written out, dates (also Luxon's) as ISO 8601. */
export const text: Convert = (value, label) => {
	const plain = isoDate(value) ?? value ?? '';
	if (typeof plain === 'object') {
		throw badValue(label, 'is not text', `Enter plain text in '${label}', not an object or list.`);
	}
	return String(plain);
};

/** Reads a text of one line, without white space and invisible characters at its ends. */
export const line: Convert = (value, label) => trimmed(text(value, label));

/** Reads text with at least one visible character. */
export const filledText: Convert = (value, label) => {
	const filled = text(value, label);
	if (isBlank(filled)) throw badValue(label, 'is empty', `Enter a value in '${label}'.`);
	return filled;
};

/** Reads the name of a record, without white space and invisible characters at its ends. */
export const nameText: Convert = (value, label) => {
	const name = trimmed(filledText(value, label));
	if (!/\p{Cs}/u.test(name)) return name;
	throw badValue(label, 'ends in the middle of an emoji', `Enter the whole name in '${label}'.`);
};

/** Reads yes or no, true or false, or 1 or 0, as in spreadsheets. */
export const booleanValue: Convert = (value, label) => {
	const word = trimmed(value).toLowerCase();
	if (['true', 'yes', '1'].includes(word)) return true;
	if (['false', 'no', '0'].includes(word)) return false;
	throw notUsable(value, 'is neither true nor false', `Enter true or false in '${label}'.`);
};

/** Reads a whole number within bounds. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Convert {
	return (value, label) => {
		// Only decimal digits, because people do not write "0x10".
		const isDigits = typeof value === 'string' && /^[+-]?\d+(\.0*)?$/.test(trimmed(value));
		const number = isDigits ? Number(trimmed(value)) : value;
		const range =
			most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
		const isWhole = Number.isInteger(number);
		if (isWhole && (number as number) >= least && (number as number) <= most) return number;
		const reason = isWhole ? 'is out of range' : 'is not a whole number';
		throw notUsable(value, reason, `Enter a whole number ${range} in '${label}'.`);
	};
}

/**
 * Reads one of the values of a dropdown.
 *
 * @param options the text can spell the value or the name of one of them, in any case
 * @param words the words of simplified records by their codes, which also count
 */
export function oneOf(
	options: Array<Pick<INodePropertyOptions, 'name' | 'value'>>,
	words: Record<string, string> = {},
): Convert {
	const byWord = new Map<string, INodePropertyOptions['value']>();
	for (const [code, word] of Object.entries(words)) byWord.set(wordOf(word), Number(code));
	for (const { name, value } of options) byWord.set(wordOf(name), value);
	for (const { value } of options) byWord.set(wordOf(value), value);
	return (value, label) => {
		const found = byWord.get(wordOf(value));
		if (found !== undefined) return found;
		const offered = options.map(({ name, value: each }) =>
			// A number does not explain itself.
			typeof each === 'number' ? `${each} (${name})` : each,
		);
		const advice = `Enter one of these in '${label}': ${offered.join(', ')}.`;
		throw notUsable(value, `is not an option of '${label}'`, advice);
	};
}

// "Wait-List", "wait list" and "waitlist" are one word. The sign of a number counts.
function wordOf(value: unknown): string {
	const word = trimmed(value).toLowerCase();
	return /^-?\d+$/.test(word) ? word : word.replace(/[\s_-]+/g, '');
}

/** Returns the email address in a copied text. Undefined unless there is exactly one (RFC 5322, section 3.4). */
export function addressIn(text: unknown): string | undefined {
	const line = unquoted(trimmed(text).replace(/\p{Cf}|(?<![\s,;.])[\s,;.]+$/gu, ''));
	const [, bracketed = line] = /<([^<>]*)>$/.exec(line) ?? [];
	const address = unquoted(bracketed.trim().replace(/^mailto:([^?]*).*/i, '$1'));
	return /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(address) ? address : undefined;
}

/** Reads an email address. Only its form is checked. */
export const email: Convert = (value, label) => {
	const address = addressIn(value);
	if (address !== undefined) return address;
	const advice = `Enter an address such as ada@example.com in '${label}'.`;
	throw notUsable(value, 'is not an email address', advice);
};

/** Reads a color in hexadecimal form, with or without an alpha part (docs/api/README.md, "Tag"). */
export const hexColor: Convert = (value, label) => {
	const color = trimmed(value);
	if (/^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(color)) return color;
	throw notUsable(value, 'is not a hex color', `Enter # and six hexadecimal digits in '${label}'.`);
};

/** Reads a JSON object, as text or as an object. The failure shows the example. */
export function objectLike(example: string): (value: unknown, label: string) => IDataObject {
	return (value, label) => {
		const advice = `Enter a JSON object in '${label}', e.g. ${example}.`;
		let parsed = value;
		if (typeof value === 'string') {
			try {
				parsed = jsonParse(value);
			} catch {
				throw badValue(label, 'is not valid JSON', advice);
			}
		}
		if (!isMap(parsed)) throw badValue(label, 'is not a JSON object', advice);
		return parsed;
	};
}

/** Reads the rows of a list in the editor, which n8n keeps under `key`. The failure shows the example. */
export function rowsOf(value: unknown, label: string, key: string, example: string): unknown[] {
	const rows = objectLike(example)(value, label)[key] ?? [];
	return Array.isArray(rows) ? (rows as unknown[]) : [rows];
}

/**
 * Reads a list: an array from an expression, text separated by commas, semicolons or line breaks, or a JSON array as
 * text (a model writes either). `split` divides a text with LF as its line breaks.
 */
export function listOf(
	readOne: Convert,
	split = (lines: string): string[] => lines.split(/[,;\n]/),
): Convert {
	return (value, label, mode) =>
		elementsOf(value, label, split)
			.filter((element) => !isBlank(element))
			.map((element) => readOne(element, label, mode));
}

function elementsOf(value: unknown, label: string, split: (lines: string) => string[]): unknown[] {
	const list =
		typeof value === 'string' && value.trimStart().startsWith('[')
			? jsonParse<unknown>(value, { fallbackValue: value })
			: value;
	if (Array.isArray(list)) return list;
	// Not as text, which would hide that JSON rounded a number.
	if (typeof list === 'number') return [list];
	return split(String(text(list, label)).replace(LINE_BREAK, '\n'));
}

/** Reads who can post: one of the documented numbers, or the announced list of role IDs, which passes unchanged. */
export function permission(
	options: INodePropertyOptions[],
	words?: Record<string, string>,
): Convert {
	const readOne = oneOf(options, words);
	return (value, label) => {
		if (!Array.isArray(value)) return readOne(value, label);
		if (value.length > 0 && !value.some(isBlank)) return value as unknown[];
		throw badValue(label, 'is an empty list', `Enter at least one role ID in '${label}'.`);
	};
}

// Luxon's DateTime, which n8n's expressions return, has `toISO`. An invalid date has no text.
function isoDate(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	if ('toISO' in value && typeof value.toISO === 'function') {
		return (value.toISO() as string | null) ?? undefined;
	}
	return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
}
