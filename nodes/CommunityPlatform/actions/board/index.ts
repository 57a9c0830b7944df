import type { Resource } from '../operation';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { reorder } from './reorder';
import { update } from './update';
import { updateMembers } from './updateMembers';

export const board: Resource = {
	name: 'Board',
	value: 'board',
	initial: getAll,
	operations: [create, get, getAll, reorder, update, updateMembers],
};
