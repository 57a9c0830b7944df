import type { INodeProperties } from 'n8n-workflow';
import { reply } from '../../../shared/records';
import type { Input } from '../../input/readInput';
import { sendOne } from '../../send/one';
import { showFor } from '../showFor';
import * as create from './create';
import * as get from './get';
import * as update from './update';

export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['reply'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create a reply',
			description: 'Create a new reply to a comment',
			routing: {
				request: { method: 'POST', url: '/api/v1/replies' },
				operations: { pagination: sendOne({ record: reply, fields: create.fields }) },
			},
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get a reply',
			description: 'Get the details of one reply',
			routing: {
				request: { method: 'GET', url: '/api/v1/replies/{replyId}' },
				operations: { pagination: sendOne({ record: reply, fields: get.fields }) },
			},
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update a reply',
			description: 'Change the content of a reply',
			routing: {
				request: { method: 'PUT', url: '/api/v1/replies/{replyId}' },
				operations: {
					pagination: sendOne({
						record: reply,
						fields: update.fields,
						identify: ({ values }: Input) => ({ reply_id: Number(values.replyId) }),
					}),
				},
			},
		},
	],
	default: 'create',
};

export const fields: INodeProperties[] = showFor('reply', {
	create: create.fields,
	get: get.fields,
	update: update.fields,
});
