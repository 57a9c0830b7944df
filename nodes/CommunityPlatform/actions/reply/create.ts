import { reply } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { commentId, content } from '../comment/fields';
import { authorLocator } from '../locators';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create reply by comment ID and content',
	description: 'Create a new reply to a comment',
	request: { method: 'POST', url: '/replies' },
	strategy: 'one',
	record: reply,
	fields: [
		{
			...commentId,
			description: 'The number of the comment to reply to',
			routing: { send: { type: 'body', property: 'comment_id' } },
		},
		content,
		{ ...authorLocator, routing: { send: { type: 'body', property: 'author' } } },
	],
};
