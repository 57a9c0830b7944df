import { board } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { boardLocator } from '../locators';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get board by ID or name',
	description: 'Get the details of one board',
	request: { method: 'GET', url: '/boards/{boardId}' },
	strategy: 'one',
	record: board,
	fields: [boardLocator],
};
