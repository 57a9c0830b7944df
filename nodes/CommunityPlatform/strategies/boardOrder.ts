import type { IDataObject } from 'n8n-workflow';
import { pages } from '../../shared/pagination';
import { identifierOf } from '../../shared/records/identity';
import { board } from '../../shared/records/types';
import type { Item, Records } from '../run/item';
import { carryOut, planOfUpdate } from '../run/plan';
import { shapeAnswer } from '../run/shape';

/** Sets the positions of boards. */
export async function reorder(item: Item): Promise<Records> {
	await item.waitFor(item.lockRecord());
	const { body } = item.input;
	const change = async () => {
		const plan = item.needsRecord
			? planOfUpdate(item, await currentOrder(item), body, item.run.prepared.bodyFields)
			: undefined;
		const current = () => shapeAnswer({ body: {} }, item);
		const isDecided = plan !== undefined;
		const send = async () => await item.send({ ...item.request, isDecided });
		return { plan, current, send };
	};
	return [await carryOut(item, change)];
}

/** The positions of the boards to move, null if the API returns none. */
async function currentOrder(item: Item): Promise<IDataObject> {
	const order = item.input.body.display_order as IDataObject;
	const positions: IDataObject = Object.fromEntries(Object.keys(order).map((id) => [id, null]));
	for await (const { records } of pages(item, { path: '/boards' }, board)) {
		for (const each of records) {
			const id = identifierOf(each, board) ?? '';
			if (id in positions) positions[id] = each.display_order ?? null;
		}
	}
	return { display_order: positions };
}
