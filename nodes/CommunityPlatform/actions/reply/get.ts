import { reply } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { replyId } from './fields';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get reply by ID',
	description: 'Get the details of one reply',
	request: { method: 'GET', url: '/replies/{replyId}' },
	strategy: 'one',
	record: reply,
	fields: [replyId],
};
