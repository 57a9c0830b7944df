import type { IDataObject } from 'n8n-workflow';
import type { Changes } from './changes';

/** The names of roles by their IDs, both as text. */
export type RoleNames = ReadonlyMap<string, string>;

/** A record with role_name behind role_id; null if the API does not show the name. */
export function withRoleName(record: IDataObject, roleNames: RoleNames): IDataObject {
	const named: IDataObject = {};
	for (const [field, value] of Object.entries(record)) {
		named[field] = value;
		if (field === 'role_id') named.role_name = roleNames.get(String(value)) ?? null;
	}
	return named;
}

/** Changes with the names of the present role and of the new one. */
export function withChangedRoleName(changes: Changes, roleNames: RoleNames): Changes {
	const role = changes.role_id;
	if (role === undefined) return changes;
	const nameOf = (id: unknown) => roleNames.get(String(id)) ?? null;
	return { ...changes, role_name: { from: nameOf(role.from), to: nameOf(role.to) } };
}
