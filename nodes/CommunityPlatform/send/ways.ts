import type { WayName } from '../operation/operation';
import type { Way } from './item';
import { listing } from './listing';
import { one } from './one';
import { replace } from './replace';
import { upsertTag } from './upsertTag';

/** The ways of sending, by the names that operations have for them. */
export const ways: Record<WayName, Way> = { listing, one, replace, upsertTag };
