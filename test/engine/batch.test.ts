import { sleep } from 'n8n-workflow';
import { range, useSandbox } from '../support/community.mts';
import { action, getUser } from '../support/operations.mts';
import { serveMembers, type TestServer } from '../support/servers.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useSandbox({ members: 60 });

let server: TestServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

describe('a list', () => {
	// n8n's routing engine spreads the records of an item into one call, which overflows at 124,000 records.
	it('of 130,000 members is returned from one item, in order', async () => {
		server = await serveMembers(130_000, 10_000);
		const { items, error } = await runNode(
			{ ...sandbox, baseUrl: server.origin },
			action('user.getAll', { returnAll: true }),
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(130_000);
		expect(items.every(({ json }, index) => json.user_id === index + 1)).toBe(true);
		expect(items[129_999].pairedItem).toEqual({ item: 0 });
	});
});

it('more items than may be in flight are each applied once, and returned in order', async () => {
	// The maximum is 250.
	const ids = range(1, 260);
	const { items, error } = await runNode(sandbox, getUser('={{ $json.id }}'), {
		items: ids.map((id) => ({ id: 101 + (id % 40) })),
	});
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.user_id)).toEqual(ids.map((id) => 101 + (id % 40)));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((id) => ({ item: id - 1 })));
	expect(sandbox.requests.total).toBe(260);
});

it('lets other work of n8n run while it reads many items', async () => {
	let turns = 0;
	let isReading = true;
	const takingTurns = (async () => {
		for (; isReading; turns++) await sleep(0);
	})();
	// Slow to evaluate, like expressions on large items. It takes about 100 ms in all, and nothing is sent.
	const slow =
		'={{ (() => { for (const end = Date.now() + 5; Date.now() < end;); return "x/"; })() }}';
	const { error } = await runNode(sandbox, getUser(slow), {
		items: Array.from({ length: 20 }, () => ({})),
		onError: 'continueRegularOutput',
	});
	isReading = false;
	await takingTurns;
	expect(error).toBeUndefined();
	expect(sandbox.requests.total).toBe(0);
	expect(turns).toBeGreaterThan(3);
});
