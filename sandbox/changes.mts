import type { Community } from './community.mts';
import { ApiError } from './errors.mts';
import { fullName, statusName, type User, UserStatus } from './records.mts';

const { ACTIVE, WAITLIST, BANNED } = UserStatus;

interface Change {
	/** The only status in which the change is possible. */
	only?: number;
	/** The only status in which the change is not possible. */
	not?: number;
	make(community: Community, msid: string, roleId: number): User;
}

/** Changes of a member in the community itself, by the name in the path of their endpoint. */
const CHANGES = new Map<string, Change>([
	['role', { make: (community, msid, roleId) => community.promote(msid, roleId) }],
	['approve', { only: WAITLIST, make: (community, msid) => community.admit(msid) }],
	['ban', { not: BANNED, make: withStatus(BANNED) }],
	['end-ban', { only: BANNED, make: withStatus(ACTIVE) }],
]);

/** The names of the changes that fit a member's status. */
export function changesFor({ user_status }: User): string[] {
	const fits = ({ only = user_status, not }: Change) => only === user_status && not !== user_status;
	return [...CHANGES].filter(([, change]) => fits(change)).map(([name]) => name);
}

/**
 * Changes a member.
 *
 * @throws ApiError 404 if there is no such member, change or role, 409 if the change does not fit the member's status
 */
export function changeMember(
	community: Community,
	msid: string,
	name: string,
	roleId: number,
): User {
	const user = community.user(msid);
	const change = CHANGES.get(name);
	if (!change) throw new ApiError(404, `no such change: ${name}`);
	if (!changesFor(user).includes(name)) {
		const { only: user_status } = change;
		const rest = user_status === undefined ? ' already' : `, not ${statusName({ user_status })}`;
		throw new ApiError(409, `${fullName(user)} is ${statusName(user)}${rest}.`);
	}
	return change.make(community, msid, roleId);
}

function withStatus(user_status: number): Change['make'] {
	return (community, msid) => community.changeUser(msid, { user_status });
}
