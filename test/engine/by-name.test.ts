import type { INodeParameters } from 'n8n-workflow';
import { asked, byId, range, useSandbox } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox({ members: 60 });

const byName = (value: unknown) => ({ __rl: true, mode: 'name', value }) as never;
const toRole = (roleId: unknown): INodeParameters =>
	action('user.updateRole', { userId: byId('={{ $json.msid }}'), roleId: roleId as never });
const members = () => sandbox.community.members(10, 'user_id', 'asc').slice(0, 8);
const LISTED = ['GET /api/v1/roles?page=1&page_size=50'];

describe('Role, by name', () => {
	it('finds a role in any case and with spaces around its name, by one list for all items', async () => {
		const spellings = ['Champion', '\u00a0champion ', 'CHAMPION', '\tcHaMpIoN\n'];
		const { role_id } = [...sandbox.community.roles.values()].find(
			({ role_name }) => role_name === 'Champion',
		) as { role_id: number };
		const items = members().map(({ msid }, at) => ({ msid, role: spellings[at % 4] }));
		const { items: output, error } = await runNode(sandbox, toRole(byName('={{ $json.role }}')), {
			items,
		});
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.role_id)).toEqual(items.map(() => role_id));
		expect(asked(sandbox).filter((line) => line.startsWith('GET'))).toEqual(LISTED);
		expect(asked(sandbox)).toHaveLength(items.length + 1);
		for (const { msid } of items) expect(sandbox.community.user(msid).role_id).toBe(role_id);
	});

	it('finds a role by a name dropped onto the field, for which n8n sets By ID', async () => {
		const [{ msid, username }] = members();
		const { items: output, error } = await runNode(
			sandbox,
			action('user.updateRole', {
				userId: byId('={{ $json.user }}'),
				roleId: byId('={{ $json.role }}'),
			}),
			{ items: [{ user: username, role: 'champion' }] },
		);
		expect(error).toBeUndefined();
		expect(output).toMatchObject([{ json: { msid, role_name: 'Champion' } }]);
	});

	it('forgets the name of a role after the execution', async () => {
		const items = [{ msid: members()[0].msid }];
		await runNode(sandbox, toRole(byName('Champion')), { items });
		await runNode(sandbox, toRole(byName('Champion')), { items });
		expect(asked(sandbox).filter((line) => line.startsWith('GET'))).toEqual([...LISTED, ...LISTED]);
	});

	it('refuses a role that does not exist before any change, with the most similar names', async () => {
		const items = [{ msid: members()[0].msid, role: 'Champion' }, { role: 'Champoin' }].map(
			(item) => ({ msid: members()[0].msid, ...item }),
		);
		const parameters = toRole(byName('={{ $json.role }}'));
		const { error } = await runNode(sandbox, parameters, { items });
		expect(error?.message).toBe("No role named 'Champoin' was found (item 2)");
		expect(error?.description).toBe(
			"Check the name in 'Role'. Did you mean 'Champion'? Nothing was changed. To process the other items, open Settings and set 'On Error' to 'Continue (using error output)'.",
		);
		expect(error?.context?.itemIndex).toBe(1);
		expect(asked(sandbox)).toEqual(LISTED);
	});

	it.each([
		[
			10,
			'The roles are: Admin, Moderator, Member, Contributor, Champion, Mentor, Event Host, Role 80, Role 81, Role 82.',
		],
		[11, "'Get Many' lists all roles."],
	])(
		'lists the roles if there are at most ten, and none has a similar name: %d',
		async (...row) => {
			const [count, told] = row;
			const { roles } = sandbox.community;
			for (let role_id = 80; roles.size < count; role_id++) {
				const role_name = `Role ${role_id}`;
				roles.set(role_id, { role_id, role_name, role_details: '', is_default: false });
			}
			const items = [{ msid: members()[0].msid }];
			const { error } = await runNode(sandbox, toRole(byName('zzzqqq')), { items });
			expect(error?.message).toBe("No role named 'zzzqqq' was found");
			expect(error?.description).toBe(`Check the name in 'Role'. ${told} Nothing was changed.`);
		},
	);

	it('reports several roles that do not exist together', async () => {
		const tag = action('post.create', { headline: 'Hi', content: 'Hi' });
		const author = { __rl: true, mode: 'username', value: 'nobody_at_all' };
		const named = { ...tag, boardId: byName('Nowhere'), author };
		const { error } = await runNode(sandbox, named);
		expect(error?.message).toBe(
			"No board named 'Nowhere' was found. No member has the username 'nobody_at_all'",
		);
	});

	it('reports roles that cannot be looked up as a refusal of every item', async () => {
		sandbox.faults.add({ kind: 'status', status: 403 });
		const user = { __rl: true, mode: 'username', value: 'ada' };
		const parameters = { ...toRole(byName('Champion')), userId: user };
		const { error } = await runNode(sandbox, parameters, { items: [{}, {}] });
		expect(error).toMatchObject({ httpCode: '403' });
		expect(error?.message).not.toContain('(item 1)');
	});

	it('refuses a name that several roles share, with their IDs', async () => {
		for (const role_id of [71, 72]) {
			sandbox.community.roles.set(role_id, {
				role_id,
				role_name: role_id === 71 ? 'Twin' : 'TWIN',
				role_details: '',
				is_default: false,
			});
		}
		const items = [{ msid: members()[0].msid }];
		const { error } = await runNode(sandbox, toRole(byName('twin')), { items });
		expect(error?.message).toBe("2 roles are named 'twin'");
		expect(error?.description).toBe(
			"Enter one of these IDs in 'Role': 71, 72. Nothing was changed.",
		);
		expect(asked(sandbox)).toEqual(LISTED);
	});

	it('accepts the name of a role that looks like a number', async () => {
		const items = [{ msid: members()[0].msid }];
		const { error } = await runNode(sandbox, toRole(byName('1')), { items });
		expect(error?.message).toBe("No role named '1' was found");
		expect(error?.description).toBe(
			"If 1 is an ID, choose 'By ID' in 'Role'. Otherwise, check the name. Nothing was changed.",
		);
	});

	it('sends no change if the key is not allowed to list roles', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/roles' });
		const items = [{ msid: members()[0].msid }];
		const { error } = await runNode(sandbox, toRole(byName('Champion')), { items });
		expect(error?.httpCode).toBe('403');
		expect(asked(sandbox)).toEqual(LISTED);
	});
});

