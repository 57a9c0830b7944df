import type { INodeProperties } from 'n8n-workflow';
import { name, optionalFields } from './fields';

export const fields: INodeProperties[] = [
	{ ...name, required: true },
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: optionalFields,
	},
];
