import type { RecordedRequest } from '../../sandbox/recorder.mts';
import { asNewcomer, byId, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { action, createTag, getUser, updateRole } from '../support/operations.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useSandbox();
withoutBackoff();

/** The number of pairs of successive requests that overlapped. */
function overlaps(requests: RecordedRequest[]): number {
	return requests.slice(1).filter((request, index) => {
		const { endedAt } = requests[index];
		return endedAt === null || request.startedAt < endedAt;
	}).length;
}
const values = (field: string) =>
	sandbox.requests.matching('POST').map(({ body }) => (body as Record<string, unknown>)[field]);
const tagsNamed = (wanted: string) =>
	[...sandbox.community.tags.values()].filter(({ name }) => name === wanted);
const slow = (fault: object) => sandbox.faults.add({ kind: 'slow', delayMs: 60, ...fault });

describe('creates', () => {
	it('run one after another in the order of the items, even if some are slow', async () => {
		slow({ method: 'POST', after: 1, times: 1 });
		slow({ method: 'POST', after: 4, times: 1 });
		const names = range(1, 8).map((number) => `Tag${number}`);
		const items = names.map((name) => ({ name }));
		const { items: output } = await runNode(sandbox, createTag('={{ $json.name }}'), { items });
		expect(values('name')).toEqual(names);
		expect(overlaps(sandbox.requests.matching('POST'))).toBe(0);
		expect(output.map(({ json }) => json.display_name)).toEqual(names);
	});

	it('keep their order during retries', async () => {
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 0, method: 'POST', times: 2 });
		const [id] = sandbox.community.posts.keys();
		const comment = action('comment.create', {
			postId: String(id),
			author: byId(sandbox.community.caller.msid),
			content: '={{ $json.text }}',
		});
		const items = range(1, 4).map((number) => ({ text: `Comment ${number}` }));
		await runNode(sandbox, comment, { items });
		const created = [...sandbox.community.comments.values()].slice(-4);
		expect(created.map(({ content }) => content)).toEqual(items.map(({ text }) => text));
	});
});

it('of several executions do not wait for each other', async () => {
	slow({ method: 'POST' });
	await Promise.all(['One', 'Two'].map(async (name) => await runNode(sandbox, createTag(name))));
	expect(overlaps(sandbox.requests.matching('POST'))).toBe(1);
});

describe('writes to one record', () => {
	it('never overlap and keep the order of the items', async () => {
		slow({ method: 'PATCH', times: 1 });
		slow({ method: 'PATCH', after: 2, times: 1 });
		const { caller } = sandbox.community;
		const roles = [5, 10, 21, 22, 23, 24];
		const parameters = updateRole(caller.msid, '={{ $json.role }}');
		await runNode(sandbox, parameters, { items: roles.map((role) => ({ role })) });
		const patches = sandbox.requests.matching('PATCH');
		const sent = patches.map(({ body }) => (body as { data: { role_id: number } }).data.role_id);
		expect(sent).toEqual(roles);
		expect(overlaps(patches)).toBe(0);
		expect(caller.role_id).toBe(24);
	});

	it('wait only for each other', async () => {
		sandbox.settings.delayMs = 30;
		const items = sandbox.community.members(10, 'user_id', 'asc').slice(0, 12);
		const parameters = updateRole('={{ $json.msid }}', '5');
		const options = { items: items.map(({ msid }) => ({ msid })), ...asNewcomer() };
		await runNode(sandbox, parameters, options);
		expect(sandbox.requests.maxInFlight).toBeGreaterThan(1);
	});

	// Each item has one of the fields. The others are not set.
	const changes = [{ about: 'New text' }, { icon: 'star' }, { boardName: 'New name' }];
	const updateFields = Object.fromEntries(
		changes.flatMap(Object.keys).map((name) => [name, `={{ $json.${name} }}`]),
	);
	const board = action('board.update', { boardId: byId('3'), updateFields });
	const changed = { about: 'New text', icon: 'star', board_name: 'New name' };

	it('lose no change within an execution', async () => {
		slow({ method: 'GET', times: 1 });
		slow({ method: 'PUT', times: 1 });
		const { error } = await runNode(sandbox, board, { items: changes });
		expect(error).toBeUndefined();
		expect(sandbox.community.boards.get(3)).toMatchObject(changed);
	});

	it('lose no change made by concurrent executions', async () => {
		slow({ times: 3 });
		const runs = changes.map((change) => runNode(sandbox, board, { items: [change] }));
		for (const { error } of await Promise.all(runs)) expect(error).toBeUndefined();
		expect(sandbox.community.boards.get(3)).toMatchObject(changed);
	});
});

