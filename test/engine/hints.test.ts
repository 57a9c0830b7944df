import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { asNewcomer, asked, byId, byMode, range, useSandbox } from '../support/community.mts';
import { action, getUser, updateComment } from '../support/operations.mts';
import { runNode, type RunOptions } from '../support/engine.mts';

const sandbox = useSandbox({ members: 60 });
const refusal: Fault = { kind: 'status', status: 403, message: 'closed' };
const tags = (rest: object) => ({ resource: 'tag', ...rest });

/** The hints of an execution. */
async function hintsOf(parameters: object, options: RunOptions = {}): Promise<string[]> {
	const { run } = await runNode(sandbox, parameters as never, options);
	const [{ hints = [] }] = run.data.resultData.runData.Community;
	expect(hints.every(({ location }) => location === 'outputPane')).toBe(true);
	return hints.map(({ message }) => message);
}

it.each([
	['a read', getUser('101')],
	['a listing to its end', tags({ operation: 'getAll', returnAll: true })],
	['a limit that was not reached', tags({ operation: 'getAll', limit: 1000 })],
	['a limit equal to the number of records', tags({ operation: 'getAll', limit: 160 })],
	['a write', updateComment('={{ $json.id }}', 'Mended')],
])('shows no hint without retries and pauses: %s', async (_, parameters) => {
	const [id] = sandbox.community.comments.keys();
	expect(await hintsOf(parameters, { items: [{ id }], ...asNewcomer() })).toEqual([]);
});

