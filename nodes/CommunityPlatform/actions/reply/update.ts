import { reply } from '../../../shared/records/types';
import { toNumberIfExact } from '../../input/numbers';
import type { Operation } from '../operation';
import { content } from '../comment/fields';
import { replyId } from './fields';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update reply by ID and content',
	description: 'Change the content of a reply',
	request: { method: 'PUT', url: '/replies/{replyId}' },
	strategy: 'replace',
	record: reply,
	identify: ({ values }) => ({ reply_id: toNumberIfExact(values.replyId) }),
	fields: [replyId, content],
};
