import type { INodeParameters } from 'n8n-workflow';
import { asked, byId, byMode, useSandbox } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { msidsIn, useMembers } from '../support/named-members.mts';
import { action, getNamed, toldAtStop } from '../support/operations.mts';

const { sandbox, run, find, active, change, pages, reads, writes } = useMembers();

const toRole = (by: string, options: INodeParameters = {}) =>
	action('user.updateRole', {
		userId: byMode(by, '={{ $json.name }}'),
		roleId: byId(10),
		options,
	});
const CONTINUE = { onError: 'continueRegularOutput' } as const;

describe('Search by username', () => {
	it('finds members in any case, with spaces or an @ around the username, by one search for all items', async () => {
		const members = active().slice(0, 24);
		const spelled = [
			(name: string) => ` @${name.toUpperCase()}\u200b`,
			(name: string) => name,
			(name: string) => `\t${name}`,
		];
		const items = members.map(({ username }, at) => ({ name: spelled[at % 3](username) }));
		const found = await run(toRole('username'), items);
		expect(msidsIn(found)).toEqual(members.map(({ msid }) => msid));
		expect(reads()).toBe(0);
		expect(new Set(pages()).size).toBe(pages().length);
	});

	it('finds a member on the wait-list by username', async () => {
		const [{ username, msid }] = sandbox.community.members(4, 'joined', 'desc');
		expect(await find('username', username)).toEqual([msid]);
	});

	it('refuses a username that no member has before any change, with the number of members searched', async () => {
		const items = [{ name: active()[0].username }, { name: 'nobody_at_all' }];
		const { error } = await run(toRole('username'), items);
		expect(error?.message).toBe("No member has the username 'nobody_at_all' (item 2)");
		expect(error?.description).toBe(
			toldAtStop(
				toRole(''),
				`Check the spelling in 'Member'. The node checked ${sandbox.community.users.size} members with any status.`,
				0,
				true,
			),
		);
		expect(error?.context?.itemIndex).toBe(1);
		expect(writes()).toEqual([]);
	});

	it('refuses a misspelt username and suggests the most similar one', async () => {
		change(active()[0], { username: 'countess_ada' });
		const { error } = await run(getNamed('username'), [{ name: '@Countes_ada' }]);
		expect(error?.message).toBe("No member has the username 'Countes_ada'");
		expect(error?.description).toMatch(
			/^Check the spelling in 'Member'\. Did you mean 'countess_ada'\? The node checked \d+ members/,
		);
	});

	it('refuses a username that several members share, with their msids', async () => {
		const text = '[{"msid":"1.a","username":"ada"},{"msid":"2.b","username":"Ada"}]';
		sandbox.faults.add({ kind: 'text', path: '/api/v1/users', text });
		const { error } = await run(getNamed('username'), [{ name: 'ada' }]);
		expect(error?.message).toBe("2 members have the username 'ada'");
		expect(error?.description).toContain(
			"Enter one of these member IDs (msid) in 'Member': 1.a, 2.b.",
		);
	});

	it('changes a member who was found although the search failed later', async () => {
		const [{ msid, username }] = active();
		sandbox.faults.add({ kind: 'status', status: 500, pattern: /users$/, after: 1 });
		const items = [{ name: username }, { name: 'nobody_at_all' }];
		const found = await run(toRole('username'), items, CONTINUE);
		expect(msidsIn(found)).toEqual([msid, 'The sandbox was told to refuse this']);
	});

	it('reports a member who already has the role if the search returned the role', async () => {
		const [one, other] = active();
		change(one, { role_id: 10 });
		change(other, { role_id: 5 });
		const items = [one, other].map(({ username }) => ({ name: username }));
		const { items: output, hints } = await run(toRole('username'), items);
		expect(output.map(({ json }) => [json.previous_role_id, json.changed])).toEqual([
			[10, false],
			[5, true],
		]);
		expect(hints).toContain('1 changed: 5 → 10 (1). 1 needed no change.');
	});

	it('includes the email address in the item of a member found by email', async () => {
		const [{ email }, { username }] = active();
		const { items } = await run(toRole('id'), [{ name: ` ${email}` }, { name: username }]);
		expect(items.map(({ json }) => json.email)).toEqual([email, null]);
	});

	it('reports the role of the first row as the previous role in the second row of a member', async () => {
		const [one] = active();
		change(one, { role_id: 10 });
		const parameters = toRole('username', { includeRoleName: true });
		parameters.roleId = byId('={{ $json.role }}');
		const { items } = await run(
			parameters,
			[5, 22].map((role) => ({ name: one.username, role })),
		);
		expect(items.map(({ json }) => [json.previous_role_id, json.previous_role_name])).toEqual([
			[10, 'Member'],
			[5, 'Moderator'],
		]);
	});
});

