import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { asNewcomer, byId, withoutBackoff } from '../support/community.mts';
import { useKnownRecords } from '../support/known-records.mts';
import { action, createTag } from '../support/operations.mts';
import { callRetrying } from '../support/agent.mts';
import { runNode, type RunOptions } from '../support/engine.mts';

const sandbox = useKnownRecords();
withoutBackoff();

const post: INodeParameters = action('post.create', {
	boardId: byId('900'),
	headline: '={{ $json.headline }}',
	content: 'Hello',
});
const rows = ['One', 'Two', 'Three'].map((headline) => ({ headline }));
const REFUSED: Fault = { kind: 'status', status: 400, message: 'too short', method: 'POST' };

const createdPosts = () =>
	[...sandbox.community.posts.values()].map(({ headline }) => headline).slice(postsBefore);
let postsBefore = 0;
beforeEach(() => {
	postsBefore = sandbox.community.posts.size;
});
const posts = () => sandbox.requests.matching('POST').length;

async function run(parameters: INodeParameters, options: RunOptions = {}) {
	return await runNode(sandbox, parameters, { items: rows, maxTries: 3, ...options });
}

describe('Retry On Fail', () => {
	it('with Stop, creates each record once, and counts it as applied', async () => {
		sandbox.faults.add({ ...REFUSED, after: 2 });
		const { error } = await run(post);
		expect(createdPosts()).toEqual(['One', 'Two']);
		expect(error?.message).toBe('Too short (item 3)');
		expect(error?.description).toContain(' Items already applied: 2.');
	});

	it('with Continue, creates each record once, although n8n treats a first failed item as a failed node', async () => {
		const items: IDataObject[] = [{ headline: '' }, { headline: 'Two' }];
		const { items: output } = await run(post, { items, onError: 'continueRegularOutput' });
		expect(createdPosts()).toEqual(['Two']);
		expect(output[1].json).toMatchObject({ headline: 'Two', clean_text: 'Hello' });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('returns the records of earlier attempts, read again, together with the new ones', async () => {
		sandbox.faults.add({ ...REFUSED, after: 1, times: 1 });
		const { items, error, hints } = await run(post);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.headline)).toEqual(['One', 'Two', 'Three']);
		expect(createdPosts()).toEqual(['One', 'Two', 'Three']);
		expect(hints).toContain('3 of 3 created.');
	});

	it.each<[string, INodeParameters, IDataObject]>([
		['user', { firstName: 'Ada', email: '={{ $json.headline }}@x.example' }, { first_name: 'Ada' }],
		['board', { boardName: '={{ $json.headline }}' }, { board_name: 'One' }],
		['comment', { postId: '9100', content: '={{ $json.headline }}' }, { clean_text: 'One' }],
		['reply', { commentId: '9200', content: '={{ $json.headline }}' }, { clean_text: 'One' }],
		['tag', { name: '={{ $json.headline }}' }, { display_name: 'One' }],
	])('creates a %s once', async (resource, parameters, expected) => {
		sandbox.faults.add({ ...REFUSED, after: 1, times: 1 });
		const { items } = await run({ resource, operation: 'create', ...parameters });
		expect(items[0].json).toMatchObject(expected);
		// One request was refused and repeated.
		expect(posts()).toBe(rows.length + 1);
	});

	it('does not repeat a create with a lost answer, even if its text contains the time', async () => {
		sandbox.faults.add({ kind: 'cut', applied: true, method: 'POST', times: 1 });
		const content = 'Written at {{ $now.toMillis() }}';
		const { error } = await run({ ...post, content: `=${content}` }, { items: rows.slice(0, 1) });
		expect(error?.description).toContain('Look for it in your community');
		expect(createdPosts()).toEqual(['One']);
	});

	it.each(['{"status":{"toString":1}}', '{"error":{"x":{"toString":null,"valueOf":null}}}'])(
		'does not repeat a create that was answered with %s',
		async (text) => {
			sandbox.faults.add({ kind: 'text', text, applied: true, method: 'POST', times: 1 });
			const { error } = await run(post, { items: rows.slice(0, 1) });
			expect(error?.description).not.toContain('Nothing was changed');
			expect(createdPosts()).toEqual(['One']);
		},
	);

	it('reports a record that an earlier try of Create or Update created as created', async () => {
		sandbox.faults.add({ ...REFUSED, after: 1, times: 1 });
		const tags = { ...createTag('={{ $json.headline }}'), operation: 'upsert' };
		const { items } = await run(tags);
		expect(items.map(({ json }) => json.created)).toEqual([true, true, true]);
		expect(sandbox.requests.matching('PUT')).toEqual([]);
	});

	it('acknowledges a created record that the API did not return', async () => {
		sandbox.faults.add({
			kind: 'text',
			text: '{"message":"OK"}',
			method: 'POST',
			applied: true,
			times: 1,
		});
		sandbox.faults.add({ ...REFUSED, after: 1, times: 1 });
		const { items } = await run(post);
		expect(items[0].json).toEqual({ success: true });
		expect(createdPosts()).toEqual(['One', 'Two', 'Three']);
	});

	it('acknowledges with its ID a created record that cannot be found yet', async () => {
		sandbox.faults.add({ ...REFUSED, after: 1, times: 1 });
		const waiting = { kind: 'status', status: 404, method: 'GET', path: '/api/v1/posts' } as const;
		sandbox.faults.add(waiting);
		const { items, error } = await run(post);
		expect(error).toBeUndefined();
		const [{ post_id }] = [...sandbox.community.posts.values()].slice(postsBefore);
		expect(items[0].json).toEqual({ success: true, post_id });
	});

	it('reports a record that cannot be read again as existing', async () => {
		sandbox.faults.add({ ...REFUSED, after: 1, times: 1 });
		sandbox.faults.add({ kind: 'status', status: 403, method: 'GET', path: '/api/v1/posts' });
		const { error } = await run(post);
		expect(error?.description).toMatch(
			/An earlier try created record \d+, so the node did not create it again\./,
		);
		expect(createdPosts()).toEqual(['One']);
	});
});

