import type { INodeProperties } from 'n8n-workflow';
import { authorLocator } from '../locators';
import { postId } from '../post/fields';
import { content } from './fields';

export const fields: INodeProperties[] = [
	{
		...postId,
		description: 'The number of the post to comment on',
		routing: { send: { type: 'body', property: 'post_id' } },
	},
	content,
	{ ...authorLocator, routing: { send: { type: 'body', property: 'author' } } },
];
