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

const WITHOUT_ARGUMENTS: Record<string, Steps> = {
	one: { send: one },
	createOrGet: { send: createOrGet },
	reorder: { send: reorder },
	updateRole: { send: updateRole },
	replace,
};

/** Returns the strategy that an operation names. */
export function stepsOf(strategy: Strategy): Steps {
	switch (strategy.name) {
		case 'listing':
			return { send: async (item) => await listing(item, strategy) };
		case 'count':
			return { send: async (item) => await count(item, strategy) };
		case 'updateMembers':
			return updateMembers();
		case 'upsert':
			return { send: async (item) => await upsert(item, strategy.kind) };
		default:
			return WITHOUT_ARGUMENTS[strategy.name];
	}
}
