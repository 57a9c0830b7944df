import type { NodeApiError } from 'n8n-workflow';
import { range, useSandbox, withoutBackoff } from '../support/community.mts';
import { closedOrigin } from '../support/servers.mts';
import { declaring, describeSchedule } from './generations.mts';
import { Poller } from './poller.mts';

// A poll that is not ended in time takes minutes, longer than any test may.
const BRIEF_MS = 600;

const sandbox = useSandbox({ members: 200 });
withoutBackoff();

let source = 0;
// A source system of its own for each, because pauses that the API asked for are kept beyond a test.
const newPoller = () =>
	new Poller({ ...sandbox, baseUrl: sandbox.baseUrl, sourceSystem: `n8n ${++source}` });

async function started(): Promise<Poller> {
	const poller = newPoller();
	await poller.poll();
	return poller;
}

function join(count: number): number[] {
	return range(1, count).map(() => sandbox.community.join({ first_name: 'New' }).user_id);
}

const ids = (items: Awaited<ReturnType<Poller['poll']>>) => items.map(({ user_id }) => user_id);

describe('a poll whose time is over', () => {
	it.each([429, 503])('does not wait for what a %d asks for, and loses nobody', async (status) => {
		const poller = await started();
		const before = poller.staticData;
		const joined = join(3);
		sandbox.faults.add({ kind: 'status', status, retryAfter: 90 });
		poller.budgetMs = BRIEF_MS;
		await expect(poller.poll()).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The API did not answer within the 0.5 s that a poll may take',
			description: expect.stringMatching(
				/^Nobody is missed: .*took 0\.\d s\. The last attempt ended with: "/,
			) as string,
			httpCode: String(status),
			...declaring({ retryAfterMs: 90_000 }),
		});
		expect(poller.staticData).toBe(before);
		sandbox.faults.clear();
		// Another source system is not held by the pause.
		const { baseUrl, apiKey } = sandbox;
		poller.community = { baseUrl, apiKey, sourceSystem: 'another' };
		poller.budgetMs = undefined;
		expect(ids(await poller.poll())).toEqual(joined);
	});

	it('does not wait for a pause that the API asked somebody else to make', async () => {
		const one = await started();
		const other = new Poller(one.community);
		other.staticData = one.staticData;
		one.budgetMs = other.budgetMs = BRIEF_MS;
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 90, times: 1 });
		await expect(one.poll()).rejects.toThrow('within');
		await expect(other.poll()).rejects.toMatchObject({
			message: expect.stringContaining('that a poll may take') as string,
			...declaring({ cause: 'temporarily-unavailable' }),
		});
	});

	it('does not wait for an answer that never comes, and lets the next one find everybody', async () => {
		const poller = await started();
		const joined = join(3);
		sandbox.faults.add({ kind: 'hang', times: 1 });
		poller.budgetMs = BRIEF_MS;
		await expect(poller.poll()).rejects.toThrow('that a poll may take');
		poller.budgetMs = undefined;
		expect(ids(await poller.poll())).toEqual(joined);
	});

	it('hands over what it has found, and the next one the rest', async () => {
		const poller = await started();
		const joined = join(900);
		// Ten pages to see that it is long, some to find its beginning, then ten of these.
		sandbox.faults.add({ kind: 'hang', after: 30, times: 1 });
		poller.budgetMs = 5_000;
		const first = ids(await poller.poll());
		expect(first.length).toBeGreaterThan(300);
		expect(first.length).toBeLessThan(900);
		expect(first).toEqual(joined.slice(0, first.length));
		sandbox.faults.clear();
		poller.budgetMs = undefined;
		expect([...first, ...ids(await poller.poll())]).toEqual(joined);
		expect(await poller.poll()).toEqual([]);
	});

	it('lets the next one look for the known members where it had to stop', async () => {
		const poller = await started();
		const joined = join(900);
		sandbox.faults.add({ kind: 'hang', after: 13 });
		poller.budgetMs = BRIEF_MS;
		await expect(poller.poll()).rejects.toThrow('that a poll may take');
		sandbox.faults.clear();
		const asked = sandbox.requests.total;
		sandbox.faults.add({ kind: 'hang', after: 8 });
		const second = ids(await poller.poll());
		expect(second).toEqual(joined.slice(0, second.length));
		expect(second.length).toBeGreaterThan(0);
		const pages = sandbox.requests.all.slice(asked).map(({ query }) => Number(query.page));
		expect(pages).not.toContain(1);
		sandbox.faults.clear();
		poller.budgetMs = undefined;
		expect([...second, ...ids(await poller.poll())]).toEqual(joined);
		expect(await poller.poll()).toEqual([]);
	});
});

describeSchedule('n8n is told when to poll again', () => {
	it.each([
		[429, 3_600, { cause: 'rate-limited', retryAfterMs: 3_600_000 }],
		[429, undefined, { cause: 'rate-limited' }],
		[503, 3_600, { cause: 'temporarily-unavailable', retryAfterMs: 3_600_000 }],
		[500, undefined, { cause: 'temporarily-unavailable' }],
		[401, undefined, { cause: 'credential-invalid' }],
		[403, undefined, { cause: 'credential-invalid' }],
		[404, undefined, { cause: 'configuration-invalid' }],
		[418, undefined, undefined],
	])('after a %d with Retry-After %s: %j', async (status, retryAfter, failure) => {
		const poller = newPoller();
		sandbox.faults.add({ kind: 'status', status, ...(retryAfter && { retryAfter }) });
		const told = (await poller.failing()) as NodeApiError;
		expect(told.httpCode).toBe(String(status));
		expect(told.failure).toEqual(failure);
	});

	it('where nothing listens', async () => {
		const poller = newPoller();
		poller.credential = { baseUrl: await closedOrigin() };
		poller.budgetMs = BRIEF_MS;
		expect(await poller.failing()).toMatchObject({
			description: expect.stringContaining('Nothing accepts connections') as string,
			failure: { cause: 'temporarily-unavailable' },
		});
	});

	it('where the base URL is none', async () => {
		const poller = newPoller();
		poller.credential = { baseUrl: 'ftp://community.example.com' };
		expect(await poller.failing()).toMatchObject({ failure: { cause: 'configuration-invalid' } });
	});
});
