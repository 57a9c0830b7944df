import type { INodeParameters } from 'n8n-workflow';
import { asked, useSandbox } from '../support/community.mts';
import { addKnownRecords } from '../support/known-records.mts';
import { callAsTool } from '../support/agent.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox();
beforeEach(() => addKnownRecords(sandbox));

const upsert = (
	boardName: string,
	additionalFields: INodeParameters = {},
	options: INodeParameters = {},
): INodeParameters => action('board.upsert', { boardName, additionalFields, options });
const boards = () => [...sandbox.community.boards.values()];
const writes = () => asked(sandbox).filter((line) => !line.startsWith('GET'));

describe('Board → Create or Update', () => {
	it('updates the board with the name, ignoring case, and keeps fields that are not set', async () => {
		const before = { ...sandbox.community.boards.get(900) };
		const { items } = await runNode(sandbox, upsert(' INSIDERS ', { about: 'News' }));
		expect(items[0].json).toMatchObject({ board_id: 900, about: 'News', created: false });
		expect(sandbox.community.boards.get(900)).toEqual({ ...before, about: 'News' });
		expect(writes()).toEqual(['PUT /api/v1/boards/900']);
	});

	it('creates one board for two items with the same new name, with the defaults of Create', async () => {
		const parameters = upsert('={{ $json.name }}', { isPrivate: true });
		const { items } = await runNode(sandbox, parameters, {
			items: [{ name: 'Welcome' }, { name: 'welcome' }],
		});
		expect(items.map(({ json }) => json.created)).toEqual([true, false]);
		expect(boards().filter(({ board_name: name }) => name === 'Welcome')).toMatchObject([
			{ is_private: true, hidden_type: 0, permission_for: 10, needs_approval: false },
		]);
		expect(writes()).toHaveLength(2);
	});

	it('reports the planned action in a dry run, and sends nothing with Skip Unchanged if nothing differs', async () => {
		const dry = { dryRun: true };
		const [found, made] = [upsert('Insiders', { about: 'News' }, dry), upsert('New one', {}, dry)];
		expect((await runNode(sandbox, found)).items[0].json).toMatchObject({
			dry_run: true,
			action: 'update',
			board_id: 900,
			change: 'about: For insiders → News',
			changes: { about: { from: 'For insiders', to: 'News' } },
		});
		expect((await runNode(sandbox, made)).items[0].json).toMatchObject({
			dry_run: true,
			action: 'create',
			board_name: 'New one',
			change: expect.any(String),
			changes: { permission_for: { from: null, to: 10 } },
		});
		const same = upsert('Insiders', { about: 'For insiders' }, { skipUnchanged: true });
		expect((await runNode(sandbox, same)).items[0].json).toMatchObject({
			board_id: 900,
			created: false,
			changed: false,
		});
		expect(writes()).toEqual([]);
	});

	it('names the field to add if the API hides one that an update needs', async () => {
		const { hidden_type, ...shown } = sandbox.community.boards.get(900) ?? {};
		const path = '/api/v1/boards/900';
		sandbox.faults.add({ kind: 'text', path, text: JSON.stringify(shown) });
		const { error } = await runNode(sandbox, upsert('Insiders', { about: `News ${hidden_type}` }));
		expect(error?.message).toBe("An update needs a value for 'Visible To'");
		expect(error?.description).toContain(
			"Add 'Visible To' under 'Additional Fields', because the API did not return the current value.",
		);
	});

	it('warns that the next execution does not find a record that the API stored under another name', async () => {
		const { boards: stored } = sandbox.community;
		const set = stored.set.bind(stored);
		const spy = jest.spyOn(stored, 'set').mockImplementation((id, board) => {
			board.board_name = board.board_name.replace('&', '&amp;');
			return set(id, board);
		});
		const { items, hints } = await runNode(sandbox, upsert('News & Events'));
		spy.mockRestore();
		expect(items[0].json).toMatchObject({ board_name: 'News &amp; Events', created: true });
		expect(hints).toContainEqual(
			"The API changed a name when it saved the record (see 'board_name'). Use the saved name from now on, or the next run will create the record again.",
		);
	});

	it('refuses a name that several boards share', async () => {
		const twin = { ...sandbox.community.boards.get(900), board_id: 901 };
		sandbox.community.boards.set(901, twin as never);
		const { error } = await runNode(sandbox, upsert('Insiders', { about: 'News' }));
		expect(error?.message).toBe("2 boards are named 'Insiders'");
		expect(error?.description).toContain("Use 'Update' with one of these IDs: 900, 901.");
		expect(writes()).toEqual([]);
	});

	it('as a tool, keeps true and false if a model leaves them empty', async () => {
		const before = { ...sandbox.community.boards.get(900) };
		const decided = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
		const parameters = upsert('Insiders', {
			about: 'News',
			isPrivate: decided('private'),
			needsApproval: decided('approval'),
		});
		await callAsTool(sandbox, parameters, { private: '', approval: '' });
		expect(sandbox.community.boards.get(900)).toEqual({ ...before, about: 'News' });
		await callAsTool(sandbox, parameters, { private: 'false', approval: '' });
		expect(sandbox.community.boards.get(900)).toMatchObject({ is_private: false });
	});
});
