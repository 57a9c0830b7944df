import type { IDataObject } from 'n8n-workflow';
import type { Plan } from './changes';
import type { ItemContext } from './itemContext';
import { withChangedRoleName } from './roleNames';

/** How to carry out a plan, and the item if there is nothing to do. */
export interface Ways {
	send(): Promise<IDataObject>;
	/** The record as it is. */
	unchanged(): IDataObject;
}

/**
 * The output of a dry run for an item.
 *
 * @returns `dry_run`, `action`, the identifiers, `changes`
 */
export function preview(item: ItemContext, plan: Plan): IDataObject {
	const { action, identifiers, notShown } = plan;
	const changes = item.roleNames ? withChangedRoleName(plan.changes, item.roleNames) : plan.changes;
	item.notes.planned[action]++;
	for (const label of notShown) item.notes.notShown.add(label);
	return { dry_run: true, action, ...identifiers, changes: changes as IDataObject };
}

/**
 * Shows what would change with "Dry Run", sends only what differs with "Skip Unchanged".
 *
 * @param plan what sending would change in the present record
 * @returns the item; with "Skip Unchanged", `changed` says whether it was sent
 */
export async function carryOut(item: ItemContext, plan: Plan, ways: Ways): Promise<IDataObject> {
	if (item.isDryRun) return preview(item, plan);
	if (!item.skipsUnchanged || plan.action !== 'none') return markSent(item, await ways.send());
	item.notes.unchanged++;
	return { ...ways.unchanged(), changed: false };
}

/** The item after its change was sent; with "Skip Unchanged", it says so. */
export function markSent(item: ItemContext, record: IDataObject): IDataObject {
	if (!item.skipsUnchanged) return record;
	item.notes.changed++;
	return { ...record, changed: true };
}
