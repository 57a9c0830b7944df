import { role } from '../../../shared/records/types';
import type { Operation } from '../operation';
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many roles',
	description: 'Get a list of the roles that users can have',
	request: { method: 'GET', url: '/roles' },
	strategy: 'listing',
	record: role,
	fields: [],
};
