import type { IDataObject } from 'n8n-workflow';
import { pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import { board } from '../../../shared/records/types';
import type { Item, Strategy } from '../item';
import { shapeAnswer } from '../shape';
import type { Plan } from '../plan';
import { sendUnlessPlanned } from '../plan';

export const reorder: Strategy = {
	async send(item) {
		await item.waitFor(item.lockRecord());
		const send = async () => shapeAnswer(await item.send(item.request), item);
		if (!item.needsRecord) return [await send()];
		const unchanged = () => shapeAnswer({ body: {} }, item);
		return [await sendUnlessPlanned(item, planOf(item, await currentOrder(item)), send, unchanged)];
	},
};

async function currentOrder(item: Item): Promise<Map<string, unknown>> {
	const positions = new Map<string, unknown>();
	for await (const { records } of pages(item, { path: '/boards' }, board)) {
		for (const each of records) {
			const id = identifierOf(each, board);
			if (id !== undefined) positions.set(id, each.display_order);
		}
	}
	return positions;
}

function planOf({ input }: Item, current: ReadonlyMap<string, unknown>): Plan {
	const to = input.body.display_order as IDataObject;
	const ids = Object.keys(to);
	const from = Object.fromEntries(ids.map((id) => [id, (current.get(id) ?? null) as number]));
	const isSame = ids.every((id) => String(from[id]) === String(to[id]));
	return {
		action: isSame ? 'none' : 'update',
		identifiers: {},
		changes: isSame ? {} : { display_order: { from, to } },
		notShown: [],
	};
}
