import type { Resource } from '../operation';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { getByIds } from './getByIds';
import { getForEntity } from './getForEntity';
import { search } from './search';
import { update } from './update';
import { upsert } from './upsert';

export const tag: Resource = {
	name: 'Tag',
	value: 'tag',
	initial: getAll,
	operations: [create, upsert, get, getByIds, getForEntity, getAll, search, update],
};
