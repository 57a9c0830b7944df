import type { INodeProperties } from 'n8n-workflow';
import { commentId, content } from '../comment/fields';
import { authorLocator } from '../locators';

export const fields: INodeProperties[] = [
	{
		...commentId,
		description: 'The number of the comment to reply to',
		routing: { send: { type: 'body', property: 'comment_id' } },
	},
	content,
	{ ...authorLocator, routing: { send: { type: 'body', property: 'author' } } },
];
