import type { INodeProperties } from 'n8n-workflow';
import { user } from '../../../shared/records';
import type { Input } from '../../input/readInput';
import { sendListing } from '../../send/listing';
import { sendOne } from '../../send/one';
import { sendReplace } from '../../send/replace';
import { replaceableUser } from '../../send/replaceable';
import { showFor } from '../showFor';
import * as create from './create';
import * as get from './get';
import * as getAll from './getAll';
import * as update from './update';
import * as updateRole from './updateRole';

const whichUser = ({ values }: Input) => ({ msid: values.userId as string });

export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['user'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create a user',
			description: 'Create a new user',
			routing: {
				request: { method: 'POST', url: '/api/v1/users' },
				operations: { pagination: sendOne({ record: user, fields: create.fields }) },
			},
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get a user',
			description: 'Get the details of one user',
			routing: {
				request: { method: 'GET', url: '/api/v1/users/{userId}' },
				operations: { pagination: sendOne({ record: user, fields: get.fields }) },
			},
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many users',
			description: 'Get a list of users',
			routing: {
				request: { method: 'GET', url: '/api/v1/users' },
				operations: { pagination: sendListing({ record: user, fields: getAll.fields }) },
			},
		},
		{
			name: 'Get Own Details',
			value: 'getSelf',
			action: 'Get own details',
			description: 'Get the user whose API key is in the credential',
			routing: {
				request: { method: 'GET', url: '/api/v1/users/me' },
				operations: { pagination: sendOne({ record: user, fields: [] }) },
			},
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update a user',
			description: 'Change the details of a user',
			routing: {
				request: { method: 'PUT', url: '/api/v1/users/{userId}' },
				operations: {
					pagination: sendReplace(replaceableUser, {
						record: user,
						fields: update.fields,
						identify: whichUser,
					}),
				},
			},
		},
		{
			name: 'Update Role',
			value: 'updateRole',
			action: 'Update the role of a user',
			description: 'Give a user another role',
			routing: {
				// 101 means "update role" (specification, "Patch user details").
				request: { method: 'PATCH', url: '/api/v1/users/{userId}', body: { action: 101 } },
				operations: {
					pagination: sendOne({
						fields: updateRole.fields,
						identify: whichUser,
					}),
				},
			},
		},
	],
	default: 'getAll',
};

export const fields: INodeProperties[] = showFor('user', {
	create: create.fields,
	get: get.fields,
	getAll: getAll.fields,
	update: update.fields,
	updateRole: updateRole.fields,
});
