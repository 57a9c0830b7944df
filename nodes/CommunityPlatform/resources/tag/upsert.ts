import type { INodeProperties } from 'n8n-workflow';
import { name, optionalFields } from './fields';

export const fields: INodeProperties[] = [
	{
		...name,
		required: true,
		description:
			'Name of the tag, like a hashtag. A tag with exactly this name, whatever its case, is updated; otherwise a new one is created.',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		description: 'What is not given keeps its value when the tag exists already',
		options: optionalFields,
	},
];
