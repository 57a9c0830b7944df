import fc from 'fast-check';
import { Faults } from '../../sandbox/faults.mts';
import { useBareSandbox } from '../support/community.mts';
import { call } from './support.mts';

const sandbox = useBareSandbox();

const createTag = (name: string) => call(sandbox, 'POST', '/api/v1/tags', { body: { name } });
const failing = { kind: 'status', status: 500 } as const;

it('a fault with `applied` carries the request out first', async () => {
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

it('a fault applies to every nth request after the skipped ones', () => {
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

it('each request is recorded as it was sent, with its outcome', async () => {
	await call(sandbox, 'GET', '/api/v1/tags/search', { query: { q: 'a b', page: 2 } });
	await createTag('one');
	await call(sandbox, 'GET', '/api/v1/users/1.%2Fx');
	const [first, second, third] = sandbox.requests.all;
	expect(first).toMatchObject({
		method: 'GET',
		path: '/api/v1/tags/search',
		url: '/api/v1/tags/search?q=a+b&page=2',
		query: { q: 'a b', page: '2' },
		body: undefined,
		status: 200,
		headers: { 'user-agent': 'tests' },
	});
	// Without the defaults that the check fills in.
	expect(second.body).toEqual({ name: 'one' });
	expect(third).toMatchObject({ url: '/api/v1/users/1.%2Fx', status: 400 });
	expect(sandbox.requests.statuses).toEqual({ 200: 2, 400: 1 });
	expect(sandbox.requests.matching('GET', '/api/v1/tags')).toEqual([first]);
});
