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

const WITHOUT_ARGUMENTS = { one, createOrGet, reorder, replace, updateRole };

/** Returns the strategy that an operation names. */
export function strategyOf(use: StrategyUse): Strategy {
	switch (use.name) {
		case 'listing':
			return listing(use);
		case 'count':
			return count(use);
		case 'updateMembers':
			return updateMembers();
		case 'upsert':
			return upsert(use.kind);
		default:
			return WITHOUT_ARGUMENTS[use.name];
	}
}
