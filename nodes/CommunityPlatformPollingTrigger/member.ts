import type { IDataObject } from 'n8n-workflow';

/** The identifier of a member that every form of a user has: the user_id (docs/api/README.md, "User"). */
export function idOf(record: IDataObject): string {
	return memberOf(fullIdOf(record));
}

/** The full identifier, which no member of another community has. */
export function fullIdOf({ msid, user_id }: IDataObject): string {
	return String(msid ?? user_id);
}

/** The user_id in an msid or a user_id (docs/api/README.md, "User"). */
export function memberOf(id: string): string {
	const dot = id.indexOf('.');
	return dot < 0 ? id : id.slice(0, dot);
}

/** When a member joined, in milliseconds since 1970; undefined where the API does not show it. */
export function joinedAt(record: IDataObject | undefined): number | undefined {
	const time = Date.parse(String(record?.created_at));
	return Number.isNaN(time) ? undefined : time;
}
