import { post } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { author, board, content, headline } from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create post by board, headline and content',
	description: 'Create a new post in a board',
	request: { method: 'POST', url: '/posts' },
	strategy: 'one',
	record: post,
	fields: [board, headline, content, author],
};
