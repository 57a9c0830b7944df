import { isIdentifier, isMemberId, isMsid } from '../../shared/records/identity';
import type { NamedKind } from '../../shared/names';
import { ME } from '../../shared/names';
import { Failure, combined } from '../../shared/transport';
import { trimmed } from '../../shared/text';
import type { PersonKey } from './addresses';
import { addressIn } from './addresses';
import type { ReadValue } from './values';
import { badValue, email, filledText, isBlank, listOf, notUsable } from './values';

/** In place of the mode of a resource locator: an ID or a name, whichever the value looks like. A model gives either. */
export const ID_OR_NAME = 'either';

/** Finds what only the API knows. */
export interface Directory {
	/** The identifier of a board, role or tag; the label is that of the parameter. */
	idNamed(kind: NamedKind, name: string, label: string): Promise<string>;
	members: {
		/** The msid of a member by the number alone, or of the owner of the API key ('me'). */
		msidOf(id: string): Promise<string>;
		/** The msid of a member by the username or the email address; the label is that of the parameter. */
		msidOfPerson(by: PersonKey, text: string, label: string): Promise<string>;
	};
}

/** A value that only the API knows: looked up after all items were read, so that nothing is sent for a bad value. */
export type LookUp = (directory: Directory) => Promise<unknown>;

