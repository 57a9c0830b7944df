import type { StrategyName } from '../../actions/operation';
import type { Strategy } from '../item';
import { listing } from './listing';
import { one } from './one';
import { reorder } from './reorder';
import { replace } from './replace';
import { updateRole } from './updateRole';
import { upsertTag } from './upsertTag';

/** The strategies by name. */
export const strategies: Record<StrategyName, Strategy> = {
	listing,
	one,
	reorder,
	replace,
	updateRole,
	upsertTag,
};