describe('Board, by name', () => {
	const getBoard = (name: unknown) => action('board.get', { boardId: byName(name) });

	it('finds a board on any page of the list', async () => {
		const boards = [...sandbox.community.boards.values()];
		expect(boards.length).toBeGreaterThan(100);
		const wanted = [boards[0], boards[60], boards[boards.length - 1]];
		const { items } = await runNode(sandbox, getBoard('={{ $json.name }}'), {
			items: wanted.map(({ board_name }) => ({ name: board_name })),
		});
		expect(items.map(({ json }) => json.board_id)).toEqual(wanted.map(({ board_id }) => board_id));
		const listed = asked(sandbox).filter((line) => line.includes('?page='));
		expect(new Set(listed).size).toBe(listed.length);
		expect(listed.length).toBeGreaterThan(2);
	});

	it.each([
		[
			'has no ID in the list',
			[{ board_name: 'Twin', about: 'x' }],
			"The API did not return the ID of the board 'twin'",
			'If you know the ID, enter it in',
		],
		[
			'has an ID that JSON has rounded',
			[{ board_id: 2 ** 53, board_name: 'Twin', about: 'x' }],
			"The API did not return the ID of the board 'twin'",
			'If you know the ID, enter it in',
		],
		[
			'belongs to many boards',
			range(1, 1000).map((board_id) => ({ board_id, board_name: 'Twin' })),
			"1000 boards are named 'twin'",
			': 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 990 more.',
		],
		[
			'is missing from an empty list',
			[],
			"No board named 'twin' was found",
			'Check that the community has boards.',
		],
	])(
		'refuses the name of a board that %s, and sends no change',
		async (_, value, message, advice) => {
			sandbox.faults.add({ kind: 'notAList', value });
			sandbox.faults.add({ kind: 'hasMore', value: '0' });
			const { error } = await runNode(sandbox, getBoard('twin'));
			expect(error?.message).toBe(message);
			expect(error?.description).toContain(advice);
			expect(asked(sandbox)).toHaveLength(1);
		},
	);

	it('accepts the name of a board as a row of the board order', async () => {
		const [first, second] = [...sandbox.community.boards.values()];
		const { items, error } = await runNode(
			sandbox,
			action('board.reorder', {
				orderInput: 'list',
				boardOrder: {
					boards: [
						{ boardId: byName(second.board_name.toUpperCase()) },
						{ boardId: byId(first.board_id) },
					],
				},
			}),
		);
		expect(error).toBeUndefined();
		expect(items[0].json.display_order).toEqual({ [second.board_id]: 1, [first.board_id]: 2 });
	});

	it('refuses a board order that has the same board in two rows', async () => {
		const [first] = sandbox.community.boards.values();
		const { error } = await runNode(
			sandbox,
			action('board.reorder', {
				orderInput: 'list',
				boardOrder: {
					boards: [{ boardId: byName(first.board_name) }, { boardId: byId(first.board_id) }],
				},
			}),
		);
		expect(error?.message).toBe("The parameter 'Boards' lists the same board twice");
		expect(asked(sandbox).every((line) => line.startsWith('GET'))).toBe(true);
	});

	it('accepts the name of a board in an update, and checks it together with the other fields', async () => {
		const [post] = sandbox.community.posts.values();
		const [, board] = sandbox.community.boards.values();
		const { error } = await runNode(
			sandbox,
			action('post.update', {
				postId: String(post.post_id),
				updateFields: { boardId: byName(board.board_name) },
			}),
		);
		expect(error).toBeUndefined();
		expect(sandbox.community.posts.get(post.post_id)?.board_id).toBe(board.board_id);
	});
});

