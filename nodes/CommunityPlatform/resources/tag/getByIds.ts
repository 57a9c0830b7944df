import type { INodeProperties } from 'n8n-workflow';

export const fields: INodeProperties[] = [
	{
		displayName: 'Tag IDs',
		name: 'tagIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 3, 14, 15',
		description: 'The numbers of the tags, separated by commas, or an array from an expression',
		routing: { send: { type: 'query', property: 'ids' } },
	},
];
