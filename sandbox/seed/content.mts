import type { Community } from '../community.mts';
import type { Reactions, User } from '../records.mts';
import { excerpt, plainText } from '../text.mts';
import { HISTORY_MINUTES, minutesIn } from './time.mts';
import { HEADLINES, SENTENCES } from './words.mts';

const POSTS = 120;
/** The number of boards that have posts: the first ones, as in a real community. */
const BUSY_BOARDS = 30;

/** Adds posts, comments and replies. The counters of posts, boards and comments match them. */
export function seedContent(community: Community): void {
	const { random } = community;
	const active = community.members(10, 'user_id', 'asc');
	const boards = [...community.boards.values()].slice(0, BUSY_BOARDS);
	for (let index = 0; index < POSTS; index++) {
		const post_id = community.nextId('post', 1001);
		const board = random.pick(boards);
		const minute = (index / POSTS) * HISTORY_MINUTES;
		const common = body(community, active, minute);
		community.posts.set(post_id, {
			post_id,
			board_id: board.board_id,
			headline: random.pick(HEADLINES),
			...common,
			post_short_text: excerpt(common.content),
			post_status: random.chance(0.9) ? 15 : random.pick([4, 3, 0, -2, -3]),
			comment_count: 0,
			reply_count: 0,
			view_count: random.below(900),
		});
		board.post_count++;
		board.last_posted_at = minutesIn(community, minute);
		if (random.chance(0.1)) board.pinned_posts.push(post_id);
		for (let count = random.below(5); count > 0; count--) {
			seedComment(community, active, post_id, minute + random.below(2_000));
		}
	}
}

function seedComment(
	community: Community,
	authors: readonly User[],
	post_id: number,
	minute: number,
) {
	const { random } = community;
	const comment_id = community.nextId('comment', 3001);
	const replies = random.below(3);
	community.comments.set(comment_id, {
		post_id,
		comment_id,
		...body(community, authors, minute),
		reply_count: replies,
		comment_status: random.chance(0.95) ? 15 : 4,
		state: random.chance(0.9) ? 0 : random.pick([11, 10, 9, 5]),
	});
	for (let count = replies; count > 0; count--) {
		const reply_id = community.nextId('reply', 7001);
		community.replies.set(reply_id, {
			post_id,
			comment_id,
			reply_id,
			...body(community, authors, minute + random.below(500)),
			status: 15,
			state: random.chance(0.9) ? 0 : 9,
		});
	}
	const post = community.posts.get(post_id);
	if (!post) return;
	post.comment_count++;
	post.reply_count += replies;
}

/** The fields that posts, comments and replies share. */
function body(community: Community, authors: readonly User[], minute: number) {
	const { random } = community;
	const sentences = Array.from({ length: 2 + random.below(3) }, () => random.pick(SENTENCES));
	const content = sentences.map((sentence) => `<p>${sentence}</p>`).join('');
	const reactions = reactionsOf(random.below(4), () => random.below(6));
	const edited = random.chance(0.2);
	return {
		content,
		clean_text: plainText(content),
		react_count: Object.values(reactions ?? {}).reduce((sum, count) => sum + count, 0),
		reactions,
		last_edited_at: edited ? minutesIn(community, minute + 90) : null,
		created_at: minutesIn(community, minute),
		last_modified_at: minutesIn(community, edited ? minute + 90 : minute),
		author_id: random.pick(authors).user_id,
	};
}

function reactionsOf(slots: number, count: () => number): Reactions | null {
	if (slots === 0) return null;
	return Object.fromEntries(Array.from({ length: slots }, (_, slot) => [`s${slot + 1}`, count()]));
}
