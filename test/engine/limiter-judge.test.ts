import { startFastify, type LimitingProxy, type WindowLimit } from '../../gateways/fastify.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { runNode } from './engine.mts';

const UPDATES = 60;

let sandbox: Sandbox;
let proxy: LimitingProxy | undefined;

beforeEach(async () => {
	sandbox = await startSandbox();
});
afterEach(async () => {
	await proxy?.app.close();
	proxy = undefined;
	await sandbox.close();
});

// A rate limit that was not written for this package: it refuses at once, counts by its own windows, and
// knows nothing of how requests are spaced.
describe('behind @fastify/rate-limit', () => {
	it.each<[string, WindowLimit]>([
		['20 in a second', { max: 20, windowMs: 1_000, isRetryAfterSent: false }],
		['20 in a second, Retry-After', { max: 20, windowMs: 1_000, isRetryAfterSent: true }],
	])('%s: every update is applied once, and few are refused', async (_, limit) => {
		proxy = await startFastify(sandbox.baseUrl, limit);
		const [, roleId] = sandbox.community.roles.keys();
		const members = sandbox.community.members(10, 'user_id', 'asc').slice(0, UPDATES);
		const { items, error } = await runNode(
			{ ...sandbox, baseUrl: proxy.origin },
			{
				resource: 'user',
				operation: 'updateRole',
				userId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				roleId: { __rl: true, mode: 'id', value: roleId },
			},
			{ items: members.map(({ msid }) => ({ id: msid })) },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(UPDATES);
		const applied = sandbox.requests.matching('PATCH').map(({ path }) => path);
		expect(applied).toHaveLength(UPDATES);
		expect(new Set(applied).size).toBe(UPDATES);
		expect(proxy.refused()).toBeGreaterThan(0);
		expect(proxy.refused()).toBeLessThan(UPDATES);
	});
});
