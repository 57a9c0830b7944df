import type { Lock } from '../../../shared/pacing';
import { preview } from '../carryOut';
import type { Plan } from '../changes';
import { planOfCreate, planOfUnseen } from '../changes';
import type { ItemContext, Strategy } from '../itemContext';
import { shapeAnswer } from '../output';

// Up to the dot in an msid, which names the same member as the number before it.
const RESOURCE_AND_NUMBER = /^\/(\w+\/[^/.]*)/;

/** One request for each item: get, create, replace without reading first, acknowledge. */
export const one: Strategy = {
	async send(item) {
		const { request } = item;
		if (item.isDryRun) return [preview(item, planOf(item))];
		const turn = turnOf(item);
		// Where nothing has to be waited for, a promise costs time, thousands of times in a run.
		if (turn?.ready) await item.waitFor(turn);
		return [shapeAnswer(await item.send(request), item)];
	},
};

// A request that changes what no answer shows: who may use a board.
function planOf({ request, operation, input }: ItemContext): Plan {
	if (request.repeat === 'creating') return planOfCreate(input.body);
	return planOfUnseen(input.body, operation.identify?.(input) ?? {}, input.sendLabels);
}

function turnOf(item: ItemContext): Lock | undefined {
	const { repeat, path } = item.request;
	if (repeat === 'safe') return undefined;
	return repeat === 'creating' ? item.queueToCreate() : item.queueToWrite(recordKey(path));
}

/**
 * What identifies a record in the queue of its writes: /users/42.abc and /users/42 are one member,
 * /boards/7/members belongs to board 7.
 *
 * @param path of the request
 */
export function recordKey(path: string): string {
	return RESOURCE_AND_NUMBER.exec(path)?.[1] ?? path;
}
