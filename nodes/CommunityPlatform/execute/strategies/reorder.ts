import type { IDataObject } from 'n8n-workflow';
import { pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import { board } from '../../../shared/records/types';
import { carryOut } from '../carryOut';
import type { Plan } from '../changes';
import type { ItemContext, Strategy } from '../itemContext';
import { shapeAnswer } from '../output';
import { recordKey } from './one';

/** Reorders boards; with "Dry Run" or "Skip Unchanged", they are listed first. */
export const reorder: Strategy = {
	async send(item) {
		const { request } = item;
		await item.waitFor(item.lockRecord(recordKey(request.path)));
		const send = async () => shapeAnswer(await item.send(request), item);
		if (!item.isCompared) return [await send()];
		const done = await carryOut(item, planOf(item, await presentOrder(item)), {
			send,
			unchanged: () => shapeAnswer({ body: {} }, item),
		});
		return [done];
	},
};

async function presentOrder(item: ItemContext): Promise<Map<string, unknown>> {
	const positions = new Map<string, unknown>();
	const concurrency = item.api.settings.maxRequestsAtOnce;
	for await (const { records } of pages(item, { path: '/boards' }, board, { concurrency })) {
		for (const each of records) {
			const id = identifierOf(each, board);
			if (id !== undefined) positions.set(id, each.display_order);
		}
	}
	return positions;
}

function planOf({ input }: ItemContext, present: ReadonlyMap<string, unknown>): Plan {
	const to = input.body.display_order as IDataObject;
	const ids = Object.keys(to);
	const from = Object.fromEntries(ids.map((id) => [id, (present.get(id) ?? null) as number]));
	const isSame = ids.every((id) => String(from[id]) === String(to[id]));
	const isShown = ids.every((id) => from[id] !== null);
	return {
		action: isSame ? 'none' : 'update',
		identifiers: {},
		changes: isSame ? {} : { display_order: { from, to } },
		notShown: isShown ? [] : [input.sendLabels.display_order],
	};
}
