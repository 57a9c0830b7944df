import { tag } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { tagLocator } from '../locators';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get tag by ID or name',
	description: 'Get the details of one tag',
	request: { method: 'GET', url: '/tags/{tagId}' },
	strategy: 'one',
	record: tag,
	fields: [tagLocator],
};
