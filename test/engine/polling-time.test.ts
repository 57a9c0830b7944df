import type { INodeParameters } from 'n8n-workflow';
import { range, useSandbox, withoutBackoff } from '../support/community.mts';
import { Poller } from '../support/poller.mts';

const sandbox = useSandbox({ members: 200 });
withoutBackoff();

let source = 0;

async function started(parameters?: INodeParameters): Promise<Poller> {
	// A separate source system for each test, because the API's pauses are remembered across tests.
	const poller = new Poller({ ...sandbox, sourceSystem: `n8n ${++source}` }, parameters);
	await poller.poll();
	return poller;
}

function join(count: number): number[] {
	return range(1, count).map(() => sandbox.community.join({ first_name: 'New' }).user_id);
}

const ids = (items: Awaited<ReturnType<Poller['poll']>>) => items.map(({ user_id }) => user_id);

const PAGES = /\/users$/;
const DETAILS = /\/users\/./;

/**
 * Answers this many requests of the next poll, then ends its time at the following request. Counts requests of one kind,
 * because details that the last poll requested can reach the server after that poll has ended.
 */
function endTimeAfter(requests: number, pattern = PAGES): void {
	const time = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal);
	sandbox.faults.clear();
	const match = { pattern, after: requests, times: 1 };
	sandbox.faults.add({ ...match, kind: 'call', run: () => time.abort() });
	sandbox.faults.add({ ...match, kind: 'hang' });
}
afterEach(() => jest.restoreAllMocks());

describe('a poll that exceeds its time limit', () => {
	it('does not wait as long as the API asks, and misses no member', async () => {
		const poller = await started();
		const before = poller.staticData;
		const joined = join(3);
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 90 });
		// A poll that does not end in time takes minutes, longer than a test's time limit.
		poller.budgetMs = 600;
		await expect(poller.poll()).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The poll could not finish within 0.5 s',
			description: expect.stringMatching(
				/^The next poll finds the members .* The last attempt ended with: "/,
			) as string,
			httpCode: '429',
			failure: { cause: 'rate-limited', retryAfterMs: 90_000 },
		});
		expect(poller.staticData).toBe(before);
		sandbox.faults.clear();
		// The pause does not apply to another source system.
		const { baseUrl, apiKey } = sandbox;
		poller.community = { baseUrl, apiKey, sourceSystem: 'another' };
		poller.budgetMs = undefined;
		expect(ids(await poller.poll())).toEqual(joined);
	});

	it('returns the members it has found, and the next one continues from the page where it stopped', async () => {
		const poller = await started();
		const joined = join(900);
		endTimeAfter(10);
		const first = ids(await poller.poll());
		expect(first).toEqual(joined.slice(400));
		// If it only repeated that page, the trigger would never continue.
		endTimeAfter(1);
		await expect(poller.poll()).rejects.toThrow('could not finish');
		sandbox.requests.clear();
		expect(ids(await poller.poll())).toEqual(joined.slice(0, 400));
		expect(sandbox.requests.all[0].query.page).toBe('10');
		expect(await poller.poll()).toEqual([]);
	});

	it('returns the members it has read, and the next ones return the others', async () => {
		const poller = await started({ options: { includeDetails: true } });
		const joined = join(120);
		endTimeAfter(20, DETAILS);
		const first = ids(await poller.poll());
		expect(first.length).toBeGreaterThanOrEqual(20);
		joined.push(...join(60));
		endTimeAfter(1);
		expect(await poller.poll()).toEqual([]);
		sandbox.faults.clear();
		const others = [...ids(await poller.poll()), ...ids(await poller.poll())];
		expect([...first, ...others].sort()).toEqual(joined);
	});

	it('for changes has advice, because the next one starts with the first member again', async () => {
		const poller = await started({ triggerOn: 'memberChanged' });
		endTimeAfter(2);
		await expect(poller.poll()).rejects.toMatchObject({
			description: expect.stringMatching(
				/^Each poll has to read all .* Compare Datasets/,
			) as string,
		});
	});

	it('does not fail if it read pages without new members', async () => {
		const poller = await started();
		join(130);
		expect(await poller.poll()).toHaveLength(130);
		endTimeAfter(2);
		expect(await poller.poll()).toEqual([]);
	});
});
