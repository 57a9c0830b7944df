import type { Lock } from '../../../shared/limiter';
import { preview } from '../carryOut';
import type { Plan } from '../changes';
import { planOfCreate, planOfUnseen } from '../changes';
import type { ItemContext, Strategy } from '../itemContext';
import { shapeAnswer } from '../output';

// Up to the dot in an msid, because the number before it identifies the member.
const RESOURCE_AND_NUMBER = /^\/(\w+\/[^/.]*)/;

/** One request for each item. */
export const one: Strategy = {
	async send(item) {
		const { request } = item;
		if (item.isDryRun) return [preview(item, planOf(item))];
		const lock = lockOf(item);
		// Without a promise if there is nothing to wait for: promises are costly in runs of thousands of items.
		if (lock?.ready) await item.waitFor(lock);
		return [shapeAnswer(await item.send(request), item)];
	},
};

// The one change that cannot be compared, because no answer shows it: who may use a board.
function planOf({ request, operation, input }: ItemContext): Plan {
	if (request.repeat === 'creating') return planOfCreate(input.body);
	return planOfUnseen(input.body, operation.identify?.(input) ?? {}, input.sendLabels);
}

function lockOf(item: ItemContext): Lock | undefined {
	const { repeat, path } = item.request;
	if (repeat === 'safe') return undefined;
	return repeat === 'creating' ? item.lockCreates() : item.lockRecord(recordKey(path));
}

/**
 * The key of a record's write lock: /users/42.abc and /users/42 are one member, /boards/7/members belongs to board 7.
 *
 * @param path of the request
 */
export function recordKey(path: string): string {
	return RESOURCE_AND_NUMBER.exec(path)?.[1] ?? path;
}