it('finds a tag by its name and its display name', async () => {
	sandbox.community.tags.set(9400, {
		tag_id: 9400,
		name: 'weeklyroundup',
		display_name: 'Weekly Round-Up',
		back_color: '#ffffff',
		text_color: '#330000',
	} as never);
	for (const name of ['weekly round-up', '#WeeklyRoundUp', 'weeklyroundup']) {
		const { items, error } = await runNode(sandbox, action('tag.get', { tagId: byName(name) }));
		expect(error).toBeUndefined();
		expect(items[0].json.tag_id).toBe(9400);
	}
});

it('refers to the list of tags if no tag has a similar name', async () => {
	const tag = action('tag.get', { tagId: byName('zzzqqq') });
	const { error } = await runNode(sandbox, tag);
	expect(error?.description).toBe("Check the name in 'Tag'. 'Get Many' lists all tags.");
});

it.each(['"Champion"', '“champion”', "'Champion'"])(
	'takes %s as the name between the quotes',
	async (role) => {
		const { error } = await runNode(sandbox, toRole(byId(role)), {
			items: [{ msid: members()[0].msid }],
		});
		expect(error).toBeUndefined();
	},
);

it('looks up no name if another item, which needs no look-up, cannot be used', async () => {
	const [board] = sandbox.community.boards.values();
	const [{ user_id }] = members();
	const { error } = await runNode(
		sandbox,
		action('board.updateMembers', {
			boardId: byId(String(board.board_id)),
			membersInput: 'text',
			addMembers: '={{ $json.member }}',
		}),
		{ items: [{ member: String(user_id) }, { member: '' }] },
	);
	expect(error?.message).toBe('No members were entered (item 2)');
	expect(error?.context?.itemIndex).toBe(1);
	expect(asked(sandbox)).toEqual([]);
});
