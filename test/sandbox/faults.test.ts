import { sleep } from 'n8n-workflow';

import { RateLimit } from '../../sandbox/rate-limit.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { useBareSandbox } from '../support/community.mts';
import { call } from './support.mts';

const sandbox = useBareSandbox();

const roles = () => call(sandbox, 'GET', '/api/v1/roles');
const createTag = (name: string) => call(sandbox, 'POST', '/api/v1/tags', { body: { name } });

describe('a status in place of the answer', () => {
	it('comes in the error form, with Retry-After in seconds', async () => {
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 2, message: 'slow down' });
		const answer = await roles();
		expect([answer.status, answer.headers['retry-after']]).toEqual([429, '2']);
		expect(answer.data).toMatchObject({
			status: 'TOO_MANY_REQUESTS',
			message: 'ERR_V1429 | slow down',
		});
	});

	it('comes with Retry-After as a date, or without', async () => {
		sandbox.faults.add({
			kind: 'status',
			status: 503,
			retryAfter: { dateInSeconds: 90 },
			times: 1,
		});
		sandbox.faults.add({ kind: 'status', status: 503 });
		const dated = await roles();
		const ahead = Date.parse(dated.headers['retry-after']) - Date.now();
		expect(ahead / 1000).toBeGreaterThan(85);
		expect(ahead / 1000).toBeLessThanOrEqual(90);
		expect((await roles()).headers).not.toHaveProperty('retry-after');
	});

	it('comes with any body, also for statuses that are not documented', async () => {
		sandbox.faults.add({ kind: 'status', status: 502, body: { reason: 'gateway' } });
		const answer = await roles();
		expect([answer.status, answer.data]).toEqual([502, { reason: 'gateway' }]);
	});

	it('leaves the record as it was, or not when applied', async () => {
		const before = sandbox.community.tags.size;
		sandbox.faults.add({ kind: 'status', status: 500, times: 1 });
		sandbox.faults.add({ kind: 'status', status: 504, times: 1, applied: true });
		expect((await createTag('one')).status).toBe(500);
		expect(sandbox.community.tags.size).toBe(before);
		expect((await createTag('one')).status).toBe(504);
		expect(sandbox.community.tags.size).toBe(before + 1);
		expect((await createTag('one')).status).toBe(409);
	});
});

describe('answers that are no JSON record', () => {
	it.each([200, 502])('a web page with status %i', async (status) => {
		sandbox.faults.add({ kind: 'html', status });
		const answer = await roles();
		expect([answer.status, answer.headers['content-type']]).toEqual([
			status,
			'text/html; charset=utf-8',
		]);
		expect(answer.data).toContain('<!doctype html>');
	});

	it.each(['"only text"', '', '{"cut":'])('the JSON body %j', async (text) => {
		sandbox.faults.add({ kind: 'text', text });
		const answer = await call(sandbox, 'GET', '/api/v1/users/me');
		expect([answer.status, answer.headers['content-type']]).toEqual([
			200,
			'application/json; charset=utf-8',
		]);
		expect([text, text === '"only text"' ? 'only text' : '']).toContain(answer.data);
	});
});

