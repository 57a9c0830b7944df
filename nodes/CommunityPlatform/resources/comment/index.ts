import type { INodeProperties } from 'n8n-workflow';
import { comment } from '../../../shared/records';
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
	displayOptions: { show: { resource: ['comment'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create a comment',
			description: 'Create a new comment on a post',
			routing: {
				request: { method: 'POST', url: '/api/v1/comments' },
				operations: { pagination: sendOne({ record: comment, fields: create.fields }) },
			},
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get a comment',
			description: 'Get the details of one comment',
			routing: {
				request: { method: 'GET', url: '/api/v1/comments/{commentId}' },
				operations: { pagination: sendOne({ record: comment, fields: get.fields }) },
			},
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update a comment',
			description: 'Change the content of a comment',
			routing: {
				request: { method: 'PUT', url: '/api/v1/comments/{commentId}' },
				operations: {
					pagination: sendOne({
						record: comment,
						fields: update.fields,
						identify: ({ values }: Input) => ({ comment_id: Number(values.commentId) }),
					}),
				},
			},
		},
	],
	default: 'create',
};

export const fields: INodeProperties[] = showFor('comment', {
	create: create.fields,
	get: get.fields,
	update: update.fields,
});
