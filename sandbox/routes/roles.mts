import { formOf } from '../forms.mts';
import type { Role } from '../records.mts';
import { type Call, type Handler, Listing } from './handler.mts';

const toRole = formOf<Role>('Role');

/** The endpoints of roles (docs/api/README.md, "Role"). */
export const roles: Record<string, Handler> = {
	'role.getAll': ({ community }: Call) => new Listing([...community.roles.values()], toRole),
};
