import type { INodeParameters } from 'n8n-workflow';
import { asNewcomer, asked, byId, useSandbox, withoutBackoff } from '../support/community.mts';
import { action, toldAtStop } from '../support/operations.mts';
import { runNode, type RunResult } from '../support/engine.mts';

describe('People by username and e-mail', () => {
	const sandbox = useSandbox({ members: 65, largestPage: 20 });
	withoutBackoff();

	const member = (mode: string, value: unknown) => ({ __rl: true, mode, value }) as never;
	const toRole = (userId: unknown): INodeParameters =>
		action('user.updateRole', { userId: userId as never, roleId: byId(10) });
	const active = () => sandbox.community.members(10, 'joined', 'desc');
	const reads = () =>
		asked(sandbox).filter((line) => /^GET \/api\/v1\/users\/\d/.test(line)).length;
	const pagesRead = () => asked(sandbox).filter((line) => line.startsWith('GET /api/v1/users?'));

	describe('a member by username', () => {
		it('is found in any case, with spaces around it or an @, by one search for all items', async () => {
			const members = active().slice(0, 24);
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

		it('on the wait-list is found, too', async () => {
			const [waiting] = sandbox.community.members(4, 'joined', 'desc');
			const { items } = await runNode(sandbox, toRole(member('username', waiting.username)));
			expect(items[0].json.msid).toBe(waiting.msid);
		});

		it('that no member has is refused before any change, with the number of members searched', async () => {
			const items = [{ name: active()[0].username }, { name: 'nobody_at_all' }];
			const { error } = await runNode(sandbox, toRole(member('username', '={{ $json.name }}')), {
				items,
			});
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
			expect(sandbox.requests.matching('PATCH')).toEqual([]);
		});

		it('that is misspelt is refused with the most similar one', async () => {
			Object.assign(active()[0], { username: 'countess_ada' });
			const { error } = await runNode(sandbox, toRole(member('username', '@Countes_ada')));
			expect(error?.message).toBe("No member has the username 'Countes_ada'");
			expect(error?.description).toMatch(
				/^Check the spelling in 'Member'\. Did you mean 'countess_ada'\? The node checked \d+ members/,
			);
		});
	});

	describe('a member by email', () => {
		const byEmail = toRole(member('email', '={{ $json.email }}'));
		const emails = (...members: Array<{ email: unknown }>) =>
			members.map(({ email }) => ({ email: String(email) }));
		/** A key that no search of this process has used. */
		const newcomer = () => asNewcomer();
		// The community refuses a second member with an address, but imports and older accounts can share one.
		const give = (email: string, ...members: Array<{ msid: string }>) => {
			for (const { msid } of members) Object.assign(sandbox.community.user(msid), { email });
		};
		const msidsIn = ({ items }: RunResult) => items.map(({ json }) => json.msid ?? json.error);

		it('is found by reading the members, the newest first, until all of an execution are found', async () => {
			const members = [active()[3], active()[28]];
			const items = members.map(({ email }) => ({ email: ` ${email.toUpperCase()} ` }));
			const found = await runNode(sandbox, byEmail, { items, ...newcomer() });
			expect(msidsIn(found)).toEqual(members.map(({ msid }) => msid));
			expect(pagesRead()).toHaveLength(2);
			expect(reads()).toBe(40);
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
		])('is found in the form %s', async (spelled) => {
			const [{ msid }] = active();
			sandbox.community.changeUser(msid, { email: 'ada@bücher.example' });
			const items = [{ email: spelled('ada@bücher.example') }];
			expect(msidsIn(await runNode(sandbox, byEmail, { items, ...newcomer() }))).toEqual([msid]);
		});

		it('who has joined since is found on the newest page, and only that member is read', async () => {
			const caller = newcomer();
			await runNode(sandbox, byEmail, { items: emails(active()[16]), ...caller });
			const joined = sandbox.community.join({ first_name: 'New', email: 'new@members.example' });
			sandbox.requests.clear();
			const found = await runNode(sandbox, byEmail, { items: emails(joined), ...caller });
			expect(msidsIn(found)).toEqual([joined.msid]);
			expect([pagesRead().length, reads()]).toEqual([1, 1]);
		});

		it('that another member has now is found after the remembered read has expired', async () => {
			const caller = newcomer();
			const [one, other] = [active()[5], active()[6]];
			const { email } = one;
			await runNode(sandbox, byEmail, { items: [{ email }], ...caller });
			sandbox.community.changeUser(one.msid, { email: 'moved@members.example' });
			sandbox.community.changeUser(other.msid, { email });
			const before = await runNode(sandbox, byEmail, { items: [{ email }], ...caller });
			expect(before.error?.message).toBe(`No member has the email address '${email}'`);
			const now = performance.now();
			const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + 10 * 60_000 + 1);
			const found = await runNode(sandbox, byEmail, { items: [{ email }], ...caller });
			clock.mockRestore();
			expect(msidsIn(found)).toEqual([other.msid]);
		});

		it('whose account was deleted is not found, but the member who registered again is', async () => {
			const caller = newcomer();
			const { msid, email } = active()[5];
			await runNode(sandbox, byEmail, { items: [{ email }], ...caller });
			sandbox.community.changeUser(msid, { user_status: -100 });
			const gone = await runNode(sandbox, byEmail, { items: [{ email }], ...caller });
			expect(gone.error?.message).toBe(`No member has the email address '${email}'`);
			sandbox.community.removeUser(msid);
			const back = sandbox.community.join({ first_name: 'Back', email });
			const found = await runNode(sandbox, byEmail, { items: [{ email }], ...caller });
			expect(msidsIn(found)).toEqual([back.msid]);
		});

		it('that no member has is remembered for ten minutes, except for members who joined since', async () => {
			const caller = newcomer();
			const nobody = { items: [{ email: 'nobody@members.example' }], ...caller };
			const { error, hints } = await runNode(sandbox, byEmail, nobody);
			const { size } = sandbox.community.users;
			const deleted = [...sandbox.community.users.values()].filter(
				(each) => each.user_status === -100,
			);
			expect(error?.description).toContain(
				`Check the spelling in 'Member'. The node checked ${size - deleted.length} members with any status.`,
			);
			expect(hints).toEqual([]);
			sandbox.requests.clear();
			await runNode(sandbox, byEmail, nobody);
			expect(reads()).toBe(0);
			const joined = sandbox.community.join({ first_name: 'Now', email: 'nobody@members.example' });
			expect(msidsIn(await runNode(sandbox, byEmail, nobody))).toEqual([joined.msid]);
		});

		it('whose address was changed is found ten minutes later', async () => {
			const caller = newcomer();
			const nobody = { items: [{ email: 'later@members.example' }], ...caller };
			await runNode(sandbox, byEmail, nobody);
			const { msid } = active()[7];
			sandbox.community.changeUser(msid, { email: 'later@members.example' });
			const now = performance.now();
			const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + 10 * 60_000 + 1);
			const found = await runNode(sandbox, byEmail, nobody).finally(() => clock.mockRestore());
			expect(msidsIn(found)).toEqual([msid]);
		});

		it('that several members have is refused each time, before any change', async () => {
			const caller = newcomer();
			give('twin@members.example', active()[2], active()[4]);
			for (let time = 1; time <= 2; time++) {
				const items = [{ email: 'twin@members.example' }];
				const { error } = await runNode(sandbox, byEmail, { items, ...caller, maxTries: 2 });
				expect(error?.message).toBe("2 members have the email address 'twin@members.example'");
			}
			expect(sandbox.requests.matching('PATCH')).toEqual([]);
		});

		it('is the same with any other rows', async () => {
			const [one, namesake] = [active()[2], active()[36]];
			give('twin@members.example', one, namesake);
			const items = [{ email: 'twin@members.example' }, { email: 'tpyo@members.example' }];
			const options = { items, onError: 'continueRegularOutput' as const, ...newcomer() };
			expect(msidsIn(await runNode(sandbox, byEmail, options))).toEqual([
				one.msid,
				"No member has the email address 'tpyo@members.example'",
			]);
		});

		it.each([410, 500, 403])('is found behind a member who cannot be read (%d)', async (status) => {
			const [one, other] = [active()[3], active()[28]];
			const path = `/api/v1/users/${one.msid}`;
			sandbox.faults.add({ kind: 'status', status, method: 'GET', path });
			const options = { ...byEmail, options: { maxRetries: 1 } };
			const caller = newcomer();
			const found = await runNode(sandbox, options, { items: emails(other), ...caller });
			expect(msidsIn(found)).toEqual([other.msid]);
			const { error } = await runNode(sandbox, options, { items: emails(one), ...caller });
			expect(error?.description).toContain('with any status. 1 of them could not be read.');
		});

		it('who temporarily could not be read is found by the next execution', async () => {
			const { msid, email } = active()[28];
			const caller = newcomer();
			const options = { ...byEmail, options: { maxRetries: 1 } };
			sandbox.faults.add({ kind: 'status', status: 500, path: `/api/v1/users/${msid}` });
			const lost = await runNode(sandbox, options, { items: [{ email }], ...caller });
			expect(lost.error?.description).toContain('1 of them could not be read.');
			sandbox.faults.clear();
			const found = await runNode(sandbox, options, { items: [{ email }], ...caller });
			expect(msidsIn(found)).toEqual([msid]);
		});

		it('is found on the newest page even after a search for usernames', async () => {
			const caller = newcomer();
			const [{ username }] = active();
			await runNode(sandbox, toRole(member('username', username)), caller);
			sandbox.requests.clear();
			const found = await runNode(sandbox, byEmail, { items: emails(active()[3]), ...caller });
			expect(msidsIn(found)).toEqual([active()[3].msid]);
			expect(reads()).toBe(20);
		});

		it('is found if the newest members have none', async () => {
			give('', ...active().slice(0, 24));
			const wanted = active()[32];
			const found = await runNode(sandbox, byEmail, { items: emails(wanted), ...newcomer() });
			expect(msidsIn(found)).toEqual([wanted.msid]);
		});

		it.each(['nobody', 'the owner of the key'])(
			'is reported as hidden if the API returns it for %s only',
			async (who) => {
				const { caller } = sandbox.community;
				for (const each of sandbox.community.users.values()) {
					if (who === 'nobody' || each.msid !== caller.msid) Object.assign(each, { email: null });
				}
				const items = [{ email: 'ada@members.example' }];
				const { error } = await runNode(sandbox, byEmail, { items, ...newcomer() });
				expect(error?.message).toBe(
					'The owner of this API key cannot see the email addresses of other members',
				);
			},
		);

		it('who was just read is not read again for Skip Unchanged', async () => {
			const members = active().slice(0, 10);
			const parameters = { ...byEmail, options: { skipUnchanged: true } };
			await runNode(sandbox, parameters, { items: emails(...members), ...newcomer() });
			expect(reads()).toBe(20);
		});
	});

	it('who was found is changed although the search failed after them', async () => {
		const [found] = active();
		const rest = { kind: 'status', status: 500, pattern: /users$/, after: 1 } as const;
		sandbox.faults.add(rest);
		const items = [{ name: found.username }, { name: 'nobody_at_all' }];
		const { items: given } = await runNode(
			sandbox,
			toRole(member('username', '={{ $json.name }}')),
			{
				items,
				onError: 'continueRegularOutput',
			},
		);
		expect(given[0].json.msid).toBe(found.msid);
		expect(given[1].json.error).toBe('The sandbox was told to refuse this');
	});

	it('several who share a username are refused, with their msids', async () => {
		const twins = '[{"msid":"1.a","username":"ada"},{"msid":"2.b","username":"Ada"}]';
		sandbox.faults.add({ kind: 'text', path: '/api/v1/users', text: twins });
		const { error } = await runNode(sandbox, toRole(member('username', 'ada')));
		expect(error?.message).toBe("2 members have the username 'ada'");
		expect(error?.description).toContain(
			"Enter one of these member IDs (msid) in 'Member': 1.a, 2.b.",
		);
	});

	describe('a status that the key is not allowed to list', () => {
		// A page for each status, so that no page is requested ahead.
		const small = useSandbox({ members: 30 });

		it('is skipped', async () => {
			const [waiting] = small.community.members(4, 'joined', 'desc');
			const parameters = toRole(member('username', waiting.username));
			const fault = { kind: 'status', status: 403, path: '/api/v1/users' } as const;
			small.faults.add({ ...fault, after: 1, times: 1 });
			const { items } = await runNode(small, parameters);
			expect(asked(small)[1]).toContain('status=6');
			expect(items[0].json.msid).toBe(waiting.msid);
		});
	});

	it.each(['username', 'email'] as const)('an author can be set by %s', async (by) => {
		const [author] = active();
		const [postId] = sandbox.community.posts.keys();
		const { items } = await runNode(
			sandbox,
			action('comment.create', {
				postId: String(postId),
				content: 'Hi',
				author: member(by, author[by]),
			}),
		);
		expect(items[0].json.user).toMatchObject({ msid: author.msid });
	});

	it('who already has the role is reported, if the search returned the role', async () => {
		const [one, other] = active();
		sandbox.community.changeUser(one.msid, { role_id: 10 });
		sandbox.community.changeUser(other.msid, { role_id: 5 });
		const { items, hints } = await runNode(
			sandbox,
			toRole(member('username', '={{ $json.username }}')),
			{ items: [one, other].map(({ username }) => ({ username })) },
		);
		expect(items.map(({ json }) => [json.previous_role_id, json.changed])).toEqual([
			[10, false],
			[5, true],
		]);
		expect(hints).toContain('2 of 2 updated.');
	});

	it('a member in two rows has the role of the first row before the second', async () => {
		const [{ msid, username }] = active();
		sandbox.community.changeUser(msid, { role_id: 10 });
		const parameters = {
			...toRole(member('username', username)),
			roleId: byId('={{ $json.role }}'),
			options: { includeRoleName: true },
		};
		const { items } = await runNode(sandbox, parameters, { items: [{ role: 5 }, { role: 22 }] });
		expect(items.map(({ json }) => [json.previous_role_id, json.previous_role_name])).toEqual([
			[10, 'Member'],
			[5, 'Moderator'],
		]);
	});

	describe('members of a board, by ID, username or email', () => {
		const update = async (parameters: INodeParameters) => {
			const board = [...sandbox.community.boards.values()].find((each) => each.is_private);
			const boardId = byId(board?.board_id);
			const updateMembers = action('board.updateMembers', { boardId });
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
			const changed = await update({ membersInput: 'list', boardMembers: { members } });
			expect(changed).toMatchObject({ added: [one.msid], removed: [two.msid] });
		});

		it('are named if there is only one', async () => {
			const [{ msid, username }] = active();
			const changed = await update({ membersInput: 'text', addMembers: `@${username}` });
			expect(changed).toMatchObject({ username, added: [msid] });
		});
	});
});
