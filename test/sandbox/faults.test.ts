import fc from 'fast-check';
import { Faults } from '../../sandbox/faults.mts';
import { useBareSandbox } from '../support/community.mts';
import { call } from './support.mts';

const sandbox = useBareSandbox();

const get = async (path: string) => (await call(sandbox, 'GET', `/api/v1${path}`)).status;
const roles = () => call(sandbox, 'GET', '/api/v1/roles');
const createTag = (name: string) => call(sandbox, 'POST', '/api/v1/tags', { body: { name } });
const failing = { kind: 'status', status: 500 } as const;

describe('in place of the answer', () => {
	it('comes a status in the error form, with Retry-After in seconds, as a date, or without', async () => {
		const busy = { kind: 'status', status: 503, times: 1 } as const;
		sandbox.faults.add({ ...busy, retryAfter: 2, message: 'slow down' });
		sandbox.faults.add({ ...busy, retryAfter: { dateInSeconds: 90 } });
		sandbox.faults.add({ kind: 'status', status: 502, body: { reason: 'gateway' } });
		const [seconds, date, without] = [await roles(), await roles(), await roles()];
		expect([seconds.status, seconds.headers['retry-after']]).toEqual([503, '2']);
		expect(seconds.data.message).toBe('ERR_V1503 | slow down');
		const ahead = Date.parse(date.headers['retry-after']) - Date.now();
		expect(ahead).toBeGreaterThan(60_000);
		expect(ahead).toBeLessThanOrEqual(90_000);
		expect([without.status, without.data]).toEqual([502, { reason: 'gateway' }]);
		expect(without.headers).not.toHaveProperty('retry-after');
	});

	it('comes a web page, or any text as JSON', async () => {
		sandbox.faults.add({ kind: 'html', status: 502, times: 1 });
		sandbox.faults.add({ kind: 'text', text: '{"cut":' });
		const [page, text] = [await roles(), await roles()];
		expect([page.status, page.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
		expect([text.status, text.headers['content-type'], text.data]).toEqual([
			...[200, 'application/json; charset=utf-8', '{"cut":'],
		]);
	});

	it('the request is carried out first where the fault says so', async () => {
		const before = sandbox.community.tags.size;
		sandbox.faults.add({ ...failing, times: 1 });
		sandbox.faults.add({ kind: 'cut', times: 1 });
		sandbox.faults.add({ kind: 'cut', times: 1, applied: true });
		expect((await createTag('one')).status).toBe(500);
		await expect(createTag('one')).rejects.toThrow(/hang up|ECONNRESET/);
		expect(sandbox.community.tags.size).toBe(before);
		await expect(createTag('one')).rejects.toThrow(/hang up|ECONNRESET/);
		expect(sandbox.community.tags.size).toBe(before + 1);
		expect((await createTag('one')).status).toBe(409);
		expect(sandbox.requests.statuses).toEqual({ 500: 1, cut: 2, 409: 1 });
		expect(sandbox.requests.all.map(({ carriedOut }) => carriedOut)).toEqual([
			...[false, false, true, false],
		]);
	});
});

it('an answer comes after the delay of a fault, and after the one that all have', async () => {
	sandbox.faults.add({ kind: 'slow', delayMs: 120, times: 1 });
	sandbox.settings.delayMs = 30;
	await Promise.all([roles(), roles()]);
	const times = sandbox.requests.all.map(({ startedAt, endedAt }) => endedAt! - startedAt);
	expect(times[0]).toBeGreaterThanOrEqual(149);
	expect(times[1]).toBeGreaterThanOrEqual(29);
	expect(sandbox.faults.list()).toMatchObject([{ seen: 2, hits: 1 }]);
});

describe('the requests that a fault applies to', () => {
	it('those of a method and a path, or whose path matches a pattern', async () => {
		sandbox.faults.add({ ...failing, method: 'GET', path: '/api/v1/boards/1' });
		sandbox.faults.add({ ...failing, status: 418, pattern: /roles|tags$/g });
		expect([await get('/boards/1'), await get('/boards/2'), await get('/tags')]).toEqual([
			...[500, 200, 418],
		]);
	});

	it('every nth of them after those that it lets pass', () => {
		const whole = (max: number) => fc.integer({ min: 1, max });
		fc.assert(
			fc.property(whole(5), fc.nat(4), fc.nat(6), whole(40), (every, after, times, requests) => {
				const faults = new Faults();
				faults.add({ kind: 'cut', every, after, times });
				const hit = Array.from({ length: requests }, (_, index) => index).filter(
					() => faults.match('GET', '/').answer !== undefined,
				);
				const due = Array.from({ length: times }, (_, index) => after + (index + 1) * every - 1);
				expect(hit).toEqual(due.filter((index) => index < requests));
			}),
		);
	});
});

it('each request is recorded as it was sent, with its outcome', async () => {
	await call(sandbox, 'GET', '/api/v1/tags/search', { query: { q: 'a b', page: 2 } });
	await createTag('one');
	await call(sandbox, 'GET', '/api/v1/users/1.%2Fx');
	const [first, second, third] = sandbox.requests.all;
	expect(first).toMatchObject({
		...{ method: 'GET', path: '/api/v1/tags/search', url: '/api/v1/tags/search?q=a+b&page=2' },
		...{ query: { q: 'a b', page: '2' }, body: undefined, status: 200 },
		headers: { 'user-agent': 'tests' },
	});
	// Without the defaults that the check fills in.
	expect(second.body).toEqual({ name: 'one' });
	expect(third).toMatchObject({ url: '/api/v1/users/1.%2Fx', status: 400 });
	expect(sandbox.requests.statuses).toEqual({ 200: 2, 400: 1 });
	expect(sandbox.requests.matching('GET', '/api/v1/tags')).toEqual([first]);
});
