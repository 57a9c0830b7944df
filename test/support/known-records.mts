import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { useSandbox } from './community.mts';

/** A small community with a stopped clock, so that a test can contain every answer. */
export const STILL: SandboxOptions = {
	members: 60,
	now: () => new Date('2025-02-03T04:05:06.789Z'),
};

/** Ada has a value in every field of a member. The sid of an msid can contain more than letters and digits. */
export const ADA = '9001.a1b2c3';
export const GRACE = '9002.d4-e5_f6';

const AT = '2025-01-02T03:04:05Z';

/** A sandbox for the tests of a file, with these records before each of them. */
export function useKnownRecords(): Sandbox {
	const sandbox = useSandbox(STILL);
	beforeEach(() => addKnownRecords(sandbox));
	return sandbox;
}

/** Adds records with known IDs, each with every field of the API. */
export function addKnownRecords({ community }: Sandbox): void {
	community.addUser({
		user_id: 9001,
		sid: 'a1b2c3',
		first_name: 'Ada',
		middle_name: 'King',
		last_name: 'Lovelace',
		username: 'ada',
		email: 'ada@members.example',
		user_avatar: 'https://images.example/ada.png',
		user_description: '<p>Mathematician</p>',
		banner: 'https://images.example/ada-banner.png',
		social_media_links: { network: 'https://network.example/ada' },
		meta: { source: 'import' },
		lang: 'de',
		timezone: 'Europe/London',
		role_id: 10,
		login_count: 4,
		post_count: 3,
		comment_count: 2,
		reply_count: 1,
		created_at: AT,
	});
	community.addUser({ user_id: 9002, sid: 'd4-e5_f6', first_name: 'Grace', created_at: AT });
	community.boards.set(900, {
		board_id: 900,
		display_order: 131,
		board_name: 'Insiders',
		board_type: 'DISCUSSION',
		is_private: true,
		hidden_type: 2,
		permission_for: 5,
		needs_approval: true,
		pinned_posts: [9100],
		post_count: 1,
		last_posted_at: AT,
		icon: 'lock',
		about: 'For insiders',
	});
	community.boardMembers.set(900, new Set([GRACE]));
	const content = {
		content: '<p>Hello</p>',
		clean_text: 'Hello',
		react_count: 2,
		reactions: { s1: 2, s2: 0 },
		last_edited_at: AT,
		created_at: AT,
		last_modified_at: AT,
		author_id: 9001,
	};
	community.posts.set(9100, {
		post_id: 9100,
		board_id: 900,
		headline: 'First post',
		post_short_text: 'Hello',
		...content,
		post_status: 15,
		comment_count: 1,
		reply_count: 1,
		view_count: 7,
	});
	community.comments.set(9200, {
		post_id: 9100,
		comment_id: 9200,
		...content,
		reply_count: 1,
		comment_status: 15,
		state: 0,
	});
	community.replies.set(9300, {
		post_id: 9100,
		comment_id: 9200,
		reply_id: 9300,
		...content,
		status: 15,
		state: 9,
	});
	community.tags.set(9400, {
		tag_id: 9400,
		name: 'firststeps',
		display_name: 'FirstSteps',
		description: 'For newcomers',
		image: 'https://images.example/tag.png',
		og_image: 'https://images.example/tag-preview.png',
		og_title: 'First steps',
		og_description: 'How to begin',
		back_color: '#112233',
		text_color: '#445566',
	});
	community.tagEntity('POST', 9100, [9400]);
	community.tagEntity('USER', 9001, [9400]);
}
