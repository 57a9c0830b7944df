import type { Community } from '../community.mts';
import { BOARD_GROUPS, BOARD_TOPICS } from './words.mts';

/** One board per topic and group; every ninth one is private and has a few members. */
export function seedBoards(community: Community): void {
	const { random } = community;
	const users = [...community.users.values()];
	for (const group of BOARD_GROUPS) {
		for (const topic of BOARD_TOPICS) {
			const board_id = community.nextId('board');
			const is_private = board_id % 9 === 0;
			community.boards.set(board_id, {
				board_id,
				display_order: board_id,
				board_name: `${topic} ${group}`.trim(),
				board_type: 'DISCUSSION',
				is_private,
				hidden_type: is_private ? 2 : random.below(2),
				permission_for: topic === 'Announcements' ? 1 : random.chance(0.1) ? 5 : 10,
				needs_approval: random.chance(0.15),
				pinned_posts: [],
				post_count: 0,
				last_posted_at: null,
				icon: random.chance(0.6) ? 'chat-bubble' : null,
				about: random.chance(0.8)
					? `Everything about ${topic.toLowerCase()} ${group}`.trim()
					: null,
			});
			const insiders = is_private ? Array.from({ length: 5 }, () => random.pick(users).msid) : [];
			community.boardMembers.set(board_id, new Set(insiders));
		}
	}
}
