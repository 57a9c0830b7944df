import { allOf } from '../../shared/failure';
import {
	ME,
	type NamedKind,
	isIdentifier,
	isMemberId,
	isMsid,
} from '../../shared/records/identity';
import { asciiDomain, foldName, normalized, trimmed, unquoted } from '../../shared/text';
import {
	addressIn,
	badValue,
	email,
	filledText,
	isBlank,
	listOf,
	notUsable,
} from '../../shared/values';
import type { Convert } from '../actions/field';

/** How a member can be named instead of by ID. */
export type MemberKey = 'username' | 'email';

/** A record by anything but its ID, which only the API knows. For a member, `id` is the user_id or "me". */
export type Reference =
	| { kind: NamedKind; by: 'name'; text: string; label: string }
	| { kind: 'user'; by: 'id' | MemberKey; text: string; label: string; isOfList?: boolean };

/** Stands for the ID of a member of a list who was not found and is left out. */
export const NOT_FOUND = '';

/** A value with references. They are looked up after all items were read, so nothing is sent for a bad value. */
export class LookUp {
	private constructor(
		private readonly parts: ReadonlyArray<string | Reference>,
		private readonly use: (ids: string[]) => unknown,
	) {}

	/** Returns what `use` makes of the IDs if all are known, otherwise a LookUp. */
	static of(parts: Array<string | Reference>, use: (ids: string[]) => unknown): unknown {
		const isKnown = parts.every((part) => typeof part === 'string');
		return isKnown ? use(parts) : new LookUp(parts, use);
	}

	get references(): Reference[] {
		return this.parts.filter((part) => typeof part !== 'string');
	}

	/** @throws Failure that names all that were not found, and what `find` and `use` throw */
	async value(find: (reference: Reference) => Promise<string>): Promise<unknown> {
		const ids = await allOf(
			this.parts.map(async (part) => (typeof part === 'string' ? part : await find(part))),
		);
		return this.use(ids);
	}
}

