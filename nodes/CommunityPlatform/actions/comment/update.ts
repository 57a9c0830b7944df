import { comment } from '../../../shared/records/types';
import { toNumberIfExact } from '../../input/numbers';
import type { Operation } from '../operation';
import { commentId, content } from './fields';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update comment by ID and content',
	description: 'Change the content of a comment',
	request: { method: 'PUT', url: '/comments/{commentId}' },
	strategy: 'replace',
	record: comment,
	identify: ({ values }) => ({ comment_id: toNumberIfExact(values.commentId) }),
	fields: [commentId, content],
};
