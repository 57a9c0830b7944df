import { userDetailWithEmail } from '../../../shared/records/types';
import type { Operation } from '../operation';
import { userToReadLocator } from '../locators';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get user by msid or user number',
	description: 'Get the details of one user',
	request: { method: 'GET', url: '/users/{userId}' },
	strategy: 'one',
	record: userDetailWithEmail,
	hasRole: true,
	fields: [userToReadLocator],
};