describe('a connection that ends', () => {
	it('before the request is carried out', async () => {
		const before = sandbox.community.tags.size;
		sandbox.faults.add({ kind: 'cut', times: 1 });
		await expect(createTag('one')).rejects.toThrow(/hang up|ECONNRESET/);
		expect(sandbox.community.tags.size).toBe(before);
		expect(sandbox.requests.all[0]).toMatchObject({ body: { name: 'one' }, status: null });
		expect(sandbox.requests.statuses).toEqual({ cut: 1 });
		expect((await createTag('one')).status).toBe(200);
	});

	it('after it was: who repeats a create then doubles the record', async () => {
		const before = sandbox.community.posts.size;
		const body = {
			board_id: 1,
			headline: 'Once?',
			content: 'x',
			authors: [sandbox.community.caller.msid],
		};
		sandbox.faults.add({ kind: 'cut', applied: true, times: 1, method: 'post' });
		await expect(call(sandbox, 'POST', '/api/v1/posts', { body })).rejects.toThrow();
		await call(sandbox, 'POST', '/api/v1/posts', { body });
		const doubled = [...sandbox.community.posts.values()].filter(
			({ headline }) => headline === 'Once?',
		);
		expect([sandbox.community.posts.size, doubled.length]).toEqual([before + 2, 2]);
	});

	it('never, and close() still ends it', async () => {
		const own = await startSandbox();
		own.faults.add({ kind: 'hang' });
		let settled = false;
		const hanging = call(own, 'GET', '/api/v1/roles').catch((reason) => {
			settled = true;
			return reason;
		});
		await sleep(150);
		const state = [settled, own.requests.inFlight];
		await own.close();
		expect(state).toEqual([false, 1]);
		expect((await hanging).message).toMatch(/hang up|ECONNRESET/);
	});
});

describe('a slow answer', () => {
	it('comes after the delay of the fault', async () => {
		sandbox.faults.add({ kind: 'slow', delayMs: 120, times: 1 });
		await roles();
		const [{ startedAt, endedAt }] = sandbox.requests.all;
		expect((endedAt ?? 0) - startedAt).toBeGreaterThanOrEqual(119);
		await roles();
		expect(sandbox.faults.list()).toMatchObject([{ seen: 2, hits: 1 }]);
	});

	it('comes after the delay that all answers have', async () => {
		sandbox.settings.delayMs = 60;
		await Promise.all([roles(), roles(), roles()]);
		for (const { startedAt, endedAt } of sandbox.requests.all) {
			expect((endedAt ?? 0) - startedAt).toBeGreaterThanOrEqual(59);
		}
		expect(sandbox.requests.maxInFlight).toBe(3);
	});
});

describe('the requests that a fault applies to', () => {
	const get = async (path: string) => (await call(sandbox, 'GET', `/api/v1${path}`)).status;
	const failing = { kind: 'status', status: 500 } as const;

	it('those of a method and a path', async () => {
		sandbox.faults.add({ ...failing, method: 'GET', path: '/api/v1/boards' });
		expect([await get('/boards/1'), await get('/roles')]).toEqual([500, 200]);
		expect((await createTag('one')).status).toBe(200);
	});

	it('those whose path matches a pattern, as often as asked', async () => {
		sandbox.faults.add({ ...failing, pattern: /boards\/\d+$/g });
		const statuses = [await get('/boards/1'), await get('/boards'), await get('/boards/2')];
		expect(statuses).toEqual([500, 200, 500]);
	});

	it('a number of them, after a number of others', async () => {
		const id = sandbox.faults.add({ ...failing, after: 1, times: 2 });
		const statuses = [];
		for (let count = 0; count < 5; count++) statuses.push(await get('/roles'));
		expect(statuses).toEqual([200, 500, 500, 200, 200]);
		expect(sandbox.faults.list()).toMatchObject([{ id, seen: 5, hits: 2 }]);
	});

	it('some of them, the same ones each time', async () => {
		const round = async () => {
			sandbox.faults.clear();
			sandbox.faults.add({ ...failing, probability: 0.3, seed: 7 });
			const statuses = [];
			for (let count = 0; count < 60; count++) statuses.push(await get('/roles'));
			return statuses;
		};
		const first = await round();
		const hits = first.filter((status) => status === 500).length;
		expect(hits).toBeGreaterThan(8);
		expect(hits).toBeLessThan(30);
		expect(await round()).toEqual(first);
	});

	it('one answer at a time: the second fault waits', async () => {
		sandbox.faults.add({ ...failing, times: 1 });
		sandbox.faults.add({ kind: 'status', status: 503, times: 1 });
		expect([await get('/roles'), await get('/roles'), await get('/roles')]).toEqual([
			500, 503, 200,
		]);
	});

	it('none after it was removed', async () => {
		const id = sandbox.faults.add(failing);
		expect(await get('/roles')).toBe(500);
		sandbox.faults.remove(id);
		expect(await get('/roles')).toBe(200);
	});

	it('a call in the same process runs before the request is handled', async () => {
		sandbox.faults.add({
			kind: 'call',
			run: (community) => void community.promote(120, 23),
			times: 1,
		});
		const answer = await call(sandbox, 'GET', '/api/v1/users/120');
		expect(answer.data.role_id).toBe(23);
	});
});

