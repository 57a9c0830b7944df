import type { INodeProperties } from 'n8n-workflow';

export const fields: INodeProperties[] = [
	{
		displayName: 'Entity Type',
		name: 'refType',
		type: 'options',
		default: 'POST',
		required: true,
		description: 'What kind of thing the tags are attached to',
		options: [
			{ name: 'Comment', value: 'COMMENT' },
			{ name: 'Post', value: 'POST' },
			{ name: 'Reply', value: 'REPLY' },
			{ name: 'User', value: 'USER' },
		],
		routing: { send: { type: 'query', property: 'ref_type' } },
	},
	{
		displayName: 'Entity ID',
		name: 'refId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 42',
		description: 'The identifier of the post, comment, reply or user',
		routing: { send: { type: 'query', property: 'ref_id' } },
	},
];
