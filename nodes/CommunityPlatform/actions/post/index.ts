import type { Resource } from '../operation';
import { create } from './create';
import { get } from './get';
import { update } from './update';

export const post: Resource = {
	name: 'Post',
	value: 'post',
	initial: create,
	operations: [create, get, update],
};
