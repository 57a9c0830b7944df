import type { IDataObject } from 'n8n-workflow';
import { identifierOf, isMemberId, isNamedBy, splitMsid } from '../shared/records/identity';
import { userList } from '../shared/records/types';
import { isRecord } from '../shared/transport';

/** By user_id. */
export type RecordsByUserId = Map<string, IDataObject>;

/** The members at the last poll, as a line of about 45 bytes each, because a record takes 120. */
export type Snapshot = { members: string; address?: string };

/** The members of a snapshot, with the fields that it has. */
export type KnownMembers = { members: RecordsByUserId; address?: unknown };

const CONTROL = /\p{Cc}/u;

/** Returns a field as text, to store and compare it. Empty if the API does not return it. */
export function textOf(value: unknown): string {
	const text = String(value ?? '');
	// Replacing takes ten times as long as looking, and a poll compares 20,000 members.
	return CONTROL.test(text) ? text.replace(/\p{Cc}/gu, ' ') : text;
}

/** Whether two records with the same user_id are one member. A community may use the number again, with another msid. */
export function isSameMember(one: IDataObject, other?: IDataObject): other is IDataObject {
	if (!other || (one.msid && one.msid === other.msid)) return !!other;
	return isNamedBy(other, userList, identifierOf(one, userList) ?? '');
}

/** Returns a record in which missing fields keep their last known value. */
export function withLastShown(record: IDataObject, before?: IDataObject): IDataObject {
	if (!isSameMember(record, before)) return record;
	const shown = { ...record };
	for (const field in before) if (textOf(record[field]) === '') shown[field] = before[field];
	return shown;
}

export function takeSnapshot(members: IDataObject[]): Snapshot {
	const lines = members.map((each) =>
		[identifierOf(each, userList), each.role_id, each.user_status, each.first_name, each.username]
			.map(textOf)
			.join('\t'),
	);
	return { members: lines.sort().join('\n') };
}

/** Returns the members of a snapshot. Undefined for anything else, and if it is damaged. */
export function membersIn(value: unknown): KnownMembers | undefined {
	if (!isRecord(value) || typeof value.members !== 'string') return undefined;
	const members: RecordsByUserId = new Map();
	for (const line of value.members.split('\n')) {
		const [id, role, user_status, first_name, username] = line.split('\t');
		if (!isMemberId(id)) return undefined;
		const { userId, sid } = splitMsid(id);
		// One literal, because V8 takes five times as long to join several.
		members.set(userId, {
			username: username || null,
			first_name: first_name || null,
			msid: sid === undefined ? null : id,
			user_id: Number(userId),
			role_id: role === '' || Number.isNaN(Number(role)) ? role || null : Number(role),
			user_status,
		});
	}
	return { members, address: value.address };
}
