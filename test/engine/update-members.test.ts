import type { INodeParameters } from 'n8n-workflow';
import { byId, byMode, range } from '../support/community.mts';
import { useMembers } from '../support/named-members.mts';
import { action } from '../support/operations.mts';

const { sandbox, run, active, writes } = useMembers();

describe('Update Members', () => {
	const board = () => [...sandbox.community.boards.values()].find((each) => each.is_private)!;
	const members = () => sandbox.community.boardMembers.get(board().board_id);
	const update = (parameters: INodeParameters) =>
		action('board.updateMembers', { boardId: byId(board().board_id), ...parameters });
	const ofText = {
		membersInput: 'text',
		addMembers: '={{ $json.add }}',
		removeMembers: '={{ $json.remove }}',
	};

	it('sends two requests for 120 rows of one board, and returns an item for each row', async () => {
		const newcomers = range(1, 120).map(() => sandbox.community.addUser({ first_name: 'New' }));
		const added = newcomers.map(({ msid }) => ({ add: msid, remove: '' }));
		const { items } = await run(update(ofText), added);
		expect(writes()).toEqual(Array(2).fill(`PUT /api/v1/boards/${board().board_id}/members`));
		expect(items.map(({ json }) => json.added)).toEqual(added.map(({ add }) => [add]));
		for (const { add } of added) expect([...members()!]).toContain(add);
	});

	it('keeps the order of the rows', async () => {
		const [{ msid }] = active();
		await run(update(ofText), [{ add: msid }, { remove: msid }, { add: msid }]);
		expect([...members()!]).toContain(msid);
		await run(update(ofText), [{ add: msid }, { remove: msid }]);
		expect([...members()!]).not.toContain(msid);
	});

	it('sends rows separately if several are refused, so that each has its own result', async () => {
		const [one, other] = active();
		const rows = [{ add: one.msid }, { add: '99999.nope' }, { add: other.msid }];
		const { items } = await run(update(ofText), rows, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
		expect([...members()!]).toEqual(expect.arrayContaining([one.msid, other.msid]));
		expect(writes()).toHaveLength(4);
	});

	it('with Stop, sends no row after a refused one', async () => {
		const [one, other] = active();
		const rows = [{ add: one.msid }, { add: '99999.nope' }, { add: other.msid }];
		const { error } = await run(update(ofText), rows);
		expect(error?.description).toContain('Items already applied: 1.');
		expect(writes()).toHaveLength(3);
	});

	it('with batching and Stop, sends only rows whose turn has come', async () => {
		const [one, other] = active();
		const publicBoard = [...sandbox.community.boards.values()].find((each) => !each.is_private)!;
		const boards = [board(), publicBoard, board()].map(({ board_id }) => board_id);
		const rows = [one, one, other].map(({ msid: add }, at) => ({ add, boardId: boards[at] }));
		sandbox.faults.add({ kind: 'status', status: 400, path: `/api/v1/boards/${boards[1]}/` });
		const { error } = await run(
			update({ ...ofText, boardId: byId('={{ $json.boardId }}') }),
			rows,
			{ requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 200 } } } },
		);
		expect(error?.description).toContain('Items already applied: 1.');
		expect([...members()!]).not.toContain(other.msid);
		expect(writes()).toHaveLength(2);
	});

	it('counts exactly what was applied if a row of another board fails among many batches', async () => {
		const publicBoard = [...sandbox.community.boards.values()].find((each) => !each.is_private)!;
		const newcomers = range(1, 300).map(() => sandbox.community.addUser({ first_name: 'New' }));
		const rows = newcomers.map(({ msid: add }, at) => ({
			add,
			boardId: (at === 250 ? publicBoard : board()).board_id,
		}));
		const path = `/api/v1/boards/${publicBoard.board_id}/`;
		sandbox.faults.add({ kind: 'status', status: 400, path });
		const { error } = await run(
			update({ ...ofText, boardId: byId('={{ $json.boardId }}') }),
			rows,
			{ requestOptions: { batching: { batch: { batchSize: 10, batchInterval: 1 } } } },
		);
		const added = newcomers.filter(({ msid }) => members()!.has(msid)).length;
		expect(added).toBeGreaterThan(0);
		expect(added).toBeLessThan(299);
		expect(error?.description).toContain(`Items already applied: ${added}.`);
	});

	it.each(['text', 'list'])('skips members of a %s who are not found', async (membersInput) => {
		const [{ msid, email }] = active();
		const names = [email, 'nobody@members.example'];
		const rows = names.map((name) => ({ userId: byMode('email', name), access: 'add' }));
		const { items, hints } = await run(
			update({
				membersInput,
				...(membersInput === 'text'
					? { addMembers: names.join() }
					: { boardMembers: { members: rows } }),
				options: { ifNotFound: 'leaveOut' },
			}),
		);
		expect(items[0].json.added).toEqual([msid]);
		expect(hints).toContain(
			'1 member was not found, so the node left them out: nobody@members.example. Check the spelling.',
		);
	});

	it('returns no item for a row if none of its members is found', async () => {
		const { items, error } = await run(update({ ...ofText, options: { ifNotFound: 'leaveOut' } }), [
			{ add: 'nobody@members.example' },
			{ add: active()[0].msid },
		]);
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});

	it.each([{}, { dryRun: true }])(
		'reports a board that is not private, if the boards were listed: %j',
		async (options) => {
			const all = [...sandbox.community.boards.values()];
			const { board_id: id, board_name: name } = all.find((each) => !each.is_private)!;
			const rows = active().slice(0, 2);
			const parameters = update({ ...ofText, addMembers: '={{ $json.msid }}', options });
			const hintsOf = async (boardId: unknown) =>
				(await run({ ...parameters, boardId } as never, rows as never)).hints.join();
			const hint = `'${name}' is not private, so everyone can use it anyway. To restrict a board to its members, turn on 'Private' in 'Update'.`;
			expect(await hintsOf(byMode('name', name))).toContain(hint);
			expect(await hintsOf(byMode('name', board().board_name))).not.toContain('private');
			expect(await hintsOf(byId(id))).not.toContain('private');
		},
	);

	describe('names members by ID, username or email', () => {
		const changed = async (parameters: INodeParameters) => {
			const { items, error } = await run(update(parameters));
			expect(error).toBeUndefined();
			return items[0].json;
		};

		it('in one text', async () => {
			const [one, two, three, four] = active();
			const addMembers = `${one.msid}, ${two.user_id}, @${three.username}, ${four.email}`;
			const { added } = await changed({ membersInput: 'text', addMembers });
			expect(added).toEqual([one, two, three, four].map(({ msid }) => msid));
		});

		it.each([
			['"Weber, Hana" <1>', 1],
			['Miller, Bob <1>; Lovelace, Ada <2>\u2028"Weber, Hana" <3>', 3],
			['Miller, Bob <1>, O’Neil-Smith, Ada <2>,3, Hana <4>', 4],
		])('as a mail program copies them: %s', async (copied, count) => {
			const some = active().slice(0, count);
			const addMembers = copied.replace(/\d/g, (at) => some[Number(at) - 1].email);
			const { added } = await changed({ membersInput: 'text', addMembers });
			expect(added).toEqual(some.map(({ msid }) => msid));
		});

		it('in rows', async () => {
			const [one, two] = active();
			const rows = [
				{ userId: byMode('username', one.username), access: 'add' },
				{ userId: byMode('email', two.email), access: 'remove' },
			];
			expect(
				await changed({ membersInput: 'list', boardMembers: { members: rows } }),
			).toMatchObject({ added: [one.msid], removed: [two.msid] });
		});

		it('and returns a single one and the board, with the same fields for each row', async () => {
			const [{ msid, username }, other] = active();
			const boardId = byMode('name', board().board_name);
			const rows = [{ add: `@${username}` }, { add: `${msid}, ${other.msid}` }];
			const { items } = await run(update({ ...ofText, boardId, removeMembers: '' }), rows);
			const { board_id, board_name } = board();
			expect(items.map(({ json }) => json)).toEqual([
				{ board_name, username, board_id, msid, added: [msid], message: 'OK' },
				{
					board_name,
					username: null,
					board_id,
					msid: null,
					added: [msid, other.msid],
					message: 'OK',
				},
			]);
		});
	});
});
