import type { StrategyName } from '../../actions/operation';
import type { Strategy } from '../item';
import { createOrGet } from './createOrGet';
import { count, listing } from './listing';
import { one } from './one';
import { reorder } from './reorder';
import { replace } from './replace';
import { updateRole } from './updateRole';
import { upsert } from './upsert';

export const strategies: Record<StrategyName, Strategy> = {
	listing,
	count,
	createOrGet,
	one,
	reorder,
	replace,
	updateRole,
	upsert,
};
