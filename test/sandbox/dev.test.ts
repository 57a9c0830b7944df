import { useBareSandbox } from '../support/community.mts';
import { call } from './support.mts';

const sandbox = useBareSandbox({ emptyAnswers: true });

/** Calls a development endpoint, which needs no key and no User-Agent. */
async function dev(method: string, path: string, body?: unknown, status = 200) {
	const headers = { authorization: null, 'user-agent': null };
	const answer = await call(sandbox, method, `/_sandbox${path}`, { body, headers });
	expect(answer.status).toBe(status);
	return answer.data;
}
const roles = async () => (await call(sandbox, 'GET', '/api/v1/roles')).status;

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
