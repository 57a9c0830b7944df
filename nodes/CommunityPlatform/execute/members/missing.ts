import { isGone } from '../../../shared/failure';
import { user } from '../../../shared/records/types';
import type { Item } from '../item';

/** Whether the API has no such member. Only a read shows it, because a change that answers 404 may miss another record. */
export async function isMissing(item: Item, msid: string): Promise<boolean> {
	const path = `/users/${encodeURIComponent(msid)}`;
	return await item.fetch({ record: user, id: msid }, { path }).then(() => false, isGone);
}
