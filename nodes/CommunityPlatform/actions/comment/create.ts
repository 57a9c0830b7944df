import { comment } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { authorLocator } from '../locators';
import { postId } from '../post/fields';
import { content } from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create comment by post ID and content',
	description: 'Create a new comment on a post',
	request: { method: 'POST', url: '/comments' },
	strategy: 'one',
	record: comment,
	fields: [
		{
			...postId,
			description: 'The number of the post to comment on, or the address of its page',
			routing: { send: { type: 'body', property: 'post_id' } },
		},
		content,
		{ ...authorLocator, routing: { send: { type: 'body', property: 'author' } } },
	],
};
