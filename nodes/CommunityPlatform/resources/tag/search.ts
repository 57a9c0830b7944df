import type { INodeProperties } from 'n8n-workflow';

export const fields: INodeProperties[] = [
	{
		displayName: 'Query',
		name: 'query',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. how',
		description: 'What to look for in the names of tags',
		routing: { send: { type: 'query', property: 'q' } },
	},
];
