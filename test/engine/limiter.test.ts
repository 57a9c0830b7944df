import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { useSandboxForEach } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { roleUpdates } from '../support/operations.mts';
import { runNode } from './engine.mts';

const sandbox = useSandboxForEach();
beforeEach(() => {
	logged.length = 0;
});

const update = (count: number, from = 0, options: INodeParameters = {}) =>
	roleUpdates(sandbox, count, { from, options });

/** How often each member's role was changed. */
function changes(): number[] {
	const times = new Map<string, number>();
	for (const { path, status } of sandbox.requests.matching('PATCH', '/api/v1/users')) {
		if (status === 200) times.set(path, (times.get(path) ?? 0) + 1);
	}
	return [...times.values()];
}

function once(count: number): number[] {
	return new Array<number>(count).fill(1);
}

it.each([10, 40])(
	'an API that allows 25 requests a second and %i at once gets all updates once',
	async (burst) => {
		// Fewer than any machine sends, however busy it is.
		sandbox.rateLimit.set({ perSecond: 25, burst, retryAfterSeconds: 1 });
		const { parameters, items } = update(100);
		// All that is on its way when the limit is met for the first time may be refused.
		const options = { maxRequestsAtOnce: 20 };
		const result = await runNode(sandbox, { ...parameters, options }, { items });
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(100);
		expect(changes()).toEqual(once(100));
		expect(sandbox.rateLimit.refused).toBeGreaterThan(0);
		// How few are refused is held in simulated time: here, a busy machine decides it, too.
		expect(sandbox.rateLimit.refused).toBeLessThan(100);
		const told = logged.find((line) => line.includes('Community Platform:'));
		expect(told).toMatch(
			/\d+ requests? sent again; \d+ pauses?, \d+\.\d s in total; now sending about \d+ requests a second/,
		);
	},
);

it('random 503s are retried, each update applied once', async () => {
	sandbox.faults.add({ kind: 'status', status: 503, probability: 0.05, method: 'PATCH' });
	const { parameters, items } = update(200);
	const result = await runNode(sandbox, parameters, { items });
	expect(result.error).toBeUndefined();
	expect(changes()).toEqual(once(200));
	expect(sandbox.requests.statuses['503']).toBeGreaterThan(0);
});

it('a small run that shares the API with a big one is through long before it', async () => {
	sandbox.settings.delayMs = 5;
	const [big, small] = [update(300), update(5, 300)];
	const running = runNode(sandbox, big.parameters, { items: big.items });
	while (sandbox.requests.total < 40) await sleep(1);
	await runNode(sandbox, small.parameters, { items: small.items });
	const beforeSmallEnded = sandbox.requests.total;
	await running;
	expect(changes()).toEqual(once(305));
	expect(beforeSmallEnded).toBeLessThan(200);
});

it('"Max Requests at Once" of 1 sends one after another, in the order of the items', async () => {
	sandbox.settings.delayMs = 5;
	const { parameters, items } = update(20, 0, { maxRequestsAtOnce: 1 });
	await runNode(sandbox, parameters, { items });
	expect(sandbox.requests.maxInFlight).toBe(1);
	const paths = sandbox.requests.matching('PATCH').map(({ path }) => path.split('/').at(-1));
	expect(paths).toEqual(items.map(({ id }) => id));
});

it('there are never more in flight than "Max Requests at Once" allows', async () => {
	// Long enough for a busy machine to send seven meanwhile.
	sandbox.settings.delayMs = 100;
	const { parameters, items } = update(60, 0, { maxRequestsAtOnce: 7 });
	await runNode(sandbox, parameters, { items });
	expect(sandbox.requests.maxInFlight).toBe(7);
});

it("n8n's own batching still applies", async () => {
	const { parameters, items } = update(6);
	const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 1_000 } } };
	await runNode(sandbox, parameters, { items, requestOptions });
	const starts = sandbox.requests.matching('PATCH').map(({ startedAt }) => startedAt);
	// Far less than the interval, because a request of a busy machine may arrive late.
	expect(starts[2] - starts[1]).toBeGreaterThan(300);
	expect(starts[4] - starts[3]).toBeGreaterThan(300);
});

it('cancelling ends a pause and sends nothing more', async () => {
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 300 });
	const { parameters, items } = update(50);
	let cancel = () => {};
	const running = runNode(sandbox, parameters, { items, onStart: (stop) => (cancel = stop) });
	// As many as are sent before the first answer.
	while (sandbox.requests.total < 10 || sandbox.requests.inFlight > 0) await sleep(1);
	cancel();
	await running;
	const sent = sandbox.requests.total;
	expect(sent).toBeLessThanOrEqual(20);
	sandbox.faults.clear();
	await sleep(600);
	expect(sandbox.requests.total).toBe(sent);
	expect(changes()).toEqual([]);
});

it('a request that was given up says how often it was tried and how long it waited', async () => {
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 1, method: 'PATCH' });
	const { parameters, items } = update(1, 0, { maxRetries: 2 });
	const { error } = await runNode(sandbox, parameters, { items });
	expect(error?.description).toMatch(/Tried 3 times, waiting 2\.\d s in between\./);
});

it('waiting for a pause that another request was asked for counts as waiting', async () => {
	const [first, second] = update(2, 0, { maxRetries: 1, maxRequestsAtOnce: 1 }).items;
	const { parameters } = update(2, 0, { maxRetries: 1, maxRequestsAtOnce: 1 });
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 1, pattern: first.id, times: 1 });
	sandbox.faults.add({ kind: 'status', status: 500, pattern: second.id });
	const { error } = await runNode(sandbox, parameters, { items: [first, second] });
	const seconds = Number(/Tried 2 times, waiting (\S+) s/.exec(error?.description ?? '')?.[1]);
	expect(seconds).toBeGreaterThanOrEqual(0.9);
});
