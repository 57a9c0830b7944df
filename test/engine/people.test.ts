import type { INodeParameters } from 'n8n-workflow';
import { asked, byId, useSandbox, withoutBackoff } from '../support/community.mts';
import { toldAtStop } from '../support/operations.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 160 });
withoutBackoff();

const member = (mode: string, value: unknown) => ({ __rl: true, mode, value }) as never;
const toRole = (userId: unknown): INodeParameters => ({
	...{ resource: 'user', operation: 'updateRole' },
	...{ userId: userId as never, roleId: byId(10) },
});
const active = () => sandbox.community.members(10, 'joined', 'desc');
const reads = () => asked(sandbox).filter((line) => /^GET \/api\/v1\/users\/\d/.test(line)).length;
const pagesRead = () => asked(sandbox).filter((line) => line.startsWith('GET /api/v1/users?'));

describe('a member by username', () => {
	it('is found whatever the case, the spaces around it and the @, by one walk for all items', async () => {
		const members = active().slice(0, 60);
		const spelled = [
			(name: string) => ` @${name.toUpperCase()}\u200b`,
			(name: string) => name,
			(name: string) => `\t${name}`,
		];
		const items = members.map(({ username }, at) => ({ name: spelled[at % 3](username) }));
		const { items: given, error } = await runNode(
			sandbox,
			toRole(member('username', '={{ $json.name }}')),
			{ items },
		);
		expect(error).toBeUndefined();
		expect(given.map(({ json }) => json.msid)).toEqual(members.map(({ msid }) => msid));
		expect(reads()).toBe(0);
		expect(new Set(pagesRead()).size).toBe(pagesRead().length);
	});

	it('of the wait-list is found as well', async () => {
		const [waiting] = sandbox.community.members(4, 'joined', 'desc');
		const { items } = await runNode(sandbox, toRole(member('username', waiting.username)));
		expect(items[0].json.msid).toBe(waiting.msid);
	});

	it('that nobody has is refused before anything is changed, with how many were looked at', async () => {
		const items = [{ name: active()[0].username }, { name: 'nobody_at_all' }];
		const { error } = await runNode(sandbox, toRole(member('username', '={{ $json.name }}')), {
			items,
		});
		expect(error?.message).toBe("No member has the username 'nobody_at_all' (item 2)");
		expect(error?.description).toBe(
			toldAtStop(
				toRole(''),
				`Check it in 'User': ${sandbox.community.users.size} members were looked at, of every status.`,
				0,
				true,
			),
		);
		expect(error?.context?.itemIndex).toBe(1);
		expect(sandbox.requests.matching('PATCH')).toEqual([]);
	});
});

describe('a member by email', () => {
	it('is found by reading the members, the newest first, until all of a run are found', async () => {
		const members = [active()[3], active()[70]];
		const items = members.map(({ email }) => ({ email: ` ${email.toUpperCase()} ` }));
		const { items: given, hints } = await runNode(
			sandbox,
			toRole(member('email', '={{ $json.email }}')),
			{ items },
		);
		expect(given.map(({ json }) => json.msid)).toEqual(members.map(({ msid }) => msid));
		expect(pagesRead()).toHaveLength(2);
		expect(reads()).toBe(100);
		expect(hints).toContain(
			'Found by reading 100 members, because the API has no search by email address. A run in the next ten minutes finds them at once.',
		);
	});

	it('may be given By ID, as what is dragged into the field is', async () => {
		const [{ msid, email }] = active();
		const { items } = await runNode(sandbox, toRole(byId(`={{ "${email}" }}`)));
		expect(items[0].json.msid).toBe(msid);
	});

	it('is read back instead when it was found a moment ago, and looked for anew when it has moved', async () => {
		const [one, other] = [active()[5], active()[6]];
		const parameters = toRole(member('email', one.email));
		await runNode(sandbox, parameters);
		sandbox.requests.clear();
		await runNode(sandbox, parameters);
		expect([pagesRead().length, reads()]).toEqual([0, 1]);
		const address = one.email;
		sandbox.community.changeUser(one.msid, { email: 'moved@members.example' });
		sandbox.community.changeUser(other.msid, { email: address });
		const { items, error } = await runNode(sandbox, parameters);
		expect(error).toBeUndefined();
		expect(items[0].json.msid).toBe(other.msid);
	});

	it('is looked for anew after ten minutes', async () => {
		const parameters = toRole(member('email', active()[5].email));
		await runNode(sandbox, parameters);
		sandbox.requests.clear();
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 10 * 60_000 + 1);
		await runNode(sandbox, parameters).finally(() => clock.mockRestore());
		expect([pagesRead().length, reads()]).toEqual([1, 50]);
	});

	it('is told apart from one that the API does not show to this key', async () => {
		for (const each of sandbox.community.users.values()) Object.assign(each, { email: null });
		const { error } = await runNode(sandbox, toRole(member('email', 'ada@members.example')));
		expect(error?.message).toBe('The API shows no email addresses to the owner of this API key');
		expect([pagesRead().length, reads()]).toEqual([1, 50]);
	});

	it('without an @ is refused before anything is sent', async () => {
		const { error } = await runNode(sandbox, toRole(member('email', 'ada')));
		expect(error?.message).toBe("'ada' is not an email address");
		expect(asked(sandbox)).toEqual([]);
	});
});