describe('Search by email', () => {
	// The community refuses a second member with an address, but imports and older accounts can share one.
	const TWIN = 'twin@members.example';

	it('reads the members, the newest first, until all email addresses of an execution are found', async () => {
		const members = [active()[3], active()[28]];
		const items = members.map(({ email }) => ({ name: ` ${email.toUpperCase()} ` }));
		const found = await run(getNamed('email'), items);
		expect(msidsIn(found)).toEqual(members.map(({ msid }) => msid));
		expect([pages().length, reads()]).toEqual([2, 40]);
		expect(found.hints).toContain(
			'40 members were read one by one, because the API cannot search by email address. Later executions find these members faster.',
		);
	});

	it.each<(address: string) => string>([
		(address) => `Ada Lovelace <${address}>`,
		(address) => `mailto:${address}`,
		(address) => address.replace('bücher', 'BÜCHER'),
		(address) => address.replace('bücher.example', 'xn--bcher-kva.example'),
		(address) => address.normalize('NFD'),
	])('finds the member if the email address is entered in the form %s', async (spelled) => {
		change(active()[0], { email: 'ada@bücher.example' });
		expect(await find('email', spelled('ada@bücher.example'))).toEqual([active()[0].msid]);
	});

	it('refuses an email address that several members have each time, before any change', async () => {
		for (const at of [2, 4]) change(active()[at], { email: TWIN });
		for (let time = 1; time <= 2; time++) {
			const { error } = await run(toRole('email'), [{ name: TWIN }], { maxTries: 2 });
			expect(error?.message).toBe(`2 members have the email address '${TWIN}'`);
			expect(writes()).toEqual([]);
		}
	});

	it('finds the same member by email with any other rows', async () => {
		for (const at of [2, 36]) change(active()[at], { email: TWIN });
		const items = [{ name: TWIN }, { name: 'tpyo@members.example' }];
		expect(msidsIn(await run(getNamed('email'), items, CONTINUE))).toEqual([
			active()[2].msid,
			"No member has the email address 'tpyo@members.example'",
		]);
	});

	it.each([
		{ kind: 'status', status: 403 } as const,
		{ kind: 'status', status: 410 } as const,
		// Another member's record.
		{ kind: 'text', text: '{ "msid": "1.other", "user_id": 1 }' } as const,
	])('finds an email address behind a member who cannot be read: %j', async (fault) => {
		const [one, other] = [active()[3], active()[28]];
		sandbox.faults.add({ ...fault, path: `/api/v1/users/${one.msid}` });
		expect(await find('email', other.email)).toEqual([other.msid]);
		const { error } = await run(getNamed('email', { maxRetries: 1 }), [{ name: one.email }]);
		expect(error?.description).toContain('with any status. 1 of them could not be read.');
	});

	it('finds an email address if the newest members have none', async () => {
		for (const each of active().slice(0, 24)) change(each, { email: '' });
		expect(await find('email', active()[32].email)).toEqual([active()[32].msid]);
	});

	it.each(['nobody', 'the owner of the key'])(
		'reports hidden email addresses if the API returns them for %s only',
		async (who) => {
			const { caller, users } = sandbox.community;
			for (const each of users.values())
				if (who === 'nobody' || each.msid !== caller.msid) change(each, { email: null });
			expect(await find('email', 'ada@members.example')).toEqual([
				'The owner of this API key cannot see the email addresses of other members',
			]);
		},
	);

	it('does not read a member again for Skip Unchanged after the search has read them', async () => {
		const items = active()
			.slice(0, 10)
			.map(({ email }) => ({ name: email }));
		await run(toRole('email', { skipUnchanged: true }), items);
		expect(reads()).toBe(20);
	});
});

describe('Search by username without access to every status', () => {
	// A page for each status, so that no page is requested ahead.
	const small = useSandbox({ members: 30 });

	it('skips a status that the key is not allowed to list', async () => {
		const [{ msid, username }] = small.community.members(4, 'joined', 'desc');
		small.faults.add({ kind: 'status', status: 403, path: '/api/v1/users', after: 1, times: 1 });
		const items = [{ name: username }];
		expect(msidsIn(await runNode(small, toRole('username'), { items }))).toEqual([msid]);
		expect(asked(small)[1]).toContain('status=6');
	});
});

it.each(['username', 'email'] as const)('sets an author by %s', async (by) => {
	const [author] = active();
	const [postId] = sandbox.community.posts.keys();
	const comment = { postId: String(postId), content: 'Hi', author: byMode(by, author[by]) };
	const { items } = await run(action('comment.create', comment));
	expect(items[0].json.user).toMatchObject({ msid: author.msid });
});

it.each([
	['msid', 'its plain text in saved workflows', (id: unknown) => `${id}`],
	['user_id', 'its plain text in saved workflows', (id: unknown) => `${id}`],
	['username', 'a mode of the picker', (name: unknown) => byMode('username', name)],
	['email', 'an expression', () => '={{ $json.email }}'],
] as const)('finds a member with tags by %s, in %s', async (field, _, form) => {
	const [member] = active();
	const refId = form(member[field]);
	for (const refType of ['USER', '={{ "USER" }}']) {
		const { error } = await run(action('tag.getForEntity', { refType, refId }), [{ ...member }]);
		expect(error).toBeUndefined();
		expect(asked(sandbox).at(-1)).toContain(`mapping?ref_type=USER&ref_id=${member.msid}&`);
	}
});

it('refuses the URL of a post for a comment with tags', async () => {
	const refId = 'https://community.example.com/posts/9100';
	const { error } = await run(action('tag.getForEntity', { refType: 'COMMENT', refId }));
	expect(error?.message).toBe(`'${refId}' is not a comment ID`);
});