describe('Hints', () => {
	it('reports how many requests were retried', async () => {
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 1, times: 1 });
		const [hint, ...others] = await hintsOf(getUser('101'), asNewcomer());
		expect(hint).toBe(
			'The community slowed this execution down (1 request sent again). To wait less, run the workflow at a quieter time.',
		);
		expect(others).toEqual([]);
	});

	it('reports that answers were lost', async () => {
		sandbox.faults.add({ kind: 'cut', times: 1 });
		expect(await hintsOf(getUser('101'), asNewcomer())).toEqual([
			'The community slowed this execution down (1 request sent again). To wait less, run the workflow at a quieter time.',
		]);
	});

	const AT_LIMIT = "There may be more records than 'Limit' allows. To get them, raise 'Limit'.";

	it.each([
		['a page', 20],
		['several pages', 120],
	])('reports that a list ended at its limit within %s', async (_, limit) => {
		const parameters = tags({ operation: 'getAll', limit });
		expect(await hintsOf(parameters, { items: [{}, {}] })).toContain(AT_LIMIT);
		// For a single item, the editor shows its own hint.
		expect(await hintsOf(parameters)).toEqual([]);
	});

	it('reports that tags requested in parts ended at their limit', async () => {
		const tagIds = [...sandbox.community.tags.keys()].slice(0, 120);
		const getByIds = (limit: number) => tags({ operation: 'getByIds', tagIds, limit });
		expect(await hintsOf(getByIds(50), { items: [{}, {}] })).toContain(AT_LIMIT);
		expect(await hintsOf(getByIds(120), { items: [{}, {}] })).not.toContain(AT_LIMIT);
	});

	it('shows no hint for the update of a single role, which the item shows', async () => {
		const [{ role_id }] = sandbox.community.roles.values();
		const roleId = { __rl: true, mode: 'list', value: role_id, cachedResultName: 'As picked' };
		const [, { msid }] = sandbox.community.members(10, 'user_id', 'asc');
		const update = action('user.updateRole', { userId: byId(msid), roleId });
		const { items, hints } = await runNode(sandbox, update);
		expect(hints).toEqual([]);
		// In a copied workflow, the ID can be another role's.
		expect(items[0].json).toMatchObject({ role_id });
		expect(JSON.stringify(items)).not.toMatch(/role_name|As picked/);
	});

	describe('after Update Role', () => {
		const ROLES = 'GET /api/v1/roles?page=1&page_size=50';
		const NOT_RECORDED =
			"not recorded. To be able to undo, add 'Skip Unchanged', which reads each member first.";
		const some = (count: number) => sandbox.community.members(10, 'user_id', 'asc').slice(0, count);
		const toRole = (mode: string, roleId: string, options = {}) =>
			action('user.updateRole', {
				userId: byMode(mode, '={{ $json.member }}'),
				roleId: byId(roleId),
				options,
			});
		const rows = (members: Array<{ msid: string }>) =>
			members.map(({ msid }) => ({ member: msid }));
		const named = (members: Array<{ username: string | null }>) =>
			members.map(({ username }) => ({ member: username }));

		it('reports once how many previous roles are not recorded', async () => {
			expect(await hintsOf(toRole('id', '22'), { items: rows(some(3)) })).toEqual([
				'3 of 3 updated.',
				`The previous roles of 3 members are ${NOT_RECORDED}`,
			]);
		});

		it('reports the one previous role that is not recorded', async () => {
			const [{ msid }] = some(1);
			const items = ['5', '22'].map((role) => ({ member: msid, role }));
			const hints = await hintsOf(toRole('id', '={{ $json.role }}'), { items });
			expect(hints).toContain(`The previous role of 1 member is ${NOT_RECORDED}`);
		});

		it.each<[string, string, object, number]>([
			['for a single item', 'id', {}, 1],
			['for members found by username', 'username', {}, 2],
			["with 'Skip Unchanged'", 'id', { skipUnchanged: true }, 2],
			["with 'Only If Current Role Is'", 'id', { onlyFrom: ['1', '5', '10', '21', '23', '24'] }, 2],
			['in a dry run', 'id', { dryRun: true }, 2],
		])('reports no previous roles %s', async (_, mode, options, count) => {
			const items = mode === 'id' ? rows(some(count)) : named(some(count));
			const hints = await hintsOf(toRole(mode, '22', options), { items });
			expect(hints.join()).not.toContain('not recorded');
		});

		it('reports no previous roles in a dry run that cannot see them', async () => {
			for (const { msid } of some(2)) {
				const text = JSON.stringify({ msid, role_id: null });
				sandbox.faults.add({ kind: 'text', path: `/api/v1/users/${msid}`, text });
			}
			const hints = await hintsOf(toRole('id', '22', { dryRun: true }), { items: rows(some(2)) });
			expect(hints).toContainEqual(expect.stringContaining("does not return 'Role'"));
			expect(hints.join()).not.toContain('not recorded');
		});

		it.each([{}, { dryRun: true }])(
			'names members to whom items give different roles: %j',
			async (options) => {
				const [ada, bob] = some(2);
				const items = [ada, bob, ada].map(({ msid }, at) => ({
					member: msid,
					role: ['5', '5', '22'][at],
				}));
				const hints = await hintsOf(toRole('id', '={{ $json.role }}', options), { items });
				expect(hints).toContainEqual(
					expect.stringMatching(
						/^Several items give the same member different roles, and the last one counts: [\w.]+\. To undo changes, keep only the first row of each member\.$/,
					),
				);
				const same = await hintsOf(toRole('id', '5', options), { items });
				expect(same.join()).not.toContain('different roles');
			},
		);

		it('names no members whose changes are undone one after another', async () => {
			const [{ msid }] = some(1);
			sandbox.community.changeUser(msid, { role_id: 22 });
			const items = [
				{ member: msid, role: '5', now: ['22'] },
				{ member: msid, role: '10', now: ['5'] },
			];
			const options = { onlyFrom: '={{ $json.now }}' };
			const hints = await hintsOf(toRole('id', '={{ $json.role }}', options), { items });
			expect(hints.join()).toContain('2 changed');
			expect(hints.join()).not.toContain('different roles');
		});

		it('lists the roles once to name them', async () => {
			const members = some(3);
			members.forEach(({ user_id }, at) =>
				sandbox.community.changeUser(user_id, { role_id: [10, 10, 5][at] }),
			);
			const hints = await hintsOf(toRole('username', '22'), { items: named(members) });
			expect(hints).toContain('3 changed: Member → Champion 2, Moderator → Champion 1.');
			expect(asked(sandbox).filter((line) => line === ROLES)).toHaveLength(1);
		});

		it('lists no roles for a single item', async () => {
			const [member] = some(1);
			sandbox.community.changeUser(member.user_id, { role_id: 10 });
			expect(await hintsOf(toRole('username', '22'), { items: named([member]) })).toEqual([]);
			expect(asked(sandbox)).not.toContain(ROLES);
		});

		it('shows the IDs of roles that cannot be listed', async () => {
			const members = some(2);
			for (const { user_id } of members) sandbox.community.changeUser(user_id, { role_id: 10 });
			sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/roles' });
			const hints = await hintsOf(toRole('username', '22'), { items: named(members) });
			expect(hints).toContain('2 changed: 10 → 22 (2).');
		});
	});

	it('reports how many tags were created and how many were updated', async () => {
		const [{ name }] = sandbox.community.tags.values();
		const upsert = action('tag.upsert', { name: '={{ $json.name }}' });
		const [new1, new2, known] = [{ name: 'NewOne' }, { name: 'NewTwo' }, { name }];
		expect(await hintsOf(upsert, { items: [new1, new2] })).toEqual(['2 of 2 created.']);
		expect(await hintsOf(upsert, { items: [known, known] })).toEqual(['2 of 2 updated.']);
		expect(await hintsOf(upsert, { items: [known, { name: 'NewThree' }] })).toEqual([
			'1 created, 1 updated.',
		]);
	});

	it.each([{}, { dryRun: true }])('warns that many items make many posts: %j', async (options) => {
		const [boardId] = sandbox.community.boards.keys();
		const text = { headline: 'Hello', content: 'Welcome' };
		const create = action('post.create', { boardId: byId(boardId), ...text, options });
		const hint =
			"Each of the 3 items creates a post. To create only one, open Settings and turn on 'Execute Once'.";
		expect(await hintsOf(create, { items: [{}, {}, {}] })).toContain(hint);
		expect(await hintsOf(create)).not.toContain(hint);
		const named = { ...create, headline: '={{ $json.a }}' };
		expect(await hintsOf(named, { items: [{ a: 'A' }, { a: 'B' }] })).toHaveLength(1);
	});

	it.each([
		['continueRegularOutput', "See the column 'error'"],
		['continueErrorOutput', 'See the Error Branch'],
	] as const)(
		'reports how many items failed with %s, and why the first did',
		async (onError, where) => {
			const items = range(1, 5).map((id) => ({ id: id === 2 ? 9999 : 100 + id }));
			expect(await hintsOf(getUser('={{ $json.id }}'), { items, onError })).toEqual([
				`1 of 5 items failed. ${where}. First reason: No user has the id 9999.`,
			]);
		},
	);

	it('reports the failed items if nothing was sent', async () => {
		const hints = await hintsOf(getUser('<b>x</b>'), { onError: 'continueRegularOutput' });
		expect(hints).toEqual([
			expect.stringMatching(/^1 of 1 item failed\. See the column 'error'\. First reason: /),
		]);
		expect(hints[0]).not.toMatch(/[<>]/);
	});

	it.each<[string, Fault, number, boolean]>([
		['reports that nothing was changed for failed items', refusal, 0, true],
		[
			'does not say so if the first item has failed and may have been changed',
			{ kind: 'cut', times: 1 },
			0,
			false,
		],
		[
			'does not say so if an item behind a successful one may have been changed',
			{ kind: 'cut', times: 1 },
			1,
			false,
		],
	])('%s', async (_, fault, at, isCertain) => {
		const ids = [...sandbox.community.comments.keys()].slice(0, 3);
		sandbox.faults.add({ ...fault, path: `/api/v1/comments/${ids[at]}` });
		sandbox.faults.add({ ...refusal, path: `/api/v1/comments/${ids[at + 1]}` });
		const update = { ...updateComment('={{ $json.id }}', 'x'), options: { maxRetries: 0 } };
		const items = ids.map((id) => ({ id }));
		const hints = await hintsOf(update, { items, onError: 'continueRegularOutput' });
		expect(hints).toEqual([
			expect.stringMatching(/^2 of 3 items failed\. See the column 'error'\. First reason: .+\./),
			'1 of 3 updated.',
		]);
		expect(hints[0].endsWith(' These items changed nothing.')).toBe(isCertain);
	});

	it('reports once for all items that no record was found, unless an item found one', async () => {
		const search = tags({ operation: 'search', query: '={{ $json.query }}', returnAll: true });
		const items = [{ query: 'zzz' }, { query: 'zzzz' }];
		expect(await hintsOf(search, { items })).toEqual([
			'No records matched. If you expected some, check the values that you entered.',
		]);
		const [{ name }] = sandbox.community.tags.values();
		expect(await hintsOf(search, { items: [...items, { query: name }] })).toEqual([]);
	});

	it('reports which fields an update has cleared', async () => {
		const { msid } = sandbox.community.caller;
		const update = (updateFields: INodeParameters) =>
			action('user.update', { userId: byId(msid), hiddenFields: 'clear', updateFields });
		expect(
			await hintsOf(update({ userDescription: 'Hello', lang: 'de', timezone: 'UTC' })),
		).toEqual([
			"The update may have cleared 'Banner URL', 'Last Name', 'Middle Name', 'Social Media Links', because the API does not return these fields. Check them in the member's profile. To keep them next time, enter their current values as well.",
		]);
		const empty = { middleName: '', banner: '', socialMediaLinks: '{}' };
		const all = { lastName: 'L', lang: 'de', timezone: 'UTC', ...empty };
		expect(await hintsOf(update(all))).toEqual([]);
	});
});
