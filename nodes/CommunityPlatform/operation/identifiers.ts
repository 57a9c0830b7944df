import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../shared/failures/failure';
import { quoted, shortened } from '../../shared/failures/quote';
import type { NamedKind } from '../../shared/records/named';
import { ME } from '../../shared/records/named';
import { isRoundedInteger, mayBeRounded, withoutLeadingZeros } from './numbers';
import type { IdOrReference } from './reference';
import { whenKnown } from './reference';
import type { ReadValue } from './values';
import {
	badValue,
	filledText,
	isMap,
	jsonObject,
	listOf,
	objectLike,
	wholeNumber,
	written,
} from './values';

// "user_id, a dot, then sid" (specification, "User"); some endpoints take the user_id alone.
const MEMBER_ID = /^\d+(\.[^\s/?#]+)?$/;

// How the address of a page of the community names a post is not documented. A number anywhere else may be
// that of a board or of a comment, so only one behind the word is taken.
const AFTER_THE_WORD = /\/posts?\/(\d+)(?=[-/?#]|$)/i;

/**
 * The identifier of a board, role or tag, which can be given by its name instead.
 *
 * @param sent the type in which the API takes it
 */
export function namedId(
	kind: NamedKind,
	sent: (id: string, label: string) => string | number = String,
): ReadValue {
	return (value, label, mode) =>
		whenKnown([idOrName(kind, value, label, mode)], ([id]) => sent(id, label));
}

/** The number of a comment or a reply. */
export function numberOf(noun: string): ReadValue {
	return (value, label) => idOf(value, label, `${noun} ID`, numberIn(label));
}

/** The number of a post, which can be given by the address of its page instead. */
export const postNumber: ReadValue = (value, label) => {
	const text = written(value);
	const number = /^https?:/i.test(text) ? postAt(text, label) : value;
	return idOf(number, label, 'post ID', numberIn(label));
};

/** A member's msid ("user_id, a dot, then sid"), or the user_id alone where the API takes that. */
export const memberId: ReadValue = (value, label) => msidOrUserId(value, label);

/** The identifier of whatever can have tags: a number, or a user's msid. */
export const entityId: ReadValue = (value, label) => {
	const advice = `Give the number of the post, comment or reply, or the msid of the user, in "${label}".`;
	return memberIdOf(value, label, 'identifier', advice);
};

/** A member's msid; one who is given by the user_id alone is looked up. */
export const msid: ReadValue = (value, label) =>
	whenKnown([msidOrReference(value, label)], ([id]) => id);

/** The msid of who is the author of what is written: a member, or the one whose API key it is. */
export const authorMsid: ReadValue = (value, label) => {
	const isMe = written(value).toLowerCase() === ME.value;
	return whenKnown([isMe ? { to: 'me' } : msidOrReference(value, label)], ([id]) => id);
};

/** A list of identifiers with at least one, each once, joined by commas as the API's `ids` takes it. */
export const idList: ReadValue = (value, label) => {
	const advice = `Give at least one number in "${label}", e.g. 3, 14, 15.`;
	const readOne: ReadValue = (each) => idOf(each, label, 'tag ID', advice);
	const ids = listOf(readOne)(value, label) as string[];
	if (ids.length === 0) throw badValue(label, 'holds no identifier', advice);
	return [...new Set(ids)].join(',');
};

/**
 * Members as part of the map that the API calls member_changes.
 *
 * @param hasAccess what the map says about each of them
 */
export function memberChanges(hasAccess: boolean): ReadValue {
	return (value, label) =>
		whenKnown(listOf(memberOfText)(value, label) as IdOrReference[], (msids) =>
			Object.fromEntries(msids.map((msid) => [msid, hasAccess])),
		);
}

/** Members as rows of the editor, each with what becomes of the access. */
export const memberRows: ReadValue = (value, label) => {
	const rows = rowsOf(
		value,
		label,
		'members',
		'{ "members": [{ "userId": "42.a1b2c3", "access": "add" }] }',
	);
	const access = rows.map((row) => {
		const { access: given = 'add' } = isMap(row) ? row : {};
		if (given !== 'add' && given !== 'remove') {
			throw badValue(
				'Access',
				'has a value that is not offered',
				'Give add or remove in "Access".',
			);
		}
		return given === 'add';
	});
	const members = rows.map((row) =>
		msidOrReference(locatorValue(cellOf(row, 'userId')) ?? '', 'User'),
	);
	return whenKnown(members, (msids) => {
		const changes: IDataObject = {};
		for (const [index, msid] of msids.entries()) {
			if (changes[msid] === !access[index]) throw addedAndRemoved(msid, label);
			changes[msid] = access[index];
		}
		return changes;
	});
};

/** The failure for a member who is to be given access and to lose it. */
export function addedAndRemoved(msid: string, label: string): Failure {
	return new Failure(
		`The member ${shortened(msid)} is both added and removed`,
		`Name each member in one place only: "${label}" has one that is named twice.`,
	);
}

/** The order of boards as rows of the editor: the first becomes position 1. */
export const boardRows: ReadValue = (value, label) => {
	const rows = rowsOf(value, label, 'boards', '{ "boards": [{ "boardId": "42" }] }');
	const boards = rows.map((row) => {
		const cell = cellOf(row, 'boardId');
		return idOrName('board', locatorValue(cell) ?? '', 'Board', locatorMode(cell));
	});
	return whenKnown(boards, (ids) => {
		if (new Set(ids).size !== ids.length) throw boardTwice(label);
		return requireBoards(Object.fromEntries(ids.map((id, index) => [id, index + 1])), label);
	});
};

/** The order of boards as a map of board id to position. */
export const boardPositions: ReadValue = (value, label) => {
	const positions = Object.entries(jsonObject(value, label) as IDataObject).map(
		([id, position]) =>
			[
				idOf(id, label, 'board ID', numberIn(label)),
				wholeNumber(1)(position, label) as number,
			] as const,
	);
	if (new Set(positions.map(([id]) => id)).size !== positions.length) throw boardTwice(label);
	if (new Set(positions.map(([, position]) => position)).size !== positions.length) {
		throw badValue(
			label,
			'gives a position twice',
			`Give each board its own position in "${label}", starting at 1.`,
		);
	}
	return requireBoards(Object.fromEntries(positions), label);
};

/**
 * @param value a parameter's value
 * @returns what a resource locator points at; other values as they are
 */
export function locatorValue(value: unknown): unknown {
	return isLocator(value) ? value.value : value;
}

/**
 * @param value a parameter's value
 * @returns the mode in which a resource locator was given; undefined for other values
 */
export function locatorMode(value: unknown): string | undefined {
	return isLocator(value) ? value.mode : undefined;
}

function isLocator(value: unknown): value is { value?: unknown; mode?: string } {
	return typeof value === 'object' && value !== null && '__rl' in value;
}

function idOrName(kind: NamedKind, value: unknown, label: string, mode?: string): IdOrReference {
	// A model is not told in which way it is to name a record, so that it may do so in either.
	const isId = typeof value === 'number' || /^\d+$/.test(written(value));
	const isName = mode === 'name' || (mode === 'either' && !isId);
	if (isName) {
		return { to: 'name', kind, name: (filledText(value, label) as string).trim(), label };
	}
	return idOf(value, label, `${kind} ID`, `Choose the ${kind} from the list, or By Name.`);
}

// A whole number, sent as text.
function idOf(value: unknown, label: string, noun: string, advice: string): string {
	const id = written(value);
	if (isBlank(value)) throw badValue(label, 'is empty', advice);
	if (isRoundedInteger(value)) throw mayBeRounded(label);
	if (!/^\d+$/.test(id)) throw new Failure(`${said(value)} is not a ${noun}`, advice);
	return withoutLeadingZeros(id);
}

// A number with a point may have lost a zero at its end: 42.10 and 42.1 are two members.
function memberIdOf(value: unknown, label: string, noun: string, advice: string): string {
	const id = written(value);
	if (!MEMBER_ID.test(id) && !isRoundedInteger(value)) {
		throw new Failure(`${said(value)} is not an ${noun}`, advice);
	}
	if (typeof value === 'number' && !Number.isSafeInteger(value)) throw mayBeRounded(label);
	return withoutLeadingZeros(id);
}

// A parameter that is empty has been passed over by then; a row or a key of JSON has not.
function isBlank(value: unknown): boolean {
	return typeof value === 'string' && value.trim() === '';
}

function numberIn(label: string): string {
	return `Give a number in "${label}", e.g. 42.`;
}

function memberOfText(value: unknown, label: string): IdOrReference {
	return msidOrReference(value, label, `Give msids in "${label}", e.g. 42.a1b2c3, 43.d4e5f6.`);
}

function msidOrUserId(
	value: unknown,
	label: string,
	advice = `Choose the user from the list, or give the msid in "${label}", e.g. 42.a1b2c3.`,
): string {
	if (isBlank(value)) throw badValue(label, 'is empty', advice);
	return memberIdOf(value, label, 'msid', advice);
}

function msidOrReference(value: unknown, label: string, advice?: string): IdOrReference {
	const id = msidOrUserId(value, label, advice);
	return id.includes('.') ? id : { to: 'userId', userId: id };
}

function postAt(address: string, label: string): string {
	const [, number] = AFTER_THE_WORD.exec(address) ?? [];
	if (number !== undefined) return number;
	throw badValue(
		label,
		'has an address in which the number of a post was not recognised',
		`Give the number of the post alone in "${label}", e.g. 42.`,
	);
}

function said(value: unknown): string {
	if (typeof value === 'object') return Array.isArray(value) ? 'A list' : 'An object';
	return quoted(String(value));
}

function boardTwice(label: string): Failure {
	return badValue(label, 'names a board twice', `Name each board once in "${label}".`);
}

function rowsOf(value: unknown, label: string, key: string, example: string): unknown[] {
	const rows = objectLike(example)(value, label)[key] ?? [];
	return Array.isArray(rows) ? (rows as unknown[]) : [rows];
}

// A row that is a bare value is its only cell.
function cellOf(row: unknown, name: string): unknown {
	return isMap(row) ? row[name] : row;
}

function requireBoards<T extends object>(map: T, label: string): T {
	if (Object.keys(map).length === 0) {
		throw badValue(label, 'names no board', `Name at least one board in "${label}".`);
	}
	return map;
}
