import type { Strategy } from '../../actions/operation';
import type { Steps } from '../item';
import { createOrGet } from './createOrGet';
import { count, listing } from './listing';
import { one } from './one';
import { reorder } from './reorder';
import { replace } from './replace';
import { updateMembers } from './updateMembers';
import { updateRole } from './updateRole';
import { upsert } from './upsert';

/** Returns the steps of a strategy, by default of one request. */
export function stepsOf(strategy?: Strategy): Steps {
	switch (strategy?.name) {
		case 'listing':
			return { send: async (item) => await listing(item, strategy) };
		case 'count':
			return { send: async (item) => await count(item, strategy) };
		case 'upsert':
			return { send: async (item) => await upsert(item, strategy.kind) };
		case 'createOrGet':
			return { send: createOrGet };
		case 'reorder':
			return { send: reorder };
		case 'replace':
			return replace;
		case 'updateMembers':
			return updateMembers();
		case 'updateRole':
			return { send: updateRole };
		case undefined:
			return { send: one };
	}
}
