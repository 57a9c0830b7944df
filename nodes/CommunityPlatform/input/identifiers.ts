import { Failure, quoted } from '../../shared/transport/failure';
import type { NamedKind } from '../../shared/records/named';
import { ME } from '../../shared/records/named';
import { isRoundedInteger, mayBeRounded, withoutLeadingZeros } from './numbers';
import type { IdOrReference } from './reference';
import { whenKnown } from './reference';
import type { ReadValue } from './values';
import { badValue, filledText, listOf, written } from './values';

/** In place of the mode of a resource locator: an ID or a name, whichever the value looks like. */
export const EITHER = 'either';

/** The same, given by a model. */
export const BY_MODEL = 'model';

// "user_id, a dot, then sid" (docs/api/openapi.yaml, `User`); some endpoints take the user_id alone.
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
	return (value, label) => numericId(value, label, `${noun} ID`, numberIn(label));
}

/** The number of a post, which can be given by the address of its page instead. */
export const postNumber: ReadValue = (value, label) => {
	const text = written(value);
	const number = /^https?:/i.test(text) ? postAt(text, label) : value;
	return numericId(number, label, 'post ID', numberIn(label));
};

/** A member's msid ("user_id, a dot, then sid"), or the user_id alone where the API takes that. */
export const memberId: ReadValue = (value, label, mode) =>
	msidOrUserId(value, label, howToGive(label, mode));

/** The identifier of a record that can have tags: a number, or a user's msid. */
export const entityId: ReadValue = (value, label) => {
	const advice = `Give the number of the post, comment or reply, or the msid of the user, in "${label}".`;
	return memberIdOf(value, label, 'an identifier', advice);
};

/** A member's msid; one who is given by the user_id alone is looked up. */
export const msid: ReadValue = (value, label, mode) =>
	whenKnown([msidOrReference(value, label, howToGive(label, mode))], ([id]) => id);

/** The msid of an author: a member, or the owner of the API key. */
export const authorMsid: ReadValue = (value, label, mode) => {
	const isMe = written(value).toLowerCase() === ME.value;
	const author: IdOrReference = isMe
		? { to: 'me' }
		: msidOrReference(value, label, howToGive(label, mode));
	return whenKnown([author], ([id]) => id);
};

/** A list of identifiers with at least one, each once, joined by commas as the API's `ids` takes it. */
export const idList: ReadValue = (value, label) => {
	const advice = `Give at least one number in "${label}", e.g. 3, 14, 15.`;
	const readOne: ReadValue = (each) => numericId(each, label, 'tag ID', advice);
	const ids = listOf(readOne)(value, label) as string[];
	if (ids.length === 0) throw badValue(label, 'holds no identifier', advice);
	return [...new Set(ids)].join(',');
};

/**
 * The identifier of a board, role or tag, or the name that was given instead.
 *
 * @param mode of the resource locator; {@link EITHER} where the form of the value decides
 */
export function idOrName(
	kind: NamedKind,
	value: unknown,
	label: string,
	mode?: string,
): IdOrReference {
	// The description of a tool's argument does not say which of the two to give, so a model may give either.
	const isId = typeof value === 'number' || /^\d+$/.test(written(value));
	const isByModel = mode === BY_MODEL;
	const isName = mode === 'name' || ((isByModel || mode === EITHER) && !isId);
	if (isName) {
		const name = (filledText(value, label) as string).trim();
		return { to: 'name', kind, name, label, ...(isByModel && { isByModel }) };
	}
	return numericId(value, label, `${kind} ID`, `Choose the ${kind} from the list, or By Name.`);
}

/**
 * An identifier that is a whole number, sent as text.
 *
 * @param noun what it is called in a Failure
 */
export function numericId(value: unknown, label: string, noun: string, advice: string): string {
	const id = written(value);
	if (isBlankText(value)) throw badValue(label, 'is empty', advice);
	if (isRoundedInteger(value)) throw mayBeRounded(label);
	if (!/^\d+$/.test(id)) throw new Failure(`${said(value)} is not a ${noun}`, advice);
	return withoutLeadingZeros(id);
}

// A number with a point may have lost a zero at its end: 42.10 and 42.1 are two members.
function memberIdOf(value: unknown, label: string, noun: string, advice: string): string {
	const id = written(value);
	if (!MEMBER_ID.test(id) && !isRoundedInteger(value)) {
		throw new Failure(`${said(value)} is not ${noun}`, advice);
	}
	if (typeof value === 'number' && !Number.isSafeInteger(value)) throw mayBeRounded(label);
	return withoutLeadingZeros(id);
}

// An empty parameter is never read; an empty row or key of JSON is.
function isBlankText(value: unknown): boolean {
	return typeof value === 'string' && value.trim() === '';
}

/** Advice to give a number in a parameter. */
export function numberIn(label: string): string {
	return `Give a number in "${label}", e.g. 42.`;
}

// A model has no list to choose from.
function howToGive(label: string, mode?: string): string {
	return mode === BY_MODEL
		? `Give the msid in "${label}", e.g. 42.a1b2c3, or the user number: look it up, or ask the person for it.`
		: `Choose the user from the list, or give the msid in "${label}", e.g. 42.a1b2c3, or the user number.`;
}

function msidOrUserId(value: unknown, label: string, advice = howToGive(label)): string {
	if (isBlankText(value)) throw badValue(label, 'is empty', advice);
	return memberIdOf(value, label, 'the msid of a user', advice);
}

/**
 * A member's msid, or the user_id that was given instead.
 *
 * @param advice on what to give, in place of the general one
 */
export function msidOrReference(value: unknown, label: string, advice?: string): IdOrReference {
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
