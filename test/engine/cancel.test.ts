import { sleep, type INodeParameters } from 'n8n-workflow';
import { until } from '../../dev/tools/wait.mts';
import { range, useSandbox } from '../support/community.mts';
import { action, createTag, getUser } from '../support/operations.mts';
import { runNode, type RunOptions, type RunResult } from '../support/engine.mts';

const sandbox = useSandbox();
const items = range(101, 110).map((id) => ({ id, name: `Tag${id}` }));
const oneAtOnce = { maxRequestsAtOnce: 1 };

/** Runs the node, cancels it after a number of requests, and counts the requests well after the cancellation. */
async function cancelledAfter(
	requests: number,
	parameters: INodeParameters,
	options: RunOptions & { goesOnAfterMs: number },
): Promise<{ result: RunResult; asked: number }> {
	let cancel = () => {};
	const running = runNode(sandbox, parameters, {
		...options,
		onStart: (cancelRun) => (cancel = cancelRun),
	});
	while (sandbox.requests.total < requests) await sleep(2);
	cancel();
	const result = await running;
	await sleep(options.goesOnAfterMs);
	return { result, asked: sandbox.requests.total };
}

// n8n's own result of a cancelled execution.
function expectCancelled({ run }: RunResult) {
	expect(run.status).toBe('canceled');
}

it.each([
	['Stop', undefined],
	['Continue', 'continueRegularOutput'],
	['Continue (using error output)', 'continueErrorOutput'],
] as const)('cancellation while a retry waits sends nothing (%s)', async (_, onError) => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	sandbox.faults.add({ kind: 'status', status: 500 });
	const { result, asked } = await cancelledAfter(1, getUser('101'), {
		onError,
		goesOnAfterMs: 400,
	});
	jest.mocked(Math.random).mockRestore();
	expectCancelled(result);
	expect(asked).toBe(1);
	expect([result.items, result.failed]).toEqual([[], []]);
});

it('cancellation ends the execution immediately, even in a long pause', async () => {
	sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 120 });
	const { result, asked } = await cancelledAfter(1, getUser('101'), {
		credential: { sourceSystem: 'paused for long' },
		goesOnAfterMs: 0,
	});
	expectCancelled(result);
	expect(asked).toBe(1);
});

it('cancellation cuts the connection of a request without an answer', async () => {
	sandbox.faults.add({ kind: 'hang' });
	const { result } = await cancelledAfter(1, getUser('101'), { goesOnAfterMs: 0 });
	expectCancelled(result);
	await until('the end of the request', async () => sandbox.requests.inFlight === 0, 10_000, 20);
});

it('cancellation while items wait for the limiter sends nothing', async () => {
	sandbox.settings.delayMs = 80;
	const parameters = { ...getUser('={{ $json.id }}'), options: oneAtOnce };
	const { result, asked } = await cancelledAfter(2, parameters, { items, goesOnAfterMs: 300 });
	expectCancelled(result);
	expect(asked).toBe(2);
});

it('cancellation while creates are queued creates nothing', async () => {
	sandbox.settings.delayMs = 80;
	const before = sandbox.community.tags.size;
	const parameters = createTag('={{ $json.name }}');
	const { result, asked } = await cancelledAfter(1, parameters, { items, goesOnAfterMs: 300 });
	expectCancelled(result);
	expect(asked).toBe(1);
	expect(sandbox.community.tags.size).toBeLessThanOrEqual(before + 1);
});

it('cancellation during pagination requests no further page', async () => {
	sandbox.settings.delayMs = 80;
	const parameters = action('user.getAll', { returnAll: true, options: oneAtOnce });
	const { result, asked } = await cancelledAfter(2, parameters, { goesOnAfterMs: 300 });
	expectCancelled(result);
	expect(asked).toBe(2);
});

it('cancellation releases the permits for the next execution', async () => {
	sandbox.settings.delayMs = 40;
	const parameters = { ...getUser('={{ $json.id }}'), options: oneAtOnce };
	await cancelledAfter(1, parameters, { items, goesOnAfterMs: 0 });
	const before = sandbox.requests.total;
	const next = await runNode(sandbox, parameters, { items: items.slice(0, 3) });
	expect(next.items).toHaveLength(3);
	expect(sandbox.requests.total).toBe(before + 3);
});
