import { sleep } from 'n8n-workflow';
import { Budget } from '../../nodes/CommunityPlatformPollingTrigger/budget.ts';
import { Failure } from '../../nodes/shared/transport/failure.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

async function answerAfter<T>(ms: number, answer: T): Promise<T> {
	await sleep(ms);
	return answer;
}

async function refusalAfter(ms: number, refusal: Error): Promise<never> {
	await sleep(ms);
	return await Promise.reject(refusal);
}

/** Takes note of pages that come one after another. */
async function afterPages(budget: Budget, ...durations: number[]): Promise<void> {
	for (const ms of durations) {
		const page = budget.timed(answerAfter(ms, 'page'));
		await pass(ms);
		await page;
	}
}

describe('the time that one poll may take', () => {
	it('is over after nine tenths of what n8n allows, so that what was found can be handed over', async () => {
		const { stop } = new Budget(10_000);
		await pass(8_999);
		expect(stop.isStopped).toBe(false);
		await pass(1);
		expect(stop.isStopped).toBe(true);
	});

	it('is counted from when the poll begins, not from when the process did', async () => {
		await pass(123_456);
		const budget = new Budget(60_000);
		expect(budget.leftMs).toBe(54_000);
		await pass(53_999);
		expect(budget.stop.isStopped).toBe(false);
		await pass(1);
		expect(budget.stop.isStopped).toBe(true);
	});

	it('gets less with each millisecond, and is less than nothing once it is over', async () => {
		const budget = new Budget(10_000);
		expect(budget.leftMs).toBe(9_000);
		await pass(4_000);
		expect(budget.leftMs).toBe(5_000);
		await pass(5_000);
		expect(budget.leftMs).toBe(0);
		await pass(500);
		expect(budget.leftMs).toBe(-500);
	});

	it('stops nothing once the poll has ended', async () => {
		const budget = new Budget(10_000);
		await pass(5_000);
		budget.end();
		await pass(60_000);
		expect(budget.stop.isStopped).toBe(false);
	});

	it('leaves no timer behind for more than a quarter of a second when the poll has ended', async () => {
		const budget = new Budget(10_000);
		expect(jest.getTimerCount()).toBe(1);
		budget.end();
		await pass(250);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('stays over when the poll ends after that', async () => {
		const budget = new Budget(10_000);
		await pass(9_000);
		budget.end();
		expect(budget.stop.isStopped).toBe(true);
	});

	it('calls the listeners at its end, once', async () => {
		const budget = new Budget(10_000);
		const told = jest.fn();
		budget.stop.onStop(told);
		await pass(8_999);
		expect(told).not.toHaveBeenCalled();
		await pass(60_000);
		expect(told).toHaveBeenCalledTimes(1);
	});
});

describe('a page whose time is measured', () => {
	it('is given as it came', async () => {
		const page = { records: [{ user_id: 7 }], hasMore: true };
		const timed = new Budget(10_000).timed(answerAfter(10, page));
		await pass(10);
		expect(await timed).toBe(page);
	});

	it('fails as it failed', async () => {
		const refusal = new Failure('Too many requests', 'Wait.');
		const timed = new Budget(10_000)
			.timed(refusalAfter(10, refusal))
			.catch((error: unknown) => error);
		await pass(10);
		expect(await timed).toBe(refusal);
	});
});

describe('what the user is told when the time was not enough', () => {
	it('says how long a poll may take, how slow a page was, that no member is missed and what to do', async () => {
		const budget = new Budget(60_000);
		await afterPages(budget, 12_340, 200);
		budget.isGoingOn = true;
		const failure = budget.failure();
		expect(failure).toBeInstanceOf(Failure);
		expect(failure.message).toBe('The API did not answer within the 54.0 s that a poll may take');
		expect(failure.advice).toBe(
			'No member is missed: the next poll goes on where the last one stopped. One page of members took 12.3 s. If this keeps happening, poll less often, or tell the operators of the community.',
		);
	});

	it('promises nothing where there was no poll before', () => {
		const { advice } = new Budget(60_000).failure();
		expect(advice).toMatch(/^One page of members took 0\.0 s\. If/);
	});

	it('repeats what the API said last, with its codes', () => {
		const details = { httpCode: 429, status: 'TOO_MANY_REQUESTS', code: 'ERR_R1' };
		const refusal = new Failure('Slow down, please', 'Wait a while.', details);
		const failure = new Budget(60_000).failure(refusal);
		expect(failure.message).toBe('The API did not answer within the 54.0 s that a poll may take');
		expect(failure.advice).toContain('The last attempt ended with: "Slow down, please". If this');
		expect(failure.advice).not.toContain('Wait a while');
		expect(failure.details).toEqual(details);
	});
});
