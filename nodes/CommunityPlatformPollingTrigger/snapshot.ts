import type { IDataObject } from 'n8n-workflow';
import { identifierOf, isMemberId, isMsid, isNamedBy, splitMsid } from '../shared/records/identity';
import { userList } from '../shared/records/types';
import { isRecord } from '../shared/transport';

/** By user_id. */
export type RecordsByUserId = Map<string, IDataObject>;

/** What is remembered of all members: a line of about 45 bytes for each, where a record takes 120. */
export type Snapshot = { members: string; address?: string };

/** A field as it is remembered and compared; empty where the API does not show it. */
export const textOf = (value: unknown) => String(value ?? '').replace(/\p{Cc}/gu, ' ');

/** Whether two records with one user_id are of one member: the number may be in use again, with another msid. */
export const isSameMember = (one: IDataObject, other?: IDataObject): other is IDataObject =>
	!!other && isNamedBy(other, userList, identifierOf(one, userList) ?? '');

/** A record, with the value last shown of each field that it does not show. */
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

/** The members of a snapshot, with the fields that it keeps; undefined for anything else, and if it is damaged. */
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
