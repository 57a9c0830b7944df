import { role as record } from '../../shared/records/types';
import type { Operation, Resource } from './operation';

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many roles',
	description: 'Retrieve a list of roles',
	effect: 'reads',
	request: { method: 'GET', url: '/roles' },
	strategy: { name: 'listing' },
	record,
	fields: [],
};

export const role: Resource = {
	name: 'Role',
	value: 'role',
	initial: getAll,
	operations: [getAll],
};
