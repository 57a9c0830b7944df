import { createOnce } from '../creates';
import type { Item, Strategy } from '../item';
import { shapeAnswer } from '../shape';
import { planOfUnread, preview } from '../plan';

export const one: Strategy = {
	async send(item) {
		// The one change that cannot be compared, because no answer shows it: who may use a board.
		if (item.isDryRun) return [preview(item, planOfUnread(item))];
		const lock = lockOf(item);
		// Without a promise if there is nothing to wait for: promises are costly in runs of thousands of items.
		if (lock?.ready) await item.waitFor(lock);
		const isCreate = item.request.method === 'POST';
		const answer = isCreate
			? await createOnce(item)
			: (found(item) ?? (await item.send(item.request)));
		return [shapeAnswer(answer, item)];
	},
};

/** A member whom the search has just read. */
function found({ request, input, directory }: Item): { body: unknown } | undefined {
	const body = request.method === 'GET' && directory.members.takeRecord(input.values.userId);
	return body ? { body } : undefined;
}

function lockOf(item: Item) {
	const { method } = item.request;
	if (method === 'GET') return undefined;
	return method === 'POST' ? item.lockCreates() : item.lockRecord();
}
