import { board } from '../../../shared/records/types';
import type { Operation } from '../operation';
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many boards',
	description: 'Get a list of boards',
	request: { method: 'GET', url: '/boards' },
	strategy: 'listing',
	record: board,
	fields: [],
};