describe('Create or Update', () => {
	const upsert = action('tag.upsert', {
		name: '={{ $json.name }}',
		additionalFields: { description: '={{ $json.text }}' },
	});

	it('creates a record once if an execution names it several times in any spelling', async () => {
		const items = ['Fresh', '#fresh', 'FRESH'].map((name, index) => ({ name, text: `v${index}` }));
		const { error } = await runNode(sandbox, upsert, { items });
		expect(error).toBeUndefined();
		expect(values('name')).toEqual(['Fresh']);
		expect(tagsNamed('fresh').map(({ description }) => description)).toEqual(['v2']);
	});

	it('creates a record once if two executions name it at the same time', async () => {
		slow({ times: 2 });
		const run = async (text: string) =>
			await runNode(sandbox, upsert, { items: [{ name: 'Fresh', text }] });
		await Promise.all([run('one'), run('other')]);
		expect(values('name')).toEqual(['Fresh']);
		expect(tagsNamed('fresh')).toHaveLength(1);
	});

	it('does not deadlock if executions name the same tags in opposite order', async () => {
		const names = range(1, 6).map((number) => `Crossed${number}`);
		const run = async (order: string[]) =>
			await runNode(sandbox, upsert, { items: order.map((name) => ({ name, text: 'x' })) });
		await Promise.all([run(names), run([...names].reverse()), run(names)]);
		expect([...values('name')].sort()).toEqual(names);
	});

	it('creates new records in the order of the items, among existing ones', async () => {
		const [known] = sandbox.community.tags.values();
		slow({ method: 'GET', times: 1 });
		const names = ['New1', known.name, 'New2', 'New3'];
		await runNode(sandbox, upsert, { items: names.map((name) => ({ name, text: 'x' })) });
		expect(values('name')).toEqual(['New1', 'New2', 'New3']);
		expect(sandbox.requests.matching('PUT')).toHaveLength(1);
	});
});

describe('concurrent requests', () => {
	const items = range(101, 160).map((id) => ({ id }));
	const getMember = getUser('={{ $json.id }}');

	it.each([1, 7, undefined])('are never more than %j', async (maxRequestsAtOnce) => {
		sandbox.settings.delayMs = 4;
		const options = maxRequestsAtOnce === undefined ? {} : { maxRequestsAtOnce };
		const { items: output } = await runNode(sandbox, { ...getMember, options }, { items });
		expect(output).toHaveLength(60);
		expect(sandbox.requests.maxInFlight).toBeLessThanOrEqual(maxRequestsAtOnce ?? 50);
	});

	it('return their items in the order of the input, even if the first answer arrives last', async () => {
		slow({ delayMs: 300, times: 1 });
		const { items: output } = await runNode(sandbox, getMember, { items });
		expect(output.map(({ json }) => json.user_id)).toEqual(range(101, 160));
	});

	it('are strictly sequential with 1, even for pages, and in the order of the items', async () => {
		slow({ after: 1, times: 1 });
		const options = { maxRequestsAtOnce: 1 };
		await runNode(sandbox, { ...getMember, options }, { items });
		expect(sandbox.requests.all.map(({ path }) => Number(path.split('/').pop()))).toEqual(
			range(101, 160),
		);
		await runNode(sandbox, action('user.getAll', { returnAll: true, options }));
		expect(sandbox.requests.total).toBeGreaterThan(66);
		expect(overlaps(sandbox.requests.all)).toBe(0);
		expect(sandbox.requests.maxInFlight).toBe(1);
	});
});