// How the address of a page of the community names a post is not documented. A number anywhere else may be
// that of a board or of a comment, so only one behind the word is taken.
const AFTER_THE_WORD = /\/posts?\/(\d+)(?=[-/?#]|$)/i;

/** A value made of others, of which some may have to be looked up: the value where all are known, else a LookUp. */
export function madeOf(
	given: Array<string | LookUp>,
	valueOf: (known: string[]) => unknown,
): unknown {
	if (given.every((each) => typeof each === 'string')) return valueOf(given);
	return async (directory: Directory) => {
		const failures: Failure[] = [];
		const found = given.map(async (each) => {
			if (typeof each === 'string') return each;
			return (await each(directory).catch((error: unknown) => {
				if (!(error instanceof Failure)) throw error;
				failures.push(error);
			})) as string;
		});
		const known = await Promise.all(found);
		if (failures.length > 0) throw combined(failures);
		return valueOf(known);
	};
}

/** The identifier of a board, role or tag, which can be given by its name instead; `sent` makes the API's type of it. */
export function namedId(
	kind: NamedKind,
	sent: (id: string, label: string) => unknown = String,
): ReadValue {
	return (value, label, mode) =>
		madeOf([idOrName(kind, value, label, mode)], ([id]) => sent(id, label));
}

/** The same, to be combined with others. */
export function idOrName(
	kind: NamedKind,
	value: unknown,
	label: string,
	mode?: string,
): string | LookUp {
	const looksLikeName = typeof value !== 'number' && !/^\d+$/.test(trimmed(value));
	if (mode === 'name' || (mode === ID_OR_NAME && looksLikeName)) {
		const name = trimmed(filledText(value, label));
		return async (directory) => await directory.idNamed(kind, name, label);
	}
	return numericId(value, label, `${kind} ID`, `Choose the ${kind} from the list, or By Name.`);
}

/** An identifier that is a whole number, as text without leading zeros: 5 and 05 are one record. */
export function numericId(value: unknown, label: string, noun: string, advice: string): string {
	return identifierLike((id) => /^\d+$/.test(id), value, label, `a ${noun}`, advice);
}

/** The number of a comment or a reply. */
export function numberOf(noun: string): ReadValue {
	return (value, label) => numericId(value, label, `${noun} ID`, numberIn(label));
}

/** The number of a post, which can be given by the address of its page instead. */
export const postNumber: ReadValue = (value, label) => {
	const address = trimmed(value);
	if (!/^https?:/i.test(address)) return numericId(value, label, 'post ID', numberIn(label));
	const [, number] = AFTER_THE_WORD.exec(address) ?? [];
	if (number !== undefined) return numericId(number, label, 'post ID', numberIn(label));
	throw badValue(
		label,
		'has an address in which the number of a post was not recognised',
		`Give the number of the post alone in '${label}', e.g. 42.`,
	);
};

/** A member's msid, or the user_id alone where the API takes that. */
export const memberId: ReadValue = (value, label, mode) =>
	memberLookUp(value, label, mode) ?? memberIdIn(value, label);

/** A member's msid; one who is given by the user_id, the username or the email address, or as "me", is looked up. */
export function msidOrLookUp(value: unknown, label: string, mode?: string): string | LookUp {
	const lookUp = memberLookUp(value, label, mode);
	if (lookUp) return lookUp;
	const id = memberIdIn(value, label);
	return isMsid(id) ? id : async ({ members }) => await members.msidOf(id);
}

function memberLookUp(value: unknown, label: string, mode?: string): LookUp | undefined {
	const isMe = [ME.value, ME.name.toLowerCase()].includes(trimmed(value).toLowerCase());
	if (isMe && mode !== 'username' && mode !== 'email') {
		return async ({ members }) => await members.msidOf(ME.value);
	}
	const by = mode === ID_OR_NAME ? personKeyOf(value) : isAddressById(value, mode) ? 'email' : mode;
	if (by !== 'username' && by !== 'email') return undefined;
	const text = (by === 'email' ? email : usernameText)(value, label) as string;
	return async ({ members }) => await members.msidOfPerson(by, text, label);
}

// What is dragged into a field of the editor is given By ID, whatever it is.
function isAddressById(value: unknown, mode?: string): boolean {
	return mode === 'id' && addressIn(value) !== undefined && !isMemberId(trimmed(value));
}

const usernameText: ReadValue = (value, label) => {
	const name = trimmed(filledText(value, label)).replace(/^@/, '');
	if (/^[^\s@"'/?#]+$/.test(name)) return name;
	throw notUsable(
		value,
		'is not a username',
		`Give a username in '${label}', an email address (By Email) or the msid (By ID). Get Many lists users with their names.`,
	);
};

// An @ in front is part of a handle; an identifier is digits, or digits, a dot and a text.
function personKeyOf(value: unknown): PersonKey | undefined {
	const text = trimmed(value);
	if (/.@/.test(text)) return 'email';
	const isUsername = typeof value === 'string' && /^[^/?#]+$/.test(text) && !isMemberId(text);
	return isUsername ? 'username' : undefined;
}

function memberIdIn(value: unknown, label: string): string {
	const advice = `Give the msid in '${label}', e.g. 42.a1b2c3, as every user item shows it, or choose By Username or By Email.`;
	return identifierLike(isMemberId, value, label, 'the msid of a user', advice);
}

/** The identifier of a record that can have tags: a number, or a user's msid. */
export const entityId: ReadValue = (value, label) => {
	const advice = `Give the number of the post, comment or reply, or the msid of the user, in '${label}'.`;
	return identifierLike(isMemberId, value, label, 'an identifier', advice);
};

/** A list of identifiers with at least one, each once, joined by commas as the API's `ids` takes it. */
export const idList: ReadValue = (value, label) => {
	const advice = `Give at least one number in '${label}', e.g. 3, 14, 15.`;
	const ids = listOf((each) => numericId(each, label, 'tag ID', advice))(value, label) as string[];
	if (ids.length === 0) throw badValue(label, 'holds no identifier', advice);
	return [...new Set(ids)].join(',');
};

/**
 * An identifier for a field that the API takes as a number only.
 *
 * @throws Failure when a number would be rounded, and so would name another record
 */
export function toExactNumber(id: string, label: string): number {
	if (isIdentifier(Number(id))) return Number(id);
	const advice = `Give a number of at most ${Number.MAX_SAFE_INTEGER} in '${label}'.`;
	throw badValue(label, 'is out of range', advice);
}

/** An identifier as the API shows it: a number; text if a number would be rounded. */
export function toNumberIfExact(id: unknown): number | string {
	return isIdentifier(Number(id)) ? Number(id) : String(id);
}

export function numberIn(label: string): string {
	return `Give a number in '${label}', e.g. 42.`;
}

function identifierLike(
	isOne: (id: string) => boolean,
	value: unknown,
	label: string,
	what: string,
	advice: string,
): string {
	if (isBlank(value)) throw badValue(label, 'is empty', advice);
	const id = trimmed(value);
	// A number with a point may have lost a zero at its end: 42.10 and 42.1 are two members.
	if (typeof value === 'number' && value >= 0 && !isIdentifier(value)) {
		throw badValue(
			label,
			'is a number that may have been rounded',
			'Give it as text: a number with more than 15 digits, or with a point, does not keep all of them.',
		);
	}
	if (!isOne(id)) throw notUsable(value, `is not ${what}`, advice);
	return id.replace(/^0+(?=\d)/, '');
}
