import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { Failure } from '../../shared/transport/failure';

/**
 * Converts one value, e.g. from an expression or a spreadsheet, to the API's type.
 *
 * @param value as n8n resolved it; never undefined, null or a resource locator object
 * @param label the parameter's label in the editor
 * @param mode how a resource locator was given; undefined for anything else
 * @returns the value, or a `Referring` for one that has to be looked up in the API
 * @throws Failure naming the parameter and what to give instead
 */
export type ReadValue = (value: unknown, label: string, mode?: string) => unknown;

/** The failure for a parameter with an invalid value. */
export function badValue(label: string, reason: string, advice: string): Failure {
	return new Failure(`The parameter "${label}" ${reason}`, advice);
}

/**
 * A value as trimmed text. Empty for objects and lists, which may not be convertible to text.
 */
export function written(value: unknown): string {
	return typeof value === 'object' ? '' : String(value).trim();
}

/** Whether a value is null or blank text. An object or a list is not. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** Text; numbers and booleans are written out. */
export const text: ReadValue = (value, label) => {
	if (typeof value === 'object') {
		throw badValue(label, 'is not text', `Give plain text in "${label}", not an object or a list.`);
	}
	return String(value);
};

/** Text with at least one visible character. */
export const filledText: ReadValue = (value, label) => {
	const filled = text(value, label) as string;
	if (filled.trim() === '') throw badValue(label, 'is empty', `Give a value in "${label}".`);
	return filled;
};

/** Yes or no; the words true and false count, as they come from spreadsheets. */
export const truth: ReadValue = (value, label) => {
	const word = written(value).toLowerCase();
	if (word !== 'true' && word !== 'false') {
		throw badValue(label, 'is neither true nor false', `Give true or false in "${label}".`);
	}
	return word === 'true';
};

/**
 * A whole number within bounds.
 *
 * @param least the smallest allowed
 * @param most the largest allowed
 */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): ReadValue {
	return (value, label) => {
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		const range =
			most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
		const advice = `Give a whole number ${range} in "${label}".`;
		if (!Number.isInteger(number)) throw badValue(label, 'is not a whole number', advice);
		const isWithin =
			Number.isSafeInteger(number) && Number(number) >= least && Number(number) <= most;
		if (!isWithin) throw badValue(label, 'is out of range', advice);
		return number;
	};
}

/**
 * One of the values of a dropdown.
 *
 * @param options text that spells the value or the name of one of them counts, in any case
 * @param aliases further words by which an option is known, with its value
 */
export function oneOf(
	options: Array<Pick<INodePropertyOptions, 'name' | 'value'>>,
	aliases: Record<string, INodePropertyOptions['value']> = {},
): ReadValue {
	const byWord = new Map<string, INodePropertyOptions['value']>(
		Object.entries(aliases).map(([alias, value]) => [wordOf(alias), value]),
	);
	for (const { name, value } of options) byWord.set(wordOf(name), value);
	for (const { value } of options) byWord.set(wordOf(value), value);
	return (value, label) => {
		const found = byWord.get(wordOf(written(value)));
		if (found !== undefined) return found;
		// A model does not see the dropdown, and a number does not explain itself.
		const offered = options.map((option) => option.value + saidOf(option)).join(', ');
		throw badValue(
			label,
			'has a value that is not offered',
			`Give one of these in "${label}": ${offered}.`,
		);
	};
}

// "Wait-List", "wait list" and "waitlist" are one word; the sign of a number is part of it.
function wordOf(value: unknown): string {
	const word = String(value).trim().toLowerCase();
	return /^-?\d+$/.test(word) ? word : word.replace(/[\s_-]+/g, '');
}

function saidOf({ name, value }: Pick<INodePropertyOptions, 'name' | 'value'>): string {
	return typeof value === 'number' ? ` (${name})` : '';
}

/** An email address; only its form is checked. */
export const email: ReadValue = (value, label) => {
	const address = written(value);
	if (!/^[^\s@]+@[^\s@]+$/.test(address)) {
		throw badValue(
			label,
			'is not an email address',
			`Give an address such as ada@example.com in "${label}".`,
		);
	}
	return address;
};

/** A color in hexadecimal form, with or without an alpha part (docs/api/README.md, "Tag"). */
export const hexColor: ReadValue = (value, label) => {
	const color = written(value);
	if (!/^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(color)) {
		throw badValue(label, 'is not a hex color', `Give a color such as #330000 in "${label}".`);
	}
	return color;
};

/**
 * A JSON object, as text or already as an object.
 *
 * @param example shown to the user when it is something else
 */
export function objectLike(example: string): (value: unknown, label: string) => IDataObject {
	return (value, label) => {
		const advice = `Give a JSON object in "${label}", e.g. ${example}.`;
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

/** A JSON object with any keys. */
export const jsonObject = objectLike('{ "key": "value" }');

/** Whether a value has keys of its own, as an object of JSON has. */
export function isMap(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A list: an array from an expression, or text separated by commas or line breaks, or JSON text of an array
 * (a model writes either).
 *
 * @param readOne how to read each element
 */
export function listOf(readOne: ReadValue): ReadValue {
	return (value, label) => {
		const given = typeof value === 'string' ? arrayIn(value) : value;
		return elementsOf(given, label)
			.filter((element) => !isEmptyElement(element))
			.map((element) => readOne(element, label));
	};
}

function elementsOf(value: unknown, label: string): unknown[] {
	if (Array.isArray(value)) return value;
	// Not as text, which would hide that a number was rounded.
	if (typeof value === 'number') return [value];
	return String(text(value, label)).split(/[,\n]/);
}

function arrayIn(value: string): unknown {
	return value.trimStart().startsWith('[') ? jsonParse(value, { fallbackValue: value }) : value;
}

function isEmptyElement(element: unknown): boolean {
	if (typeof element === 'object') return element === null;
	return element === undefined || String(element).trim() === '';
}

/**
 * Who can post: one of the documented numbers, or the announced list of role ids, which passes unchanged.
 *
 * @param options the documented numbers
 */
export function permission(options: INodePropertyOptions[]): ReadValue {
	const readOne = oneOf(options);
	return (value, label) => (Array.isArray(value) ? value : readOne(value, label));
}
