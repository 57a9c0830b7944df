import type { Resource } from '../operation';
import { getAll } from './getAll';

export const role: Resource = {
	name: 'Role',
	value: 'role',
	initial: getAll,
	operations: [getAll],
};
