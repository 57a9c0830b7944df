import type { IDataObject } from 'n8n-workflow';
import { board, role, tagSummary, type RecordType } from './types';

// No separators, encoded characters, halves of characters or steps upwards.
const SEGMENT = /^(?!\.{1,2}$)[^\s/\\?#%\p{Cc}\p{Cs}]+$/u;
// "user_id, a dot, then sid" (docs/api/README.md, "User"), or the user_id alone. Lists are not IDs.
const MEMBER_ID = /^\d+(\.[^\s/\\?#%,;|\p{Cc}\p{Cs}]+)?$/u;

/** Whether a value can identify a record: text, or a number that JSON has not rounded (docs/decisions.md, A16). */
export function isIdentifier(value: unknown): value is string | number {
	return typeof value === 'string' ? SEGMENT.test(value) : Number.isSafeInteger(value);
}

/** The same for a member: an msid or a user_id. A word could be another path, e.g. `/users/me`. */
export function isMemberId(value: unknown): value is string | number {
	return isIdentifier(value) && MEMBER_ID.test(String(value));
}

/** Whether a value is an msid. */
export function isMsid(value: unknown): value is string {
	return typeof value === 'string' && isMemberId(value) && value.includes('.');
}

// The API documents only numbers. A word can be another endpoint, such as /tags/mapping.
function isNumbered(value: unknown): value is string | number {
	return isIdentifier(value) && /^\d/.test(String(value));
}

/** The ID of a record: for members the msid, or else the user_id. Undefined if the record has neither. */
export function identifierOf(
	record: IDataObject,
	{ idField, compositeId }: RecordType,
): string | undefined {
	const shown = compositeId
		? [record[compositeId.field], record[idField]].find(isMemberId)
		: [record[idField]].find(isNumbered);
	return shown === undefined ? undefined : String(shown);
}

/** A key for comparing records. For members the user_id, which every form of a member has, if only in the msid. */
export function recordKey(record: IDataObject, type: RecordType): string | undefined {
	const id = identifierOf(record, type);
	return id === undefined || !type.compositeId ? id : splitMsid(id).userId;
}

/** The parts of an msid, "user_id, a dot, then sid" (docs/api/README.md, "User"), or of a user_id alone. */
export function splitMsid(msid: string): { userId: string; sid?: string } {
	const dot = msid.indexOf('.');
	return dot < 0 ? { userId: msid } : { userId: msid.slice(0, dot), sid: msid.slice(dot + 1) };
}

/**
 * Whether a record is the requested one. All its IDs have to agree. A record without an ID counts as the requested one,
 * because the API leaves out what the caller cannot see (docs/decisions.md, A16).
 */
export function isNamedBy(record: IDataObject, type: RecordType, id: string): boolean {
	const own = identifierOf(record, type);
	if (own === undefined) return true;
	if (!type.compositeId) return own === id;
	const [shown, asked] = [splitMsid(own), splitMsid(id)];
	const { [type.idField]: userId, [type.compositeId.codeField]: sid } = record;
	const agrees = (value: unknown, wanted?: string) =>
		wanted === undefined || !isIdentifier(value) || String(value) === wanted;
	return (
		agrees(shown.userId, asked.userId) &&
		agrees(userId, asked.userId) &&
		agrees(shown.sid, asked.sid) &&
		agrees(sid, asked.sid)
	);
}

/** Whether a record has an ID of its type, even a rounded one. Otherwise it is a different kind of record. */
export function isIdentified(record: IDataObject, { idField, compositeId }: RecordType): boolean {
	return [compositeId && record[compositeId.field], record[idField]].some(
		(value) => typeof value === 'number' || isIdentifier(value),
	);
}

/** The kinds of records that can be chosen by name: where they are listed, and which fields hold the name. */
export const NAMED = {
	board: { type: board, path: '/boards', nameFields: ['board_name'] },
	role: { type: role, path: '/roles', nameFields: ['role_name'] },
	// People know both the name as typed and the name that the API derives from it (docs/decisions.md, A13).
	tag: { type: tagSummary, path: '/tags', nameFields: ['display_name', 'name'] },
} as const;

export type NamedKind = keyof typeof NAMED;

/** The owner of the API key, as an entry of a list of members. */
export const ME = { name: 'Me (Owner of the API Key)', value: 'me' } as const;