it('who was found is changed although the walk broke off behind them', async () => {
	const [found] = active();
	const rest = { kind: 'status', status: 500, pattern: /users$/, after: 1 } as const;
	sandbox.faults.add(rest);
	const items = [{ name: found.username }, { name: 'nobody_at_all' }];
	const { items: given } = await runNode(sandbox, toRole(member('username', '={{ $json.name }}')), {
		items,
		onError: 'continueRegularOutput',
	});
	expect(given[0].json.msid).toBe(found.msid);
	expect(given[1].json.error).toBe('The sandbox was told to refuse this');
});

it('several who share a username are refused, with their msids', async () => {
	const twins = '[{"msid":"1.a","username":"ada"},{"msid":"2.b","username":"Ada"}]';
	sandbox.faults.add({ kind: 'text', path: '/api/v1/users', text: twins });
	const { error } = await runNode(sandbox, toRole(member('username', 'ada')));
	expect(error?.message).toBe("2 members have the username 'ada'");
	expect(error?.description).toContain("Give the msid of one of them in 'User': 1.a, 2.b.");
});

describe('a status that this key may not list', () => {
	// A page for each status, so that no page is requested ahead.
	const small = useSandbox({ members: 30 });

	it('is passed over', async () => {
		const [waiting] = small.community.members(4, 'joined', 'desc');
		const parameters = toRole(member('username', waiting.username));
		const fault = { kind: 'status', status: 403, path: '/api/v1/users' } as const;
		small.faults.add({ ...fault, after: 1, times: 1 });
		const { items } = await runNode(small, parameters);
		expect(asked(small)[1]).toContain('status=6');
		expect(items[0].json.msid).toBe(waiting.msid);
	});
});

it.each(['Ada Lovelace', 'ada@members.example'])('%p is no username', async (text) => {
	const { error } = await runNode(sandbox, toRole(member('username', text)));
	expect(error?.message).toBe(`'${text}' is not a username`);
	expect(asked(sandbox)).toEqual([]);
});

it.each(['username', 'email'] as const)('an author is named by %s', async (by) => {
	const [author] = active();
	const [postId] = sandbox.community.posts.keys();
	const { items } = await runNode(sandbox, {
		...{ resource: 'comment', operation: 'create', postId: String(postId), content: 'Hi' },
		author: member(by, author[by]),
	});
	expect(items[0].json.user).toMatchObject({ msid: author.msid });
});

it('who has the role already is told, where the walk has shown the role', async () => {
	const [one, other] = active();
	sandbox.community.changeUser(one.msid, { role_id: 10 });
	sandbox.community.changeUser(other.msid, { role_id: 5 });
	const { items, hints } = await runNode(
		sandbox,
		toRole(member('username', '={{ $json.username }}')),
		{
			items: [one, other].map(({ username }) => ({ username })),
		},
	);
	expect(items.map(({ json }) => [json.previous_role_id, json.changed])).toEqual([
		[10, false],
		[5, true],
	]);
	expect(hints).toContain('1 of 2 updated. 1 had the role already.');
});

it('a member who comes twice has the role of the first time before the second', async () => {
	const [{ msid, username }] = active();
	sandbox.community.changeUser(msid, { role_id: 10 });
	const parameters = {
		...toRole(member('username', username)),
		...{ roleId: byId('={{ $json.role }}'), options: { includeRoleName: true } },
	};
	const { items } = await runNode(sandbox, parameters, { items: [{ role: 5 }, { role: 22 }] });
	expect(items.map(({ json }) => [json.previous_role_id, json.previous_role_name])).toEqual([
		[10, 'Member'],
		[5, 'Moderator'],
	]);
});

describe('members of a board, by whatever names them', () => {
	const update = async (parameters: INodeParameters) => {
		const board = [...sandbox.community.boards.values()].find((each) => each.is_private);
		const boardId = byId(board?.board_id);
		const updateMembers = { resource: 'board', operation: 'updateMembers', boardId };
		const { items, error } = await runNode(sandbox, { ...updateMembers, ...parameters });
		expect(error).toBeUndefined();
		return items[0].json;
	};

	it('are taken from one text', async () => {
		const [one, two, three, four] = active();
		const addMembers = `${one.msid}, ${two.user_id}, @${three.username}, ${four.email}`;
		const { added } = await update({ membersInput: 'text', addMembers });
		expect(added).toEqual([one, two, three, four].map(({ msid }) => msid));
	});

	it('are taken from rows', async () => {
		const [one, two] = active();
		const members = [
			{ userId: member('username', one.username), access: 'add' },
			{ userId: member('email', two.email), access: 'remove' },
		];
		const changed = await update({ boardMembers: { members } });
		expect(changed).toMatchObject({ added: [one.msid], removed: [two.msid] });
	});

	it('are named where there is one', async () => {
		const [{ msid, username }] = active();
		const changed = await update({ membersInput: 'text', addMembers: `@${username}` });
		expect(changed).toMatchObject({ username, added: [msid] });
	});
});
