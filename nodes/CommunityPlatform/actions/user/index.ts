import type { Resource } from '../operation';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { getSelf } from './getSelf';
import { update } from './update';
import { updateRole } from './updateRole';

export const user: Resource = {
	name: 'User',
	description: 'Members of the community; the API calls them users',
	value: 'user',
	initial: getAll,
	operations: [create, get, getAll, getSelf, update, updateRole],
};
