import type { IExecutePaginationFunctions } from 'n8n-workflow';
import type { Api } from '../../nodes/shared/transport/open';
import { call, Stopped } from '../../nodes/shared/transport/call';
import { openApi } from '../../nodes/shared/transport/open';
import type { Permit, Ticket } from '../../nodes/shared/limiter/limiter';
import type { ApiRequest } from '../../nodes/shared/transport/request';
import { DEFAULT_SETTINGS } from '../../nodes/shared/transport/settings';
import { Stop } from '../../nodes/shared/limiter/cancel';

const request: ApiRequest = {
	method: 'GET',
	repeat: 'safe',
	path: '/boards/7/members',
	expects: 'acknowledgement',
};

/**
 * n8n's functions, as far as a call asks for them; what is sent is counted.
 */
function context(sent: unknown[]): IExecutePaginationFunctions {
	return {
		getCredentials: async () => ({ baseUrl: 'https://community.example.com', sourceSystem: 'n8n' }),
		logger: { info: () => {} },
		helpers: {
			httpRequestWithAuthentication: async (...given: unknown[]) => {
				sent.push(given);
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
		expect(tickets).toEqual([{ run, max, withdrawn, isRetry: false }]);
	});
});

it('a request that waits for a permit and is withdrawn waits no longer, and is not sent', async () => {
	const sent: unknown[] = [];
	const withdrawn = new Stop();
	const functions = context(sent);
	const api = await openApi(functions, { ...DEFAULT_SETTINGS, maxRequestsAtOnce: 1 });
	const permit = await api.state.limiter.acquire({ run: api.stop, max: 1 });
	const calling = call(functions, api, request, {}, withdrawn);
	withdrawn.stop();
	await expect(calling).rejects.toThrow(Stopped);
	permit?.release('unknown');
	expect(sent).toEqual([]);
	expect(api.stop.listenerCount).toBe(0);
});
