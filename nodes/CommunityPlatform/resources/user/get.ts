import { user } from '../../../shared/records';
import type { Operation } from '../../operation';
import { userLocator } from '../locators';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get a user',
	description: 'Get the details of one user',
	request: { method: 'GET', url: '/users/{userId}' },
	way: 'one',
	record: user,
	fields: [userLocator],
};
