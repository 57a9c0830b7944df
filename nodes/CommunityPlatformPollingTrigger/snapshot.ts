import type { IDataObject } from 'n8n-workflow';
import { identifierOf, isMemberId, isMsid, isNamedBy, splitMsid } from '../shared/records/identity';
import { userList } from '../shared/records/types';
import { isRecord } from '../shared/transport';

/** By user_id. */
export type RecordsByUserId = Map<string, IDataObject>;

/** The members at the last poll, as a line of about 45 bytes each, because a record takes 120. */
export type Snapshot = { members: string; address?: string };

/** Returns a field as text, to store and compare it. Empty if the API does not return it. */
export const textOf = (value: unknown) => String(value ?? '').replace(/\p{Cc}/gu, ' ');

/** Whether two records with the same user_id are one member. A community may use the number again, with another msid. */
export const isSameMember = (one: IDataObject, other?: IDataObject): other is IDataObject =>
	!!other && isNamedBy(other, userList, identifierOf(one, userList) ?? '');

/** Returns a record in which missing fields keep their last known value. */
export function withLastShown(record: IDataObject, before?: IDataObject): IDataObject {
	const shown = Object.entries(record).filter(([, value]) => textOf(value) !== '');
	return isSameMember(record, before) ? { ...before, ...Object.fromEntries(shown) } : record;
}

export function takeSnapshot(members: IDataObject[]): Snapshot {
	const lines = members.map((each) =>
		[identifierOf(each, userList), each.role_id, each.user_status, each.first_name, each.username]
			.map(textOf)
			.join('\t'),
	);
	return { members: lines.sort().join('\n') };
}

/** Returns the members of a snapshot with the fields that it has. Undefined for anything else, and if it is damaged. */
export function membersIn(value: unknown): RecordsByUserId | undefined {
	if (!isRecord(value) || typeof value.members !== 'string') return undefined;
	const members: RecordsByUserId = new Map();
	for (const line of value.members.split('\n')) {
		const [id, role, user_status, first_name, username] = line.split('\t');
		if (!isMemberId(id)) return undefined;
		const { userId } = splitMsid(id);
		const ids = { msid: isMsid(id) ? id : null, user_id: Number(userId) };
		const names = { username: username || null, first_name: first_name || null };
		members.set(userId, { ...names, ...ids, role_id: Number(role) || role || null, user_status });
	}
	return members;
}
