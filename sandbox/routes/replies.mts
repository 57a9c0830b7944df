import { found } from '../errors.mts';
import { contentFormOf } from '../forms.mts';
import { EntityStatus, ItemState, type Reply } from '../records.mts';
import { editedContent, newContent } from './content.mts';
import type { Call, Handler } from './handler.mts';

interface ReplyBody {
	comment_id: number | string;
	content: string;
	author: string;
}
type ById<Body = unknown> = Call<{ reply_id: number }, unknown, Body>;

const answer = contentFormOf<Reply>('Reply');

/** The endpoints of replies (docs/api/README.md, "Reply"). */
export const replies: Record<string, Handler> = {
	'reply.get': ({ params, community }: ById) =>
		answer(found(community.replies, params.reply_id, 'reply'), community),

	'reply.create': ({ body, community }: Call<unknown, unknown, ReplyBody>) => {
		const comment = found(community.comments, body.comment_id, 'comment');
		const author = community.user(body.author);
		const reply: Reply = {
			post_id: comment.post_id,
			comment_id: comment.comment_id,
			reply_id: community.nextId('reply'),
			...newContent(community, author, body.content),
			status: EntityStatus.ACTIVE,
			state: ItemState.DEFAULT,
		};
		community.replies.set(reply.reply_id, reply);
		comment.reply_count++;
		found(community.posts, comment.post_id, 'post').reply_count++;
		author.reply_count++;
		return answer(reply, community);
	},

	'reply.update': ({ params, body, community }: ById<{ content: string }>) => {
		const reply = found(community.replies, params.reply_id, 'reply');
		Object.assign(reply, editedContent(community, reply, body.content));
		return answer(reply, community);
	},
};
