import type { Resource } from '../operation';
import { create } from './create';
import { get } from './get';
import { update } from './update';

export const comment: Resource = {
	name: 'Comment',
	value: 'comment',
	initial: create,
	operations: [create, get, update],
};
