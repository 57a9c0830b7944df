import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	asNewcomer,
	asked,
	byId,
	byMode,
	range,
	useSandbox,
	withoutBackoff,
} from '../support/community.mts';
import { action, getNamed } from '../support/operations.mts';
import { runNode, type RunOptions } from '../support/engine.mts';

const sandbox = useSandbox({ members: 160 });
withoutBackoff();

const [MEMBER, MODERATOR, ADMIN, CHAMPION] = [10, 5, 1, 22];
const active = () => sandbox.community.members(10, 'joined', 'desc');
const writes = () => asked(sandbox).filter((line) => !line.startsWith('GET'));

let caller = {};
beforeEach(() => {
	caller = asNewcomer();
});
const run = async (parameters: INodeParameters, items: IDataObject[], more: RunOptions = {}) => {
	sandbox.requests.clear();
	return await runNode(sandbox, parameters, { items, ...caller, ...more });
};

describe('Update Role → Only From', () => {
	const toChampion = (options: INodeParameters) =>
		action('user.updateRole', {
			userId: byId('={{ $json.msid }}'),
			roleId: byId(CHAMPION),
			options: { onlyFrom: [String(MEMBER)], ...options },
		});
	/** A member and a moderator. */
	const two = () => {
		const [one, other] = active();
		sandbox.community.changeUser(one.msid, { role_id: MEMBER });
		sandbox.community.changeUser(other.msid, { role_id: MODERATOR });
		return [one, other].map(({ msid, username }) => ({ msid, username }));
	};

	it.each<[string, unknown]>([
		['IDs', [String(MEMBER)]],
		['a name and an ID in a text', `Member, ${CHAMPION}`],
		['names from an expression', '={{ ["Member"] }}'],
	])('changes only members with one of the roles, set by %s', async (_, onlyFrom) => {
		const [one, other] = two();
		const { items, hints } = await run(toChampion({ onlyFrom: onlyFrom as never }), [one, other]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ msid: one.msid, role_id: CHAMPION, previous_role_id: MEMBER, changed: true },
			{
				msid: other.msid,
				username: other.username,
				role_id: MODERATOR,
				previous_role_id: MODERATOR,
				previous_role_name: 'Moderator',
				changed: false,
				skipped_by: 'onlyFrom',
			},
		]);
		expect(writes()).toEqual([`PATCH /api/v1/users/${one.msid}`]);
		expect(hints).toContain("1 member keeps their role, because 'Only From' does not include it.");
	});

	it('plans nothing for the others in a dry run', async () => {
		const [one, other] = two();
		const { items } = await run(toChampion({ dryRun: true }), [one, other]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ action: 'update', change: 'role: Member → Champion' },
			{ action: 'none', changes: {}, skipped_by: 'onlyFrom', dry_run: true },
		]);
		expect(writes()).toEqual([]);
	});

	it('fails if the API hides the role', async () => {
		const [{ msid }] = two();
		const text = JSON.stringify({ msid, username: 'ada' });
		sandbox.faults.add({ kind: 'text', path: `/api/v1/users/${msid}`, text });
		const { error } = await run(toChampion({}), [{ msid }]);
		expect(error?.message).toBe('The owner of the API key cannot see the role of this member');
		expect(writes()).toEqual([]);
	});

	it.each([[], '', '={{ $json.nope }}'])('is refused if it has no role: %j', async (onlyFrom) => {
		const { error } = await run(toChampion({ onlyFrom: onlyFrom as never }), [two()[0]]);
		expect(error?.message).toMatch(/^The parameter 'Only From' (contains no role|is empty)/);
		expect(writes()).toEqual([]);
	});

	it.each([{ dryRun: true }, { skipUnchanged: true }])(
		'names the owner of the key, even as the only member: %j',
		async (options) => {
			const { caller: owner } = sandbox.community;
			sandbox.community.changeUser(owner.msid, { role_id: ADMIN });
			const roles = { onlyFrom: [String(ADMIN)] };
			const { hints } = await run(toChampion({ ...roles, ...options }), [{ msid: owner.msid }]);
			expect(hints).toContainEqual(
				expect.stringMatching(/^The role of this API key's owner .*'Admin'/),
			);
		},
	);
});

describe('a member who is not found', () => {
	const leaveOut = { ifNotFound: 'leaveOut' };

	it.each<[string, unknown]>([
		['email', 'nobody@members.example'],
		['username', 'nobody_at_all'],
		['id', '99999.abc'],
	])('by %s is reported as missing, and can be skipped', async (mode, name) => {
		const known = {
			email: active()[0].email,
			username: active()[0].username,
			id: active()[0].msid,
		};
		const rows = [{ name: String(name) }, { name: known[mode as 'id'] }];
		const failed = await run(getNamed(mode), rows, { onError: 'continueRegularOutput' });
		if (mode !== 'id') expect(failed.items[0].json.details).toEqual({ notFound: 'user' });
		const { items, hints, error } = await run(getNamed(mode, leaveOut), rows);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { msid: known.id }, pairedItem: { item: 1 } }]);
		expect(hints).toContain(
			`1 member was not found, so the node left them out: ${String(name)}. Check the spelling.`,
		);
	});

	it('is not skipped if the look-up was incomplete', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, path: `/api/v1/users/${active()[5].msid}` });
		const { error } = await run(getNamed('email', leaveOut), [{ name: 'nobody@members.example' }]);
		expect(error?.message).toBe("No member has the email address 'nobody@members.example'");
	});

	it('is reported like a board, tag or role that is not found', async () => {
		const named = { __rl: true, mode: 'name', value: 'Nope' } as never;
		for (const [parameters, notFound] of [
			[action('board.get', { boardId: named }), 'board'],
			[action('tag.get', { tagId: named }), 'tag'],
			[action('user.updateRole', { userId: byId(active()[0].msid), roleId: named }), 'role'],
		] as const) {
			const { items } = await run(parameters, [{}], { onError: 'continueRegularOutput' });
			expect(items[0].json.details).toMatchObject({ notFound });
		}
	});
});

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
		const added = range(0, 119).map((at) => ({ add: active()[at].msid, remove: '' }));
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
			[{}],
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
});

describe('requests', () => {
	const emails = () =>
		active()
			.slice(0, 100)
			.map(({ email }) => ({ email }));
	const seen = async () => {
		const userId = byMode('email', '={{ $json.email }}');
		await run(action('user.get', { userId }), [{ email: 'nobody@members.example' }]);
	};

	it('Create or Get of 100 remembered members reads each once', async () => {
		await seen();
		const email = '={{ $json.email }}';
		const { items } = await run(action('user.createOrGet', { firstName: 'Ada', email }), emails());
		expect(items.map(({ json }) => [json.email, json.created])).toEqual(
			emails().map((each) => [each.email, false]),
		);
		expect(asked(sandbox).length).toBeLessThanOrEqual(103);
	});

	it('Get By Email of 100 remembered members reads each once', async () => {
		await seen();
		const userId = byMode('email', '={{ $json.email }}');
		const { items } = await run(action('user.get', { userId }), emails());
		expect(items.map(({ json }) => json.email)).toEqual(emails().map(({ email }) => email));
		expect(asked(sandbox).length).toBeLessThanOrEqual(103);
	});

	it('new and known members of Create or Get have the same fields', async () => {
		const email = '={{ $json.email }}';
		const rows = [{ email: active()[0].email }, { email: 'new@members.example' }];
		const { items } = await run(action('user.createOrGet', { firstName: 'Ada', email }), rows);
		const [known, created] = items.map(({ json }) => Object.keys(json));
		expect(created).toEqual(known);
	});
});
