import { useBareSandbox } from '../support/community.mts';
import { call, startReceiver } from './support.mts';

const sandbox = useBareSandbox({ emptyAnswers: true });

/** Calls a development endpoint, which needs no key and no User-Agent. */
async function dev(method: string, path: string, body?: unknown, status = 200) {
	const headers = { authorization: null, 'user-agent': null };
	const answer = await call(sandbox, method, `/_sandbox${path}`, { body, headers });
	expect(answer.status).toBe(status);
	return answer.data;
}
const roles = async () => (await call(sandbox, 'GET', '/api/v1/roles')).status;

it('shows and forgets requests, and does not count itself', async () => {
	await roles();
	await call(sandbox, 'GET', '/api/v1/boards');
	expect(await dev('GET', '/requests?method=GET&path=/api/v1/bo')).toMatchObject({
		...{ total: 2, inFlight: 0, maxInFlight: 1, statuses: { 200: 2 } },
		requests: [{ path: '/api/v1/boards', status: 200 }],
	});
	await dev('DELETE', '/requests');
	expect(await dev('GET', '/requests')).toMatchObject({ total: 0, requests: [] });
});

it('sets and lifts faults, the rate limit and settings', async () => {
	await dev('POST', '/faults', { kind: 'status', status: 418, pattern: '/roles$' });
	expect(await roles()).toBe(418);
	await dev('DELETE', '/faults');
	await dev('POST', '/faults', { kind: 'call' }, 400);
	await dev('PUT', '/rate-limit', { perSecond: 0.001, burst: 1 });
	expect([await roles(), await roles()]).toEqual([200, 429]);
	await dev('PUT', '/rate-limit', null);
	await dev('PATCH', '/settings', { apiKey: 'other', delayMs: 1 });
	expect(sandbox.settings).toEqual({ apiKey: 'other', delayMs: 1, emptyAnswers: true });
	expect(await roles()).toBe(403);
});

it('lets members join, with a name and an e-mail or without, and leave', async () => {
	const receiver = await startReceiver();
	await dev('PUT', '/webhooks', [{ url: receiver.url, secret: 'x' }]);
	const joined = await dev('POST', '/members', { first_name: 'Ida', email: 'ida@x.example' });
	const waiting = await dev('POST', '/members', { user_status: 4 });
	await sandbox.webhooks.settled();
	await receiver.close();
	expect(joined).toMatchObject({ first_name: 'Ida', email: 'ida@x.example', user_status: 10 });
	expect(waiting).toMatchObject({ user_status: 4, last_name: expect.stringMatching(/./) });
	expect(receiver.received.map(({ body }) => (body as { event: string }).event)).toEqual([
		...['member.joined', 'member.joined_waitlist'],
	]);
	await dev('DELETE', `/members/${joined.msid}`);
	const users = await dev('GET', '/state/users');
	expect(users.map(({ msid }: { msid: string }) => msid)).not.toContain(joined.msid);
	await dev('GET', '/state/options', undefined, 404);
});
