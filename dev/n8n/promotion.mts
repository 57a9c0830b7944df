import type { Community } from '../../sandbox/community.mts';
import { UserStatus, type User } from '../../sandbox/records.mts';

const MINIMUM_POSTS = 25;
const PROMOTED_TO = 'Champion';
const KEPT_ROLES = ['Admin', 'Moderator'];

/** All members of a community at one moment, by msid. */
export type Members = Map<string, User>;

/** A member whose role is not what it was. */
export interface RoleChange {
	member: User;
	from: string;
	to: string;
}

/** A copy of all members, which later changes do not affect. */
export function membersNow(community: Community): Members {
	return new Map([...community.users.values()].map((user) => [user.msid, structuredClone(user)]));
}

/**
 * What the members must look like once "Promote active members" has run: worked out from the
 * community itself, by a second copy of the rule, so that the check rests on nothing that the
 * workflow or the node reports.
 *
 * @param before the members before the run
 * @returns the members after it
 */
export function membersAfterPromotion(community: Community, before: Members): Members {
	const roles = [...community.roles.values()];
	const target = roles.find(({ role_name }) => role_name === PROMOTED_TO);
	if (target === undefined) throw new Error(`The community has no role ${PROMOTED_TO}`);
	const kept = new Set(
		roles
			.filter(({ role_name }) => KEPT_ROLES.includes(role_name))
			.map(({ role_id }) => role_id)
			.concat(target.role_id),
	);
	return new Map(
		[...before].map(([msid, member]) => {
			const due =
				member.user_status === UserStatus.ACTIVE &&
				member.post_count >= MINIMUM_POSTS &&
				!kept.has(member.role_id);
			return [msid, due ? { ...member, role_id: target.role_id } : member];
		}),
	);
}

/** The members whose role differs between two moments, by user_id. */
export function roleChanges(community: Community, before: Members, after: Members): RoleChange[] {
	const name = (id: number | undefined) =>
		id === undefined ? 'none' : (community.roles.get(id)?.role_name ?? String(id));
	return [...after.values()]
		.map((member) => ({ member, was: before.get(member.msid)?.role_id }))
		.filter(({ member, was }) => member.role_id !== was)
		.map(({ member, was }) => ({ member, from: name(was), to: name(member.role_id) }));
}

/**
 * Compares members field by field.
 *
 * @returns a line for each difference, none when what is there is what was expected
 */
export function differences(expected: Members, found: Members): string[] {
	const lines: string[] = [];
	for (const msid of new Set([...expected.keys(), ...found.keys()])) {
		const [wanted, is] = [expected.get(msid), found.get(msid)];
		if (wanted === undefined || is === undefined) {
			lines.push(`member ${msid} ${is === undefined ? 'is gone' : 'should not be there'}`);
			continue;
		}
		for (const field of Object.keys(wanted) as Array<keyof User>) {
			// The community stamps every change itself.
			if (field === 'last_modified_at') continue;
			const [want, got] = [JSON.stringify(wanted[field]), JSON.stringify(is[field])];
			if (want !== got) lines.push(`member ${msid}: ${field} is ${got} instead of ${want}`);
		}
	}
	return lines;
}
