import type { INodeProperties } from 'n8n-workflow';

export const commentId: INodeProperties = {
	displayName: 'Comment ID',
	name: 'commentId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'The number of the comment',
};

export const content: INodeProperties = {
	displayName: 'Content',
	name: 'content',
	type: 'string',
	default: '',
	required: true,
	typeOptions: { rows: 4 },
	placeholder: 'e.g. Thank you for sharing this.',
	routing: { send: { type: 'body', property: 'content' } },
};
