import { startFastify, type LimitingProxy, type WindowLimit } from '../../dev/gateways/fastify.mts';
import { useSandboxForEach } from '../support/community.mts';
import { roleUpdates } from '../support/operations.mts';
import { runNode } from './engine.mts';

const UPDATES = 60;

const sandbox = useSandboxForEach();
let proxy: LimitingProxy | undefined;

afterEach(async () => {
	await proxy?.app.close();
	proxy = undefined;
});

// A rate limit that was not written for this package: it refuses at once, counts by its own windows, and
// knows nothing of how requests are spaced.
describe('behind @fastify/rate-limit', () => {
	it.each<[string, WindowLimit]>([
		['20 in a second', { max: 20, windowMs: 1_000, isRetryAfterSent: false }],
	])('%s: every update is applied once, and not each is refused once', async (_, limit) => {
		proxy = await startFastify(sandbox.baseUrl, limit);
		const { parameters, items: each } = roleUpdates(sandbox, UPDATES);
		const community = { ...sandbox, baseUrl: proxy.origin };
		const { items, error } = await runNode(community, parameters, { items: each });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(UPDATES);
		const applied = sandbox.requests.matching('PATCH').map(({ path }) => path);
		expect(applied).toHaveLength(UPDATES);
		expect(new Set(applied).size).toBe(UPDATES);
		expect(proxy.refused()).toBeGreaterThan(0);
		expect(proxy.refused()).toBeLessThan(UPDATES);
	});
});
