import type { INodeProperties } from 'n8n-workflow';
import { post } from '../../../shared/records';
import type { Input } from '../../input/readInput';
import { sendOne } from '../../send/one';
import { sendReplace } from '../../send/replace';
import { replaceablePost } from '../../send/replaceable';
import { showFor } from '../showFor';
import * as create from './create';
import * as get from './get';
import * as update from './update';

export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['post'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create a post',
			description: 'Create a new post in a board',
			routing: {
				request: { method: 'POST', url: '/api/v1/posts' },
				operations: { pagination: sendOne({ record: post, fields: create.fields }) },
			},
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get a post',
			description: 'Get the details of one post',
			routing: {
				request: { method: 'GET', url: '/api/v1/posts/{postId}' },
				operations: { pagination: sendOne({ record: post, fields: get.fields }) },
			},
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update a post',
			description: 'Change a post',
			routing: {
				request: { method: 'PUT', url: '/api/v1/posts/{postId}' },
				operations: {
					pagination: sendReplace(replaceablePost, {
						record: post,
						fields: update.fields,
						identify: ({ values }: Input) => ({ post_id: Number(values.postId) }),
					}),
				},
			},
		},
	],
	default: 'create',
};

export const fields: INodeProperties[] = showFor('post', {
	create: create.fields,
	get: get.fields,
	update: update.fields,
});
