import { comment } from '../../../shared/records/types';
import type { Operation } from '../../operation/operation';
import { commentId, content } from './fields';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update comment by ID and content',
	description: 'Change the content of a comment',
	request: { method: 'PUT', url: '/comments/{commentId}' },
	way: 'one',
	record: comment,
	identify: ({ values }) => ({ comment_id: Number(values.commentId) }),
	fields: [commentId, content],
};
