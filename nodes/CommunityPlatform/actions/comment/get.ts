import { comment } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { commentId } from './fields';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get comment by ID',
	description: 'Get the details of one comment',
	request: { method: 'GET', url: '/comments/{commentId}' },
	strategy: 'one',
	record: comment,
	fields: [commentId],
};
