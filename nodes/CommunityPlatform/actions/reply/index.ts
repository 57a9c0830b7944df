import type { Resource } from '../operation';
import { create } from './create';
import { get } from './get';
import { update } from './update';

export const reply: Resource = {
	name: 'Reply',
	value: 'reply',
	initial: create,
	operations: [create, get, update],
};
