import type { IDataObject } from 'n8n-workflow';
import { ignoreFailure } from '../../../shared/failure';
import { pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import { board } from '../../../shared/records/types';
import type { Item } from '../item';
import { markSent, markSkipped, planOfUpdate, preview } from '../plan';
import { shapeAnswer } from '../shape';

export async function reorder(item: Item): Promise<IDataObject[]> {
	await item.waitFor(item.lockRecord());
	const unsent = item.needsRecord ? await planned(item) : undefined;
	if (unsent) return [unsent];
	// A model sees only the answer. Listed before the change, because nothing may fail after it.
	const order = item.run.isTool ? await currentOrder(item).catch(ignoreFailure) : undefined;
	const done = shapeAnswer(await item.send(item.request), item);
	return [markSent(item, { ...done, ...(order && { previous: { display_order: order } }) })];
}

/** Returns the item of a dry run, or of an order that needs no change. Undefined if the order has to be sent. */
async function planned(item: Item): Promise<IDataObject | undefined> {
	const { input, run } = item;
	const record = { display_order: await currentOrder(item) };
	const plan = planOfUpdate(record, input.body, run.prepared.bodyFields, item);
	if (item.isDryRun) return preview(item, plan);
	return plan.action === 'none' ? markSkipped(item, shapeAnswer({ body: {} }, item)) : undefined;
}

/** The positions of the boards to move, null if the API returns none. */
async function currentOrder(item: Item): Promise<IDataObject> {
	const order = item.input.body.display_order as IDataObject;
	const positions: IDataObject = Object.fromEntries(Object.keys(order).map((id) => [id, null]));
	for await (const { records } of pages(item, { path: '/boards' }, board)) {
		for (const each of records) {
			const id = identifierOf(each, board) ?? '';
			if (Object.keys(order).includes(id)) positions[id] = each.display_order ?? null;
		}
	}
	return positions;
}
