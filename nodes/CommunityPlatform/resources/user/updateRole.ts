import type { INodeProperties } from 'n8n-workflow';
import { roleLocator, userLocator } from '../locators';

export const fields: INodeProperties[] = [
	userLocator,
	{ ...roleLocator, routing: { send: { type: 'body', property: 'data.role_id' } } },
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: [
			{
				displayName: 'Details',
				name: 'details',
				type: 'string',
				default: '',
				placeholder: 'e.g. Promoted for 25 posts',
				description: 'A note that goes with the change',
				routing: { send: { type: 'body', property: 'details' } },
			},
		],
	},
];