// The form of the URL of a post is not documented. A number elsewhere may be the ID of a board or a comment, so only
// one after the word counts.
const AFTER_THE_WORD = /\/posts?\/(\d+)(?=[-/?#]|$)/i;

/** Reads the ID or the name of a board, role or tag. `sent` converts the ID to the API's type. */
export function namedId(
	kind: NamedKind,
	sent: (id: string, label: string) => unknown = String,
): Convert {
	return (value, label, mode) =>
		LookUp.of([idOrName(kind, value, label, mode)], ([id]) => sent(id, label));
}

/** Reads the IDs or the names of at least one role. */
export const rolesIn: Convert = (value, label) => {
	const readOne: Convert = (role) => idOrName('role', role, label);
	const roles = listOf(readOne)(value, label) as Array<string | Reference>;
	if (roles.length > 0) return LookUp.of(roles, (ids) => ids);
	throw badValue(label, 'contains no role', `Enter at least one role in '${label}'.`);
};

/** The same, to be combined with others. */
export function idOrName(
	kind: NamedKind,
	value: unknown,
	label: string,
	mode?: string,
): string | Reference {
	const isName = typeof value === 'string' && !isBlank(value) && !/^\d+$/.test(trimmed(value));
	if (isName || mode === 'name') {
		return { kind, by: 'name', text: trimmed(filledText(value, label)), label };
	}
	const advice = `Enter the ID or the name of the ${kind} in '${label}'. 'Get Many' lists all ${kind}s.`;
	return numericId(value, label, `${kind} ID`, advice);
}

/** Reads an ID that is a whole number, as text without leading zeros, because 5 and 05 are one record. */
function numericId(
	value: unknown,
	label: string,
	noun: string,
	advice = `Enter a number in '${label}', e.g. 42.`,
): string {
	return identifierLike((id) => /^\d+$/.test(id), value, label, `a ${noun}`, advice);
}

/** Reads the ID of a comment or a reply. */
export function numberOf(noun: string): Convert {
	return (value, label) => numericId(withoutSign(value), label, `${noun} ID`);
}

// As people write a number: #42.
function withoutSign(value: unknown): unknown {
	return typeof value === 'string' ? trimmed(value).replace(/^#(?=\d)/, '') : value;
}

/** Reads the ID of a post, or the URL of its page. */
export const postNumber: Convert = (value, label) => {
	const address = trimmed(value);
	if (!/^https?:/i.test(address)) return numericId(withoutSign(value), label, 'post ID');
	const [, number] = AFTER_THE_WORD.exec(address) ?? [];
	if (number !== undefined) return numericId(number, label, 'post ID');
	throw badValue(
		label,
		'contains a URL without the ID of a post',
		`Enter only the ID of the post in '${label}', e.g. 42.`,
	);
};

/** Reads a member's msid, or the user_id if the API accepts that. */
export const memberId: Convert = (value, label, mode) =>
	LookUp.of([memberReference(value, label, mode) ?? memberIdIn(value, label)], ([id]) => id);

/** Reads a member's msid. */
export const memberMsid: Convert = (value, label, mode) =>
	LookUp.of([msidOrReference(value, label, mode)], ([msid]) => msid);

/** The same, to be combined with others. A reference if it is a user_id, a username, an email address or "me". */
function msidOrReference(value: unknown, label: string, mode?: string): string | Reference {
	const reference = memberReference(value, label, mode);
	if (reference) return reference;
	const id = memberIdIn(value, label);
	return isMsid(id) ? id : { kind: 'user', by: 'id', text: id, label };
}

// What a mail program copies: "Weber, Hana" <u5@x.io>; Miller, Bob <u10@x.io>. A comma inside a name divides nothing.
const PERSON = /(?:"[^"\n]*"|[^,;\n])+/g;
const NAME = /^[\p{L}\p{M}\s'’.-]+$/u;
const NAME_WITH_ADDRESS = /^[\p{L}\p{M}\s'’.-]+<[^<>]+>\s*$/u;

function splitPeople(lines: string): string[] {
	const people: string[] = [];
	let end = -1;
	for (const { 0: part, index } of lines.matchAll(PERSON)) {
		const before = lines[end] === ',' && index === end + 1 ? people.at(-1) : undefined;
		const isOne = before !== undefined && NAME.test(before) && NAME_WITH_ADDRESS.test(part);
		if (isOne) people.pop();
		people.push(isOne ? `${before},${part}` : part);
		end = index + part.length;
	}
	return people;
}

/** Reads several members. One who can be left out has the ID {@link NOT_FOUND} then. */
export const membersOfList = listOf(msidOfList, splitPeople);

/** Reads a member of a list. */
export function msidOfList(value: unknown, label: string, mode?: string): string | Reference {
	const member = msidOrReference(value, label, mode);
	return typeof member !== 'string' && member.kind === 'user'
		? { ...member, isOfList: true }
		: member;
}

function memberReference(value: unknown, label: string, mode?: string): Reference | undefined {
	const isMe = [ME.value, ME.name.toLowerCase()].includes(trimmed(value).toLowerCase());
	if (isMe && mode !== 'username' && mode !== 'email') {
		return { kind: 'user', by: 'id', text: ME.value, label };
	}
	const by = memberKeyOf(value, mode);
	if (by === undefined) return undefined;
	const text = (by === 'email' ? email : usernameText)(value, label) as string;
	return { kind: 'user', by, text, label };
}

const usernameText: Convert = (value, label) => {
	const name = unquoted(trimmed(filledText(value, label))).replace(/^@/, '');
	if (/^[^\s@"'/?#]+$/.test(name)) return name;
	throw notUsable(
		value,
		'is not a username',
		`Enter a username, an email address or a member ID (msid) in '${label}'. 'Get Many' lists usernames.`,
	);
};

function memberKeyOf(value: unknown, mode?: string): MemberKey | undefined {
	if (mode === 'username' || mode === 'email') return mode;
	const text = unquoted(trimmed(value));
	if (typeof value !== 'string') return undefined;
	// An @ in front is part of a handle.
	if (/.@/.test(text)) return 'email';
	return /^[^/?#]+$/.test(text) && !isMemberId(text) ? 'username' : undefined;
}

/**
 * The form of a username or an email address for comparison. Case, Unicode form, white space around it, the @ of a
 * username, and a domain in Unicode or ASCII (xn--) do not count.
 */
export function nameKey(by: MemberKey, text: unknown): string {
	if (by === 'username') return `username ${foldName(text).replace(/^@/, '')}`;
	const address = normalized(addressIn(text) ?? '').toLowerCase();
	const [local, domain = ''] = address.split('@');
	return `email ${local}@${asciiDomain(domain) ?? domain}`;
}

function memberIdIn(value: unknown, label: string): string {
	const advice = `Enter a username, an email address or a member ID (msid) in '${label}', e.g. 42.a1b2c3.`;
	return identifierLike(isMemberId, withoutSign(value), label, 'a member ID', advice);
}

/** Reads at least one ID, each once, joined by commas as the API's `ids` expects. */
export const idList: Convert = (value, label) => {
	const advice = `Enter at least one tag ID in '${label}', e.g. 3, 14, 15.`;
	const ids = listOf((each) => numericId(each, label, 'tag ID', advice))(value, label) as string[];
	if (ids.length === 0) throw badValue(label, 'contains no ID', advice);
	return [...new Set(ids)].join(',');
};

/** Converts an ID to a number. Refuses one that would be rounded, because it would name another record. */
export function toExactNumber(id: string, label: string): number {
	if (isIdentifier(Number(id))) return Number(id);
	const advice = `Enter a number of at most ${Number.MAX_SAFE_INTEGER} in '${label}'.`;
	throw badValue(label, 'is out of range', advice);
}

/** Returns an ID as the API does: a number, or text if a number would be another ID. */
export function toNumberIfExact(id: unknown): number | string {
	const number = Number(id);
	// An msid such as 42.0 is no number.
	return isIdentifier(number) && String(number) === String(id) ? number : String(id);
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
	// A number with a point may have lost a zero at its end, although 42.10 and 42.1 are two members.
	if (typeof value === 'number' && value >= 0 && !isIdentifier(value)) {
		throw badValue(
			label,
			'contains an ID that may have lost digits',
			'Have the previous node return the ID as text, e.g. format its column in the spreadsheet as plain text. n8n rounds numbers with more than 15 digits, and drops zeros at the end of a decimal number.',
		);
	}
	if (!isOne(id)) throw notUsable(value, `is not ${what}`, advice);
	return id.replace(/^0+(?=\d)/, '');
}
