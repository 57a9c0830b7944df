import type { Community } from '../../sandbox/community.mts';
import { UserStatus, type User } from '../../sandbox/records.mts';

const MINIMUM_POSTS = 25;
/** The role that the example gives. */
export const PROMOTED_TO = 'Champion';
/** The roles that it replaces. */
export const PROMOTED_FROM = ['Member', 'Contributor'];

/**
 * Finds the members whom "Promote active members" has to promote: worked out from the community itself, so that a
 * check rests on nothing that the workflow or the node reports.
 *
 * @returns the community's own records, which change with it
 */
export function dueForPromotion({ roles, users }: Community): User[] {
	const replaced = new Set(
		[...roles.values()]
			.filter(({ role_name }) => PROMOTED_FROM.includes(role_name))
			.map(({ role_id }) => role_id),
	);
	return [...users.values()].filter(
		({ user_status, post_count, role_id }) =>
			user_status === UserStatus.ACTIVE && post_count >= MINIMUM_POSTS && replaced.has(role_id),
	);
}
