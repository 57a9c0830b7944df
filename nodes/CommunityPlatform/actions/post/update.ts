import { post } from '../../../shared/records/types';
import { toNumberIfExact } from '../../input/numbers';
import type { Operation } from '../operation';
import { keepOtherFields, updateFields } from '../collections';
import { author, board, content, headline, postId } from './fields';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update post by ID',
	description: 'Change a post',
	request: { method: 'PUT', url: '/posts/{postId}' },
	strategy: 'replace',
	record: post,
	identify: ({ values }) => ({ post_id: toNumberIfExact(values.postId) }),
	fields: [postId, keepOtherFields, updateFields([author, board, content, headline])],
};
