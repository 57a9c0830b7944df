import { post } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { postId } from './fields';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get post by ID',
	description: 'Get the details of one post',
	request: { method: 'GET', url: '/posts/{postId}' },
	strategy: 'one',
	record: post,
	fields: [postId],
};
