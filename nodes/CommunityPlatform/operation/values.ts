import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { Failure } from '../../shared/failures/failure';

/**
 * Reads one value: what an expression or a spreadsheet gave becomes what the API takes.
 *
 * @param value as n8n resolved it; never undefined, null or a resource locator object
 * @param label the parameter's label in the editor
 * @throws Failure naming the parameter and what to give instead
 */
export type ReadValue = (value: unknown, label: string) => unknown;

/** The failure for a parameter that holds something else than it should. */
export function badValue(label: string, reason: string, advice: string): Failure {
	return new Failure(`The parameter "${label}" ${reason}`, advice);
}

// Objects and lists are none of the values that are told apart by their text; one that came from JSON
// may not even be convertible to text.
function written(value: unknown): string {
	return typeof value === 'object' ? '' : String(value).trim();
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

/** The name of a tag: something must remain without the hash sign, or a search for it finds every tag. */
export const tagName: ReadValue = (value, label) => {
	const name = filledText(value, label) as string;
	if (/^[\s#]*$/.test(name)) {
		throw badValue(
			label,
			'has nothing but a hash sign',
			`Give a name such as HowTo in "${label}".`,
		);
	}
	return name;
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
		if (!Number.isSafeInteger(number) || (number as number) < least || (number as number) > most) {
			const range =
				most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
			throw badValue(label, 'is out of range', `Give a whole number ${range} in "${label}".`);
		}
		return number;
	};
}

/**
 * One of the values of a dropdown.
 *
 * @param allowed the values; text that spells one of them counts
 */
export function oneOf(allowed: unknown[]): ReadValue {
	return (value, label) => {
		const found = allowed.find((one) => String(one) === written(value));
		if (found === undefined) {
			throw badValue(
				label,
				'has a value that is not offered',
				`Give one of these in "${label}": ${allowed.join(', ')}.`,
			);
		}
		return found;
	};
}

/** The identifier of a board, post, comment, reply or tag: a whole number, sent as text. */
export const numericId: ReadValue = (value, label) => {
	const id = written(value);
	if (!/^\d+$/.test(id)) {
		throw badValue(label, 'is not an identifier', `Give a number in "${label}", e.g. 42.`);
	}
	return id;
};

/** An identifier that the API takes as a number. */
export const integerId: ReadValue = (value, label) => Number(numericId(value, label));

/** A member's msid ("user_id, a dot, then sid"), or the numeric user_id where the API takes that. */
export const memberId: ReadValue = (value, label) => {
	const id = written(value);
	if (!/^\d+(\.[^\s/?#]+)?$/.test(id)) {
		throw badValue(
			label,
			"is not a member's identifier",
			`Give the member's msid in "${label}", e.g. 42.a1b2c3.`,
		);
	}
	return id;
};

/** An email address, as far as its form can be told from the outside. */
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

/** A color in hexadecimal form, with or without an alpha part (specification, "Tag"). */
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
 * A list: an array from an expression, or text separated by commas or line breaks.
 *
 * @param readOne how to read each element
 */
export function listOf(readOne: ReadValue): ReadValue {
	return (value, label) => {
		const elements = Array.isArray(value) ? value : String(text(value, label)).split(/[,\n]/);
		return elements
			.filter((element) => !isBlank(element))
			.map((element) => readOne(element, label));
	};
}

function isBlank(element: unknown): boolean {
	if (typeof element === 'object') return element === null;
	return element === undefined || String(element).trim() === '';
}

/** A list of identifiers with at least one, each once, joined by commas as the API's `ids` takes it. */
export const idList: ReadValue = (value, label) => {
	const ids = listOf(numericId)(value, label) as string[];
	if (ids.length === 0) {
		throw badValue(
			label,
			'holds no identifier',
			`Give at least one number in "${label}", e.g. 3, 14, 15.`,
		);
	}
	// 007 is the tag 7: written in one way, a tag is not asked for twice.
	return [...new Set(ids.map((id) => id.replace(/^0+(?=\d)/, '')))].join(',');
};

/**
 * Members as part of the map that the API calls member_changes.
 *
 * @param hasAccess what the map says about each of them
 */
export function memberChanges(hasAccess: boolean): ReadValue {
	return (value, label) => {
		const msids = listOf(memberId)(value, label) as string[];
		return Object.fromEntries(msids.map((msid) => [msid, hasAccess]));
	};
}

const boardList = objectLike('{ "boards": [{ "boardId": "42" }] }');

/** The order of boards as rows of the editor: the first becomes position 1. */
export const boardRows: ReadValue = (value, label) => {
	const { boards = [] } = boardList(value, label);
	const rows = Array.isArray(boards) ? (boards as unknown[]) : [boards];
	const ids = rows.map((row) => {
		const boardId = isMap(row) ? locatorValue(row.boardId) : row;
		return numericId(boardId ?? '', 'Board') as string;
	});
	if (new Set(ids).size !== ids.length) {
		throw badValue(label, 'names a board twice', `Name each board once in "${label}".`);
	}
	return requireEntries(Object.fromEntries(ids.map((id, index) => [id, index + 1])), label);
};

/** The order of boards as a map of board id to position. */
export const boardPositions: ReadValue = (value, label) => {
	const positions = Object.entries(jsonObject(value, label)).map(
		([id, position]) =>
			[numericId(id, label) as string, wholeNumber(1)(position, label) as number] as const,
	);
	if (new Set(positions.map(([, position]) => position)).size !== positions.length) {
		throw badValue(
			label,
			'gives a position twice',
			`Give each board a position of its own in "${label}", starting at 1.`,
		);
	}
	return requireEntries(Object.fromEntries(positions), label);
};

/** Who can post: one of the documented numbers, or the announced list of role ids, which passes unchanged. */
export const permission: ReadValue = (value, label) =>
	Array.isArray(value) ? value : oneOf([1, 5, 10])(value, label);

/**
 * @param value a parameter's value
 * @returns what a resource locator points at; other values as they are
 */
export function locatorValue(value: unknown): unknown {
	const isLocator = typeof value === 'object' && value !== null && '__rl' in value;
	return isLocator ? (value as { value?: unknown }).value : value;
}

function requireEntries<T extends object>(map: T, label: string): T {
	if (Object.keys(map).length === 0) {
		throw badValue(label, 'names no board', `Name at least one board in "${label}".`);
	}
	return map;
}