describe('Create with a lost answer', () => {
	const LOST = 'The connection broke before an answer arrived (item 2)';

	it.each([true, false])(
		'does not repeat a create with a lost answer with Retry On Fail (applied: %s)',
		async (applied) => {
			sandbox.faults.add({ kind: 'cut', method: 'POST', after: 1, times: 1, applied });
			const { error } = await run(post);
			expect(error?.message).toBe(LOST);
			expect(error?.description).toBe(
				"The record may already exist from an earlier try, so the node did not send it again. Look for it in your community. If it is not there, start a new execution with only this item, because 'Retry' does not send it again. Items already applied: 1. The other items were not processed. To process the other items, open Settings and set 'On Error' to 'Continue (using error output)'.",
			);
			expect(createdPosts()).toEqual(applied ? ['One', 'Two'] : ['One']);
			expect(posts()).toBe(2);
		},
	);

	it('creates the other records with Continue if the answer to a create was lost', async () => {
		sandbox.faults.add({ kind: 'cut', method: 'POST', times: 1, applied: true });
		const { items } = await run(post, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.headline)).toEqual([undefined, 'Two', 'Three']);
		expect(createdPosts()).toEqual(['One', 'Two', 'Three']);
	});

	it('does not repeat a create with a lost answer with Create or Update', async () => {
		sandbox.faults.add({ kind: 'cut', method: 'POST', times: 1 });
		const upsert = { ...createTag('={{ $json.headline }}'), operation: 'upsert' };
		const { error } = await run(upsert, { items: rows.slice(0, 1) });
		expect(error?.description).toContain('did not send it again. Look for it in your community');
		expect(posts()).toBe(1);
	});

	it.each<[string, INodeParameters, string]>([
		['Create or Get', action('user.createOrGet', { firstName: 'Ada' }), 'email'],
		['Create or Update', { ...createTag(''), operation: 'upsert' }, 'name'],
	])(
		'finds a record with a lost answer by %s in the next attempt, and reports it as created',
		async (_, parameters, name) => {
			const items = ['one', 'two'].map((each) => ({ name: `${each}@new.example` }));
			// The community's clock.
			const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2025-02-03T04:05:06Z'));
			// The same attempt searches once for the first lost record, which fails, too.
			sandbox.faults.add({ kind: 'cut', method: 'POST', applied: true, times: 1 });
			sandbox.faults.add({ kind: 'cut', method: 'GET', times: 1 });
			const upserting = { ...parameters, [name]: '={{ $json.name }}', options: { maxRetries: 0 } };
			const { items: output, error } = await run(upserting, { items, ...asNewcomer() });
			now.mockRestore();
			expect(error).toBeUndefined();
			expect(output.map(({ json }) => json.created)).toEqual([true, true]);
			expect(posts()).toBe(2);
		},
	);

	it('tells a model of a lost answer in an ordinary answer, because n8n would repeat a failed call', async () => {
		sandbox.faults.add({ kind: 'cut', method: 'POST', times: 1, applied: true });
		const [answer] = await callRetrying(
			sandbox,
			{ ...post, headline: "={{ $fromAI('headline') }}" },
			{ headline: 'One' },
		);
		expect(answer).toContain('may already exist');
		expect(createdPosts()).toEqual(['One']);
	});
});

