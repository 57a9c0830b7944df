import { Cancellation } from '../../nodes/shared/limiter';
import { useSandboxForEach } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { getUser, roleUpdates } from '../support/operations.mts';
import { listenersOf } from '../support/signals.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useSandboxForEach();
beforeEach(() => {
	logged.length = 0;
});

const update = (count: number) => roleUpdates(sandbox, count);

/** The number of role changes of each member. */
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

it('an API that allows 25 requests a second and 10 concurrent ones receives all updates once', async () => {
	// Fewer than even a busy machine sends.
	sandbox.rateLimit.set({ perSecond: 25, burst: 10, retryAfterSeconds: 1 });
	const { parameters, items } = update(40);
	// All requests in flight may be refused when the limit is first reached.
	const options = { maxRequestsAtOnce: 20 };
	const result = await runNode(sandbox, { ...parameters, options }, { items });
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(40);
	expect(changes()).toEqual(once(40));
	expect(sandbox.rateLimit.refused).toBeGreaterThan(0);
	// The number of refusals is tested in simulated time, because here it also depends on the machine's load.
	expect(sandbox.rateLimit.refused).toBeLessThan(40);
	const told = logged.find((line) => line.includes('Community Platform:'));
	expect(told).toMatch(
		/\d+ requests? sent again, \d+ pauses? of \d+\.\d s in total, now about \d+ requests a second/,
	);
});

it("n8n's own batching still applies", async () => {
	const { parameters, items } = update(6);
	const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 500 } } };
	await runNode(sandbox, parameters, { items, requestOptions });
	const starts = sandbox.requests.matching('PATCH').map(({ startedAt }) => startedAt);
	// Much less than the interval, because on a busy machine a request may arrive late.
	expect(starts[2] - starts[1]).toBeGreaterThan(150);
	expect(starts[4] - starts[3]).toBeGreaterThan(150);
});

// n8n has one signal for an execution, in which a loop can run the node hundreds of times.
it.each([
	['succeeds', '101'],
	['fails', '99999999'],
])("a node that %s leaves no listener at the execution's cancellation signal", async (_, id) => {
	const follow = jest.spyOn(Cancellation.prototype, 'follow');
	try {
		await runNode(sandbox, getUser(id));
		const [[signal]] = follow.mock.calls;
		expect(signal).toBeInstanceOf(AbortSignal);
		expect(listenersOf(signal as AbortSignal)).toBe(0);
	} finally {
		follow.mockRestore();
	}
});
