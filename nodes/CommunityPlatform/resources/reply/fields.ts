import type { INodeProperties } from 'n8n-workflow';

export const replyId: INodeProperties = {
	displayName: 'Reply ID',
	name: 'replyId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'The number of the reply',
};
