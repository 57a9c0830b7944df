import type { StrategyName } from '../../operation/operation';
import type { Strategy } from '../itemContext';
import { listing } from './listing';
import { one } from './one';
import { reorder } from './reorder';
import { replace } from './replace';
import { updateRole } from './updateRole';
import { upsertTag } from './upsertTag';

/** By the names that operations have for them. */
export const strategies: Record<StrategyName, Strategy> = {
	listing,
	one,
	reorder,
	replace,
	updateRole,
	upsertTag,
};
