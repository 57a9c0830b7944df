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

it('an API that allows 25 requests a second and 10 at once gets all updates once', async () => {
	// Fewer than any machine sends, however busy it is.
	sandbox.rateLimit.set({ perSecond: 25, burst: 10, retryAfterSeconds: 1 });
	const { parameters, items } = update(40);
	// All that is on its way when the limit is met for the first time may be refused.
	const options = { maxRequestsAtOnce: 20 };
	const result = await runNode(sandbox, { ...parameters, options }, { items });
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(40);
	expect(changes()).toEqual(once(40));
	expect(sandbox.rateLimit.refused).toBeGreaterThan(0);
	// How few are refused is held in simulated time: here, a busy machine decides it, too.
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
	// Far less than the interval, because a request of a busy machine may arrive late.
	expect(starts[2] - starts[1]).toBeGreaterThan(150);
	expect(starts[4] - starts[3]).toBeGreaterThan(150);
});

// n8n has one signal for an execution, in which a loop can run the node hundreds of times.
it.each([
	['succeeds', '101'],
	['fails', '99999999'],
])('a run that %s leaves nothing at the cancellation signal of its execution', async (_, id) => {
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
