import type { IExecutePaginationFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Api } from '../../nodes/shared/transport/open';
import { call, Stopped } from '../../nodes/shared/transport/call';
import { openApi } from '../../nodes/shared/transport/open';
import type { Permit, Ticket } from '../../nodes/shared/limiter/limiter';
import type { ApiRequest } from '../../nodes/shared/transport/request';
import { kindOf } from '../../nodes/shared/transport/request';
import { DEFAULT_SETTINGS } from '../../nodes/shared/transport/settings';
import { Stop } from '../../nodes/shared/limiter/stop';

const request: ApiRequest = {
	method: 'GET',
	repeat: 'safe',
	path: '/boards/7/members',
	expects: 'acknowledgement',
};

/**
 * n8n's functions, as far as a call asks for them; what is sent is counted.
 *
 * @param work what an answer waits for
 */
function context(
	sent: unknown[],
	work = async () => {},
	sourceSystem = 'n8n',
): IExecutePaginationFunctions {
	return {
		getCredentials: async () => ({ baseUrl: 'https://community.example.com', sourceSystem }),
		logger: { info: () => {} },
		helpers: {
			httpRequestWithAuthentication: async (...given: unknown[]) => {
				sent.push(given);
				await work();
				return { statusCode: 200, headers: {}, body: {} };
			},
		},
	} as unknown as IExecutePaginationFunctions;
}

describe('a request that is cancelled once it has a permit', () => {
	it.each(['withdrawn', 'stopped'])('gives it back unused (%s)', async (how) => {
		const sent: unknown[] = [];
		const withdrawn = new Stop();
		const run = new Stop();
		const functions = context(sent);
		const api: Api = await openApi(functions, DEFAULT_SETTINGS, run);
		const feedbacks: string[] = [];
		const tickets: Ticket[] = [];
		const permit: Permit = { release: (feedback) => feedbacks.push(feedback) };
		jest.spyOn(api.state.limiter, 'acquire').mockImplementation(async (ticket) => {
			tickets.push(ticket);
			(how === 'withdrawn' ? withdrawn : run).stop();
			return permit;
		});
		await expect(call(functions, api, request, {}, withdrawn)).rejects.toThrow(Stopped);
		jest.mocked(api.state.limiter.acquire).mockRestore();
		expect([sent, feedbacks]).toEqual([[], ['unused']]);
		const { maxRequestsAtOnce: max } = DEFAULT_SETTINGS;
		const kind = 'GET /boards/{}/members';
		expect(tickets).toEqual([{ run, max, withdrawn, kind, isRepeat: false }]);
	});
});

it('a request that waits for a permit and is withdrawn waits no longer, and is not sent', async () => {
	const sent: unknown[] = [];
	const withdrawn = new Stop();
	const functions = context(sent);
	const api = await openApi(functions, { ...DEFAULT_SETTINGS, maxRequestsAtOnce: 1 });
	const permit = await api.state.limiter.acquire({ run: api.stop, max: 1, kind: 'any' });
	const calling = call(functions, api, request, {}, withdrawn);
	withdrawn.stop();
	await expect(calling).rejects.toThrow(Stopped);
	permit?.release('unknown');
	expect(sent).toEqual([]);
	expect(api.stop.listenerCount).toBe(0);
});

describe('a run of many requests', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	/** How many are in flight on average in the second half of a run of 600. */
	async function inFlightAtLast(workers: number): Promise<number> {
		const turns = Array.from({ length: workers }, async () => {});
		const inFlight: number[] = [];
		let now = 0;
		const functions = context(
			[],
			async () => {
				inFlight.push(++now);
				// Whichever is free first, in turn.
				const mine = inFlight.length % workers;
				turns[mine] = turns[mine].then(async () => await sleep(50));
				await turns[mine];
				now--;
			},
			`${workers} workers`,
		);
		const api = await openApi(functions, DEFAULT_SETTINGS);
		const calls = Array.from({ length: 600 }, async () => await call(functions, api, request));
		await jest.advanceTimersByTimeAsync(60_000);
		await Promise.all(calls);
		const last = inFlight.slice(300, 550);
		return last.reduce((sum, each) => sum + each) / last.length;
	}

	it('has as many in flight as it may where that makes no difference to the API', async () => {
		expect(await inFlightAtLast(600)).toBeCloseTo(DEFAULT_SETTINGS.maxRequestsAtOnce);
	});

	it('has about twice as many in flight as the API works on at once', async () => {
		const average = await inFlightAtLast(4);
		expect(average).toBeGreaterThan(4);
		expect(average).toBeLessThan(9);
	});
});

it.each([
	['GET', '/users', 'GET /users'],
	['PATCH', '/users/42.a1b2c3', 'PATCH /users/{}'],
	['PUT', '/boards/7', 'PUT /boards/{}'],
	['POST', '/boards/7/members', 'POST /boards/{}/members'],
	['GET', '/tags/search', 'GET /tags/search'],
] as const)('requests of one kind differ in the record only: %s %s', (method, path, kind) => {
	expect(kindOf({ method, path })).toBe(kind);
});
