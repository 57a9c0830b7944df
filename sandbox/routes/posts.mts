import { found } from '../errors.mts';
import { contentFormOf } from '../forms.mts';
import { EntityStatus, fullName, type Post } from '../records.mts';
import { excerpt } from '../text.mts';
import { editedContent, newContent } from './content.mts';
import type { Call, Handler } from './handler.mts';

interface PostBody {
	board_id: number | string;
	headline: string;
	content: string;
	authors: string[];
}
type ById<Body = unknown> = Call<{ post_id: number }, unknown, Body>;

const answer = contentFormOf<Post>('Post');

/** The endpoints of posts (docs/api/README.md, "Post"). */
export const posts: Record<string, Handler> = {
	'post.get': ({ params, community }: ById) =>
		answer(found(community.posts, params.post_id, 'post'), community),

	'post.create': ({ body, community }: Call<unknown, unknown, PostBody>) => {
		const board = found(community.boards, body.board_id, 'board');
		const author = community.user(body.authors[0]);
		const post: Post = {
			post_id: community.nextId('post'),
			board_id: board.board_id,
			headline: body.headline,
			post_short_text: excerpt(body.content),
			...newContent(community, author, body.content),
			post_status: EntityStatus.ACTIVE,
			comment_count: 0,
			reply_count: 0,
			view_count: 0,
		};
		community.posts.set(post.post_id, post);
		board.post_count++;
		board.last_posted_at = post.created_at;
		author.post_count++;
		community.tell(`New post in ${board.board_name} by ${fullName(author)}: “${post.headline}”`);
		return answer(post, community);
	},

	'post.update': ({ params, body, community }: ById<PostBody>) => {
		const post = found(community.posts, params.post_id, 'post');
		const board = found(community.boards, body.board_id, 'board');
		const author = community.user(body.authors[0]);
		found(community.boards, post.board_id, 'board').post_count--;
		board.post_count++;
		const before = community.users.get(post.author_id);
		if (before) before.post_count--;
		author.post_count++;
		Object.assign(post, editedContent(community, post, body.content), {
			board_id: board.board_id,
			headline: body.headline,
			post_short_text: excerpt(body.content),
			author_id: author.user_id,
		});
		return answer(post, community);
	},
};