describe('the rate limit', () => {
	it('lets a burst through and refuses the rest', async () => {
		sandbox.rateLimit.set({ perSecond: 0.001, burst: 3, retryAfterSeconds: 1 });
		const answers = await Promise.all(Array.from({ length: 6 }, roles));
		const refused = answers.filter(({ status }) => status === 429);
		expect(refused).toHaveLength(3);
		expect(refused[0].headers['retry-after']).toBe('1');
		expect(sandbox.rateLimit.refused).toBe(3);
	});

	it('refills as time goes by, up to the burst', () => {
		let now = 1_000;
		const limit = new RateLimit(() => now);
		limit.set({ perSecond: 10, burst: 2 });
		const admitted = () => [limit.admits(), limit.admits(), limit.admits()];
		expect(admitted()).toEqual([true, true, false]);
		now += 110;
		expect(admitted()).toEqual([true, false, false]);
		now += 60_000;
		expect(admitted()).toEqual([true, true, false]);
		expect(limit.refused).toBe(4);
	});

	it('sends no Retry-After by default', async () => {
		sandbox.rateLimit.set({ perSecond: 0.001, burst: 1 });
		await roles();
		const answer = await roles();
		expect(answer.status).toBe(429);
		expect(answer.headers).not.toHaveProperty('retry-after');
		sandbox.rateLimit.set(null);
		expect((await roles()).status).toBe(200);
	});
});

describe('the record of requests', () => {
	it('holds each request and its outcome', async () => {
		const query = { q: 'a b', page: 2 };
		await call(sandbox, 'GET', '/api/v1/tags/search', { query });
		await createTag('one');
		await call(sandbox, 'GET', '/api/v1/users/1.%2Fx');
		const [first, second, third] = sandbox.requests.all;
		expect(first).toMatchObject({
			method: 'GET',
			path: '/api/v1/tags/search',
			query: { q: 'a b', page: '2' },
			url: '/api/v1/tags/search?q=a+b&page=2',
			headers: { 'user-agent': 'tests' },
			body: undefined,
			status: 200,
		});
		// Without the defaults that the check fills in.
		expect(second).toMatchObject({ method: 'POST', body: { name: 'one' } });
		expect(second.body).toEqual({ name: 'one' });
		expect(second.sequence).toBe(first.sequence + 1);
		expect(second.startedAt).toBeGreaterThanOrEqual(first.endedAt ?? Infinity);
		expect(third).toMatchObject({ url: '/api/v1/users/1.%2Fx', status: 400 });
		expect(sandbox.requests.statuses).toEqual({ 200: 2, 400: 1 });
		expect(sandbox.requests.matching('GET', '/api/v1/tags')).toEqual([first]);
		sandbox.requests.clear();
		expect([sandbox.requests.all, sandbox.requests.total]).toEqual([[], 0]);
	});

	it('empty answers are a setting', async () => {
		sandbox.settings.emptyAnswers = true;
		const { msid } = sandbox.community.user(120);
		const answer = await call(sandbox, 'PATCH', `/api/v1/users/${msid}`, {
			body: { action: 101, data: { role_id: 22 } },
		});
		expect([answer.status, answer.data]).toEqual([204, '']);
		expect(sandbox.community.user(120).role_id).toBe(22);
	});
});
