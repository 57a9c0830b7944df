import type { StrategyName } from '../../operation/operation';
import type { Strategy } from '../itemContext';
import { listing } from './listing';
import { one } from './one';
import { replace } from './replace';
import { upsertTag } from './upsertTag';

/** By the names that operations have for them. */
export const strategies: Record<StrategyName, Strategy> = { listing, one, replace, upsertTag };
