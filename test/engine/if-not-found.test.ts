import type { INodeParameters } from 'n8n-workflow';
import { byId, byMode } from '../support/community.mts';
import { useMembers } from '../support/named-members.mts';
import { action, getNamed } from '../support/operations.mts';

const { sandbox, run, active, change, writes } = useMembers();

describe('a member who is not found', () => {
	const leaveOut = { ifNotFound: 'leaveOut' };

	it.each([
		['email', 'nobody@members.example'],
		['username', 'nobody_at_all'],
		['id', '99999.abc'],
	])('by %s is reported as missing, and can be skipped', async (mode, name) => {
		const [{ msid, ...known }] = active();
		const rows = [{ name }, { name: mode === 'id' ? msid : known[mode as 'email'] }];
		const failed = await run(getNamed(mode), rows, { onError: 'continueRegularOutput' });
		if (mode !== 'id') expect(failed.items[0].json.details).toEqual({ notFound: 'user' });
		const { items, hints, error } = await run(getNamed(mode, leaveOut), rows);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { msid }, pairedItem: { item: 1 } }]);
		expect(hints).toContain(
			`1 member was not found, so the node left them out: ${name}. Check the spelling.`,
		);
	});

	it('ends the execution before the next change of the same member is sent', async () => {
		const [{ msid }] = active();
		const [oneRole, otherRole] = [...sandbox.community.roles.keys()];
		sandbox.faults.add({ kind: 'status', status: 404, method: 'PATCH', times: 1 });
		const update = action('user.updateRole', {
			userId: byId('={{ $json.msid }}'),
			roleId: byId('={{ $json.role }}'),
			options: leaveOut,
		});
		const { error } = await run(update, [
			{ msid, role: oneRole },
			{ msid, role: otherRole },
		]);
		// A read of the member, who exists, comes between the refusal and the failure.
		expect(error?.message).toContain('(item 1)');
		expect(writes()).toHaveLength(1);
	});

	it('is not skipped if the look-up was incomplete', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, path: `/api/v1/users/${active()[5].msid}` });
		const { error } = await run(getNamed('email', leaveOut), [{ name: 'nobody@members.example' }]);
		expect(error?.message).toBe("No member has the email address 'nobody@members.example'");
	});

	it('is reported like a board, tag or role that is not found', async () => {
		const named = byMode('name', 'Nope');
		for (const [parameters, notFound] of [
			[action('board.get', { boardId: named }), 'board'],
			[action('tag.get', { tagId: named }), 'tag'],
			[action('user.updateRole', { userId: byId(active()[0].msid), roleId: named }), 'role'],
		] as const) {
			const { items } = await run(parameters, undefined, { onError: 'continueRegularOutput' });
			expect(items[0].json.details).toMatchObject({ notFound });
		}
	});

	const addToBoard = (members: INodeParameters) => {
		const board = [...sandbox.community.boards.values()].find((each) => each.is_private);
		const boardId = byId(String(board?.board_id));
		return action('board.updateMembers', { boardId, ...members, options: leaveOut });
	};
	const updateRole = (mode: string, options: object) =>
		action('user.updateRole', {
			userId: byMode(mode, '={{ $json.name }}'),
			roleId: byId('21'),
			options: { ...leaveOut, ...options },
		});

	it.each([
		['list of members', 'email', 'GET', /\/users$/],
		['list of roles', 'id', 'GET', /\/roles$/],
		['owner of the key', 'id', 'GET', /\/users\/me$/],
		['member in a change, but in a read', 'id', 'PATCH', /\/users\/\d/],
	])('is not skipped because the API finds no %s', async (what, mode, method, pattern) => {
		sandbox.faults.add({ kind: 'status', status: 404, method, pattern });
		const [{ msid, email }] = active();
		const name = what.startsWith('owner') ? 'me' : { id: msid, email }[mode];
		const { items, error } = await run(updateRole(mode, { includeRoleName: true }), [{ name }]);
		expect([items, error?.message]).toEqual([[], expect.any(String)]);
	});

	it('is skipped if a read after the change confirms it', async () => {
		const [{ msid }, { msid: other }] = active();
		sandbox.community.removeUser(msid);
		const { items, hints } = await run(updateRole('id', {}), [{ name: msid }, { name: other }]);
		expect(items).toMatchObject([{ json: { msid: other, role_id: 21 } }]);
		expect(hints.join()).toContain(`1 member was not found, so the node left them out: ${msid}.`);
	});

	const SIMILAR = 'someone_like_ada';

	it('is suggested in the hint by a similar name', async () => {
		change(active()[0], { username: SIMILAR });
		const { hints } = await run(getNamed('username', leaveOut), [{ name: 'someone_like_adda' }]);
		expect(hints).toContain(
			`1 member was not found, so the node left them out: someone_like_adda (Did you mean '${SIMILAR}'?). Check the spelling.`,
		);
	});

	it.each(['', ' ', null])('is left out if a cell is empty: %j', async (name) => {
		const [{ msid, email }] = active();
		const rows = [
			{ name, email: name },
			{ name: msid, email },
		];
		for (const parameters of [
			getNamed('id', leaveOut),
			updateRole('id', {}),
			action('user.update', {
				userId: byMode('email', '={{ $json.email }}'),
				hiddenFields: 'clear',
				updateFields: { firstName: 'Ada' },
				options: leaveOut,
			}),
			addToBoard({ addMembers: '={{ $json.name }}' }),
			addToBoard({
				membersInput: 'list',
				boardMembers: { members: [{ userId: byId('={{ $json.name }}'), access: 'add' }] },
			}),
		]) {
			const { items, error, hints } = await run(parameters, rows);
			expect(error).toBeUndefined();
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
			if (!('membersInput' in parameters))
				expect(hints.join()).toContain('1 item names no member, because the field is empty');
		}
	});

	it('is not left out if the column is missing', async () => {
		const [read, added] = [
			getNamed('id', leaveOut),
			addToBoard({ addMembers: '={{ $json.nope }}' }),
		];
		expect((await run(read, [{}])).error?.message).toBe("The parameter 'Member' is empty");
		expect((await run(added, [{}])).error?.message).toBe('No members were entered');
	});

	it('is named in the hint of a dry run, before what to do for other failures', async () => {
		const parameters = updateRole('id', { dryRun: true, ifNotFound: 'fail' });
		const [{ msid }] = active();
		const all = await run(parameters, [{ name: '999.zz' }]);
		expect(all.hints[0]).toMatch(/add the option 'If Not Found'\.$/);
		const { hints } = await run(parameters, [{ name: '999.zz' }, { name: msid }]);
		expect(hints[0]).toMatch(/add the option 'If Not Found'\. To process the other items/);
	});

	it('is left out of the members of a board, to which the others are added', async () => {
		const [{ msid }, { msid: other }] = active();
		const rows = [{ name: `${msid}, 999.zz` }, { name: other }];
		const parameters = addToBoard({ addMembers: '={{ $json.name }}' });
		const { items, hints, error } = await run(parameters, rows);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.added)).toEqual([[msid], [other]]);
		expect(hints.join()).toContain('left them out: 999.zz.');
	});

	it('does not end the search if all members who were seen before cannot be read', async () => {
		const [one, two, three] = active();
		await run(getNamed('email'), [{ name: one.email }, { name: two.email }]);
		for (const { msid } of [one, two])
			sandbox.faults.add({ kind: 'status', status: 410, path: `/api/v1/users/${msid}` });
		const rows = [one, two, three].map(({ email }) => ({ name: email }));
		const { items } = await run(getNamed('email'), rows, { onError: 'continueRegularOutput' });
		expect(items[2].json.msid).toBe(three.msid);
	});
});
