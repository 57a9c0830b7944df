import { useSandbox, withoutBackoff } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox();
withoutBackoff();

const allBoards = action('board.getAll', { returnAll: true });

it('a page that finally fails results in one failed item and no part of the list', async () => {
	sandbox.faults.add({ kind: 'status', status: 500, message: 'out of order', after: 1 });
	const parameters = { ...allBoards, options: { maxRetries: 0 } };
	const { items } = await runNode(sandbox, parameters, { onError: 'continueRegularOutput' });
	expect(items.map(({ json }) => json.error)).toEqual(['Out of order']);
	const stopped = await runNode(sandbox, parameters);
	expect(stopped.error?.message).toBe('Out of order');
	expect(stopped.items).toEqual([]);
});
