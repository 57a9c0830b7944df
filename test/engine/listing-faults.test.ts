import type { INodeParameters } from 'n8n-workflow';
import { asNewcomer, useSandbox, withoutBackoff } from '../support/community.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox();
withoutBackoff();

const allBoards = { resource: 'board', operation: 'getAll', returnAll: true };
const allUsers = { resource: 'user', operation: 'getAll', returnAll: true };
const boardIds = () => [...sandbox.community.boards.keys()];

async function ids(parameters: INodeParameters, idField: string): Promise<unknown[]> {
	const { items, error } = await runNode(sandbox, parameters, asNewcomer());
	expect(error).toBeUndefined();
	return items.map(({ json }) => json[idField]);
}

describe('a listing that does not advance', () => {
	const message = 'Tell the operators of the community.';
	const EMPTY = {
		error:
			'The listing does not advance: 10 pages in a row without a new record, each announcing more',
		message,
	};
	const SAME = { error: 'The listing does not advance: the API gave the same page again', message };

	it.each([
		{ what: 'nothing but empty pages', answer: 'emptyPage', from: 1, text: EMPTY },
		{ what: 'a later page again', answer: 'samePage', from: 3, text: SAME },
	] as const)('ends with $what', async ({ answer, from, text }) => {
		sandbox.faults.add({ kind: 'stuck', answer, from });
		const stopped = await runNode(sandbox, allUsers);
		expect(stopped.items).toEqual([]);
		expect(stopped.error?.message).toBe(text.error);
		expect(stopped.error?.description).toBe(text.message);
		const continued = await runNode(sandbox, allUsers, { onError: 'continueRegularOutput' });
		expect(continued.items).toEqual([{ json: text, pairedItem: { item: 0 } }]);
	});
});

describe('a page that fails', () => {
	it.each([
		{ kind: 'status', status: 503, after: 1, times: 2 },
		{ kind: 'status', status: 429, retryAfter: 0, after: 1, times: 2 },
	] as const)('is asked for again ($kind)', async (fault) => {
		sandbox.faults.add(fault);
		expect(await ids(allBoards, 'board_id')).toEqual(boardIds());
	});

	it('for good gives one failed item and no part of the listing', async () => {
		sandbox.faults.add({ kind: 'status', status: 500, message: 'out of order', after: 1 });
		const parameters = { ...allBoards, options: { maxRetries: 0 } };
		const { items } = await runNode(sandbox, parameters, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.error)).toEqual(['Out of order']);
		const stopped = await runNode(sandbox, parameters);
		expect(stopped.error?.message).toBe('Out of order');
		expect(stopped.items).toEqual([]);
	});
});

describe('a listing that changes while it is read', () => {
	const present = () =>
		sandbox.community.members(10, 'user_id', 'desc').map((user) => user.user_id);

	it('gives a record once that moves to the next page', async () => {
		const before = present();
		sandbox.faults.add({ kind: 'membersChange', join: 1, after: 1, times: 1 });
		const given = await ids({ ...allUsers, options: { maxRequestsAtOnce: 1 } }, 'user_id');
		expect(given).toEqual(before);
		expect(present()).toHaveLength(before.length + 1);
	});
});
