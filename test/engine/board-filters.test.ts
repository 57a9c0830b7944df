import { asked, useSandbox } from '../support/community.mts';
import { action } from '../support/operations.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useSandbox();

beforeEach(() => {
	const [one, other] = sandbox.community.boards.values();
	Object.assign(one, { board_name: 'Zürich: Treffen & Café' });
	Object.assign(other, { board_name: 'Café in Łódź' });
});

async function names(nameContains: string, more: object = {}): Promise<unknown> {
	const filters = { nameContains };
	const { items, error } = await runNode(sandbox, action('board.getAll', { filters, ...more }));
	return error?.message ?? items.map(({ json }) => json.board_name);
}

describe('the filter Name Contains of boards', () => {
	it.each([
		['cafe', ['Zürich: Treffen & Café', 'Café in Łódź']],
		['CAFÉ zur', ['Zürich: Treffen & Café']],
		['lodz', ['Café in Łódź']],
		['no such board', []],
	])('keeps boards that contain every word, ignoring case and accents: %s', async (words, kept) => {
		expect(await names(words, { returnAll: true })).toEqual(kept);
	});

	it('keeps as many as the limit allows', async () => {
		expect(await names('cafe', { limit: 1 })).toEqual(['Zürich: Treffen & Café']);
	});

	it('is refused without a word', async () => {
		expect(await names('@')).toContain('cannot be part of a name');
		expect(asked(sandbox)).toEqual([]);
	});

	it('fails if the API hides the names, because that proves nothing', async () => {
		for (const board of sandbox.community.boards.values()) {
			Object.assign(board, { board_name: null });
		}
		expect(await names('cafe')).toBe('The owner of the API key cannot see the name of boards');
	});
});
