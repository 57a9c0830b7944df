import { useBareSandbox } from '../support/community.mts';
import { call, startReceiver } from './support.mts';

const sandbox = useBareSandbox({
	emptyAnswers: true,
	rateLimit: { perSecond: 1e6, burst: 1e6 },
});

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
		total: 2,
		inFlight: 0,
		maxInFlight: 1,
		statuses: { 200: 2 },
		requests: [{ path: '/api/v1/boards', status: 200 }],
	});
	await dev('DELETE', '/requests');
	expect(await dev('GET', '/requests')).toMatchObject({ total: 0, requests: [] });
});

it('arms and clears faults', async () => {
	const { id } = await dev('POST', '/faults', {
		kind: 'status',
		status: 418,
		pattern: '/roles$',
		times: 2,
	});
	expect(await roles()).toBe(418);
	expect(await dev('GET', '/faults')).toMatchObject([{ id, hits: 1 }]);
	await dev('DELETE', `/faults/${id}`);
	expect(await roles()).toBe(200);
	await dev('POST', '/faults', { kind: 'html', status: 502 });
	await dev('DELETE', '/faults');
	expect(await roles()).toBe(200);
	await dev('POST', '/faults', { kind: 'nonsense' }, 400);
	await dev('POST', '/faults', { kind: 'call' }, 400);
});

it('limits the rate and changes settings', async () => {
	await dev('PUT', '/rate-limit', { perSecond: 0.001, burst: 1 });
	expect([await roles(), await roles()]).toEqual([200, 429]);
	await dev('PUT', '/rate-limit', null);
	expect(await roles()).toBe(200);
	expect(await dev('PATCH', '/settings', { apiKey: 'other', delayMs: 1 })).toEqual({
		apiKey: 'other',
		delayMs: 1,
		emptyAnswers: true,
	});
	expect(await roles()).toBe(403);
});

it('configures webhooks, makes members join, and repeats deliveries', async () => {
	const receiver = await startReceiver();
	await dev('PUT', '/webhooks', [{ url: receiver.url, secret: 'x' }]);
	await dev('PUT', '/webhooks', [{ url: 'http://10.0.0.1/' }], 400);
	const joined = await dev('POST', '/members', {
		first_name: 'Ida',
		created_at: '2025-01-01T00:00:00Z',
	});
	const waiting = await dev('POST', '/members', { user_status: 4 });
	expect([joined.user_status, waiting.user_status]).toEqual([10, 4]);
	await dev('POST', `/members/${waiting.msid}/admit`);
	await sandbox.webhooks.settled();
	expect(await dev('POST', '/deliveries/1/repeat', { times: 2 })).toHaveLength(2);
	await dev('POST', '/deliveries', { event: 'tag.created', entities: { tag: [{}] } });
	await dev('POST', '/deliveries/99/repeat', undefined, 404);
	await receiver.close();
	const deliveries = await dev('GET', '/deliveries');
	const events = deliveries.map((each: { payload: { event: string } }) => each.payload.event);
	expect(events).toEqual([
		...['member.joined', 'member.joined_waitlist', 'member.joined'],
		...['member.joined', 'member.joined', 'tag.created'],
	]);
	expect(deliveries.every((each: { status: number }) => each.status === 200)).toBe(true);
	expect(receiver.received).toHaveLength(6);
	expect(await dev('GET', `/members/${waiting.msid}`)).toMatchObject({
		user_status: 10,
		last_name: null,
	});
});

it('reads, changes and removes members', async () => {
	const { msid } = sandbox.community.user(120);
	await dev('PATCH', `/members/${msid}`, { post_count: 77 });
	expect(await dev('GET', '/members/120')).toMatchObject({ msid, post_count: 77 });
	await dev('DELETE', `/members/${msid}`);
	await dev('GET', `/members/${msid}`, undefined, 404);
});

it('shows the state and puts everything back', async () => {
	const before = await dev('GET', '/state');
	expect(before).toMatchObject({ users: 430, boards: 130, tags: 160, posts: 120, roles: 7 });
	expect(Object.keys(before.usersByStatus).sort()).toEqual(['-3', '0', '10', '4', '5', '6']);
	await dev('POST', '/members');
	await dev('PATCH', '/settings', { delayMs: 5, emptyAnswers: false });
	await dev('PUT', '/rate-limit', { perSecond: 1, burst: 0 });
	await dev('POST', '/faults', { kind: 'cut' });
	expect(await dev('GET', '/state')).toMatchObject({ users: 431 });
	expect(await dev('POST', '/reset')).toEqual(before);
	expect(sandbox.settings).toEqual({ apiKey: 'sandbox-key', delayMs: 0, emptyAnswers: true });
	expect(sandbox.rateLimit.settings).toEqual({ perSecond: 1e6, burst: 1e6 });
	expect(await roles()).toBe(200);
	expect(await dev('GET', '/state/roles')).toHaveLength(7);
	await dev('GET', '/state/options', undefined, 404);
	await dev('GET', '/nothing', undefined, 404);
});
