import type { INodeProperties } from 'n8n-workflow';
import { role } from '../../../shared/records';
import { sendListing } from '../../send/listing';

export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['role'] } },
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many roles',
			description: 'Get a list of the roles that users can have',
			routing: {
				request: { method: 'GET', url: '/api/v1/roles' },
				operations: { pagination: sendListing({ record: role, fields: [] }) },
			},
		},
	],
	default: 'getAll',
};

export const fields: INodeProperties[] = [];
