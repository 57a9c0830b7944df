import { isSameName } from '../../../shared/text';
import { identifierOf } from '../../../shared/records/identity';
import { board } from '../../../shared/records/types';
import { isRecord, type HttpAnswer } from '../../../shared/transport';
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
		const answer = isCreate ? await createOnce(item) : await item.send(item.request);
		if (isCreate && item.run.isTool) await noteNamesakes(item, answer);
		return [shapeAnswer(answer, item)];
	},
};

// A model does not see the list of boards, and a board cannot be deleted.
async function noteNamesakes({ run, input, directory }: Item, { body }: HttpAnswer): Promise<void> {
	const { operation } = run.task;
	if (operation.record !== board) return;
	const name = String(input.values.boardName);
	const names = await directory.namesIfShown('board');
	const created = isRecord(body) ? identifierOf(body, board) : undefined;
	const same = [...(names ?? [])].filter(([id, each]) => id !== created && isSameName(each, name));
	if (created === undefined || same.length === 0) return;
	const ids = same.map(([id]) => id).join(', ');
	run.summary.ofOperation.add(`Another board has this name, too: see board_id ${ids}.`);
}

function lockOf(item: Item) {
	const { method } = item.request;
	if (method === 'GET') return undefined;
	return method === 'POST' ? item.lockCreates() : item.lockRecord();
}
