import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { asNewcomer, byId, range, useSandbox } from '../support/community.mts';
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
		const hint = "3 items make 3 posts. To write one, open Settings and turn on 'Execute Once'.";
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

	it.each<[string, Fault, boolean]>([
		['reports that nothing was changed for failed items', refusal, true],
		[
			'does not say so if one of the failed items may have been changed',
			{ kind: 'cut', times: 1 },
			false,
		],
	])('%s', async (_, fault, isCertain) => {
		const ids = [...sandbox.community.comments.keys()].slice(0, 3);
		sandbox.faults.add({ ...fault, path: `/api/v1/comments/${ids[0]}` });
		sandbox.faults.add({ ...refusal, path: `/api/v1/comments/${ids[1]}` });
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
