import { useSandbox, withoutBackoff } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox();
withoutBackoff();

const allBoards = action('board.getAll', { returnAll: true });
const allUsers = action('user.getAll', { returnAll: true });

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

it('a page that fails for good gives one failed item and no part of the listing', async () => {
	sandbox.faults.add({ kind: 'status', status: 500, message: 'out of order', after: 1 });
	const parameters = { ...allBoards, options: { maxRetries: 0 } };
	const { items } = await runNode(sandbox, parameters, { onError: 'continueRegularOutput' });
	expect(items.map(({ json }) => json.error)).toEqual(['Out of order']);
	const stopped = await runNode(sandbox, parameters);
	expect(stopped.error?.message).toBe('Out of order');
	expect(stopped.items).toEqual([]);
});
