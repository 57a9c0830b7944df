import type { Community } from '../../sandbox/community.mts';
import { UserStatus, type User } from '../../sandbox/records.mts';

const MINIMUM_POSTS = 25;
/** The role that the example assigns. */
export const PROMOTED_TO = 'Champion';
/** The roles that it replaces. */
export const PROMOTED_FROM = ['Member', 'Contributor'];

/**
 * Finds the members that "Promote active members" must promote. It reads the community itself, so that a check does not
 * depend on reports of the workflow or the node.
 *
 * @returns the community's own records, which are live
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
