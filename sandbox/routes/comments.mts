import { found } from '../errors.mts';
import { contentFormOf } from '../forms.mts';
import { type Comment, EntityStatus, ItemState } from '../records.mts';
import { editedContent, newContent } from './content.mts';
import type { Call, Handler } from './handler.mts';

interface CommentBody {
	post_id: number | string;
	content: string;
	author: string;
}
type ById<Body = unknown> = Call<{ comment_id: number }, unknown, Body>;

const answer = contentFormOf<Comment>('Comment');

/** The endpoints of comments (docs/api/README.md, "Comment"). */
export const comments: Record<string, Handler> = {
	'comment.get': ({ params, community }: ById) =>
		answer(found(community.comments, params.comment_id, 'comment'), community),

	'comment.create': ({ body, community }: Call<unknown, unknown, CommentBody>) => {
		const post = found(community.posts, body.post_id, 'post');
		const author = community.user(body.author);
		const comment: Comment = {
			post_id: post.post_id,
			comment_id: community.nextId('comment'),
			...newContent(community, author, body.content),
			reply_count: 0,
			comment_status: EntityStatus.ACTIVE,
			state: ItemState.DEFAULT,
		};
		community.comments.set(comment.comment_id, comment);
		post.comment_count++;
		author.comment_count++;
		return answer(comment, community);
	},

	'comment.update': ({ params, body, community }: ById<{ content: string }>) => {
		const comment = found(community.comments, params.comment_id, 'comment');
		Object.assign(comment, editedContent(community, comment, body.content));
		return answer(comment, community);
	},
};
