import { Cancellation } from '../../nodes/shared/async/cancel.ts';
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

it.each([429, 503])('an API with a rate limit receives all updates once (%d)', async (status) => {
	// How often a limit refuses also depends on the machine's load. Simulated time tests that (test/unit/limiter).
	const refused = { kind: 'status', method: 'PATCH', status, retryAfter: 1 } as const;
	sandbox.faults.add({ ...refused, after: 10, times: 15 });
	const { parameters, items } = update(40);
	// All requests in flight may be refused when the limit is first reached.
	const options = { maxRequestsAtOnce: 20 };
	const result = await runNode(sandbox, { ...parameters, options }, { items });
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(40);
	expect(changes()).toEqual(once(40));
	expect(sandbox.requests.statuses).toMatchObject({ [status]: 15 });
	const told = logged.find((line) => line.includes('Community Platform:'));
	expect(told).toMatch(/\d+ requests? sent again/);
});

it("n8n's own batching still applies", async () => {
	const { parameters, items } = update(6);
	const sendWith = async (batchInterval: number, onStart?: (cancel: () => void) => void) => {
		const requestOptions = { batching: { batch: { batchSize: 2, batchInterval } } };
		await runNode(sandbox, parameters, { items, requestOptions, onStart });
		return sandbox.requests.matching('PATCH').length;
	};
	// An hour, which nothing waits for: the execution is stopped after the first batch.
	const stop = (run: () => void) =>
		sandbox.faults.add({ kind: 'call', method: 'PATCH', after: 1, times: 1, run });
	expect(await sendWith(3_600_000, stop)).toBe(2);
	sandbox.requests.clear();
	expect(await sendWith(1)).toBe(6);
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
