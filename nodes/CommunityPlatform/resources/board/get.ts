import { board } from '../../../shared/records/types';
import type { Operation } from '../../operation/operation';
import { boardLocator } from '../locators';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get a board',
	description: 'Get the details of one board',
	request: { method: 'GET', url: '/boards/{boardId}' },
	way: 'one',
	record: board,
	fields: [boardLocator],
};