describe('Change by an earlier try', () => {
	const members = () => [...sandbox.community.users.values()].slice(1, 3);
	const refuseSecond = (method: string) =>
		sandbox.faults.add({ kind: 'status', status: 400, method, after: 1, times: 1 });

	it.each([{}, { skipUnchanged: true }, { onlyFrom: '10' }])(
		'returns the same item again for a role changed by an earlier attempt, and sends no change: %j',
		async (options) => {
			for (const { msid } of members()) sandbox.community.changeUser(msid, { role_id: 10 });
			refuseSecond('PATCH');
			const items = members().map(({ msid }) => ({ msid }));
			const toRole = { userId: byId('={{ $json.msid }}'), roleId: byId('5'), options };
			const { items: output, error } = await run(action('user.updateRole', toRole), { items });
			expect(error).toBeUndefined();
			const isCompared = Object.keys(options).length > 0;
			const compared = isCompared ? { previous_role_id: 10, changed: true } : {};
			expect(output.map(({ json }) => json)).toMatchObject(
				items.map(({ msid }) => ({ msid, role_id: 5, ...compared })),
			);
			expect(output[0].json.skipped_by ?? null).toBeNull();
			expect(sandbox.requests.matching('PATCH')).toHaveLength(3);
		},
	);

	it('counts a record changed by an earlier attempt as changed, with Skip Unchanged', async () => {
		refuseSecond('PUT');
		const items = [{ id: 900 }, { id: 1 }];
		const update = action('board.update', {
			boardId: byId('={{ $json.id }}'),
			updateFields: { about: 'New' },
			options: { skipUnchanged: true },
		});
		const { items: output, hints } = await run(update, { items });
		expect(output.map(({ json }) => json)).toMatchObject(
			items.map(({ id }) => ({ board_id: id, about: 'New', changed: true })),
		);
		expect(hints).toContain('2 of 2 updated.');
		expect(sandbox.requests.matching('PUT')).toHaveLength(3);
	});

	it.each([
		['with Skip Unchanged', { skipUnchanged: true }, { changed: true, previous_role_id: 10 }],
		['without options', {}, { role_id: 5 }],
	])(
		'counts a change with a lost answer as made if the record shows it now, %s',
		async (_name, own, expected) => {
			const [{ msid }] = members();
			sandbox.community.changeUser(msid, { role_id: 10 });
			sandbox.faults.add({ kind: 'cut', method: 'PATCH', applied: true, times: 1 });
			const options = { ...own, maxRetries: 0 };
			const toRole = { userId: byId(msid), roleId: byId('5'), options };
			const { items: output } = await run(action('user.updateRole', toRole), { items: [{}] });
			expect(output[0].json).toMatchObject(expected);
			expect(sandbox.requests.matching('PATCH')).toHaveLength(1);
		},
	);

	it('reports a changed role again if a retry of the edited workflow sets another role', async () => {
		for (const { msid } of members()) sandbox.community.changeUser(msid, { role_id: 10 });
		refuseSecond('PATCH');
		const items = members().map(({ msid }) => ({ msid }));
		const to = (role: string) =>
			action('user.updateRole', {
				userId: byId('={{ $json.msid }}'),
				roleId: byId(role),
				options: { skipUnchanged: true },
			});
		const { run: retryOf } = await run(to('5'), { items, maxTries: undefined });
		// As n8n does for "Retry with currently saved workflow".
		for (const { node } of retryOf.data.executionData?.nodeExecutionStack ?? []) {
			node.parameters = to('22');
		}
		const { items: output } = await run(to('22'), { items, maxTries: undefined, retryOf });
		expect(output.map(({ json }) => json.previous_role_id)).toEqual([5, 10]);
	});
});

it('continues after the failed item in a retry from the list of executions, and creates nothing again', async () => {
	sandbox.faults.add({ ...REFUSED, after: 2, times: 1 });
	const { run: retryOf } = await run(post, { maxTries: undefined });
	expect(createdPosts()).toEqual(['One', 'Two']);
	const { items, error } = await run(post, { maxTries: undefined, retryOf });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.headline)).toEqual(['One', 'Two', 'Three']);
	expect(createdPosts()).toEqual(['One', 'Two', 'Three']);
});

describe('Create with the same values', () => {
	it('creates the same record again in another execution', async () => {
		await run(post);
		await run(post);
		expect(createdPosts()).toHaveLength(6);
	});

	it('creates the same record again in another iteration of a loop', async () => {
		await run(post, { runs: 3 });
		expect(createdPosts()).toHaveLength(9);
	});

	it('creates a record for each of two items with the same values', async () => {
		await run(post, { items: [rows[0], rows[0]] });
		expect(createdPosts()).toEqual(['One', 'One']);
	});

	it('creates another record if the next attempt sends different values', async () => {
		sandbox.faults.add({ ...REFUSED, after: 1, times: 1 });
		const content = '={{ $now.toMillis() + String(Math.random()) }}';
		await run({ ...post, content }, { items: rows.slice(0, 2) });
		expect(createdPosts()).toEqual(['One', 'One', 'Two']);
	});
});
