import type { StrategyUse } from '../../actions/operation';
import type { Strategy } from '../item';
import { createOrGet } from './createOrGet';
import { count, listing } from './listing';
import { one } from './one';
import { reorder } from './reorder';
import { replace } from './replace';
import { updateMembers } from './updateMembers';
import { updateRole } from './updateRole';
import { upsert } from './upsert';

const WITHOUT_ARGUMENTS: Record<string, Strategy> = {
	one: { send: one },
	createOrGet: { send: createOrGet },
	reorder: { send: reorder },
	updateRole: { send: updateRole },
	replace,
};

/** Returns the strategy that an operation names. */
export function strategyOf(use: StrategyUse): Strategy {
	switch (use.name) {
		case 'listing':
			return { send: async (item) => await listing(item, use) };
		case 'count':
			return { send: async (item) => await count(item, use) };
		case 'updateMembers':
			return updateMembers();
		case 'upsert':
			return { send: async (item) => await upsert(item, use.kind) };
		default:
			return WITHOUT_ARGUMENTS[use.name];
	}
}
