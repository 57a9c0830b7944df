import type { IDataObject } from 'n8n-workflow';
import { textOf, type Members } from './snapshot';

/** The fields that show each change; the first one is compared. */
export const FIELDS_OF: Record<string, string[] | undefined> = {
	role: ['role_id', 'role_name'],
	status: ['user_status', 'user_status_name'],
	username: ['username'],
	name: ['first_name'],
};

/** A member who has left is now the same as before. */
export type Change = { before: IDataObject; now: IDataObject; changed: string[] };

/** The chosen changes of the members who were known before. */
export function changesOf(known: Members, listed: Members, chosen: string[]): Change[] {
	const changes = [...known].map(([key, before]) => {
		const now = listed.get(key) ?? before;
		const changed = chosen.filter((change) => {
			if (change === 'left') return !listed.has(key);
			// What the API leaves out may be hidden from the caller.
			const [field = ''] = FIELDS_OF[change] ?? [];
			const [old, current] = [before, now].map((member) => textOf(member[field]));
			return old !== '' && current !== '' && old !== current;
		});
		return { before, now, changed };
	});
	return changes.filter(({ changed }) => changed.length > 0);
}
