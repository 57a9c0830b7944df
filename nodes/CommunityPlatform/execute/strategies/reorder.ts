import type { IDataObject } from 'n8n-workflow';
import { pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import { board } from '../../../shared/records/types';
import type { Parameter } from '../../input/parameter';
import type { Item } from '../item';
import { markSent, markSkipped, planOfUpdate, preview, type Plan } from '../plan';
import { shapeAnswer } from '../shape';

export async function reorder(item: Item): Promise<IDataObject[]> {
	await item.waitFor(item.lockRecord());
	const { bodyFields } = item.run.prepared;
	const plan = item.needsRecord ? await planOf(item, bodyFields) : undefined;
	if (plan && item.isDryRun) return [preview(item, plan)];
	if (plan?.action === 'none' && item.skipsUnchanged)
		return [markSkipped(item, shapeAnswer({ body: {} }, item))];
	const done = shapeAnswer(await item.send(item.request), item);
	return [markSent(item, done, plan, bodyFields)];
}

async function planOf(item: Item, bodyFields: Parameter[]): Promise<Plan> {
	const record = { display_order: await currentOrder(item) };
	return planOfUpdate(record, item.input.body, bodyFields, item);
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
