import { call } from './support.mts';
import { usePage } from './visitor.mts';

const { sandbox, ask, browse } = usePage();

describe('The page', () => {
	it("is at the community's own address, with everything it loads", async () => {
		const { status, headers, data } = await browse();
		expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
		const paths = [...data.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path);
		const seen = new Map<string, string>();
		for (const path of paths) {
			if (seen.has(path)) continue;
			const file = await browse(path);
			expect([path, file.status]).toEqual([path, 200]);
			seen.set(path.split('.').pop()!, String(file.headers['content-type']));
			for (const [, name] of String(file.data).matchAll(/ from '\.\/([^']*)'/g)) {
				paths.push(`/_sandbox/page/${name}`);
			}
		}
		expect(Object.fromEntries(seen)).toEqual({
			svg: 'image/svg+xml',
			css: 'text/css; charset=utf-8',
			mjs: 'text/javascript; charset=utf-8',
		});
		expect(paths).toContain('/_sandbox/page/tables.mjs');
	});

	it('runs no script and loads nothing but its own', async () => {
		for (const path of ['/', '/_sandbox/page/main.mjs']) {
			const { headers } = await browse(path);
			expect(headers).toMatchObject({
				'x-content-type-options': 'nosniff',
				'cache-control': 'no-store',
			});
			const policy = headers['content-security-policy'].split('; ');
			expect(policy).toEqual(
				expect.arrayContaining([
					"default-src 'none'",
					"script-src 'self'",
					"form-action 'none'",
					"frame-ancestors 'none'",
				]),
			);
			expect(policy.join()).not.toMatch(/unsafe|data:|\*|http/);
		}
		expect((await browse()).data).not.toMatch(
			/<script(?![^>]* src=)|<style|\bon\w+=|\bstyle=|:\/\/(?!localhost)/,
		);
	});

	it('is neither recorded nor limited, and has no faults', async () => {
		sandbox.rateLimit.set({ perSecond: 0.001, burst: 1 });
		sandbox.faults.add({ kind: 'status', status: 503 });
		const answers = [
			await browse(),
			await browse('/?x=1'),
			await browse('/_sandbox/page/style.css'),
		];
		answers.push(await ask('GET', '/_sandbox/view'));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect(sandbox.requests.total).toBe(0);
		expect(sandbox.faults.list()).toMatchObject([{ seen: 0 }]);
		sandbox.faults.clear();
		expect((await call(sandbox, 'GET', '/api/v1/roles')).status).toBe(200);
	});

	it('is for browsers: to the API there is still nothing at its address', async () => {
		for (const [method, accept] of [
			['GET', 'application/json'],
			['POST', 'text/html'],
		]) {
			const { status, data } = await call(sandbox, method, '/', { headers: { accept } });
			expect([status, data.status]).toEqual([404, 'NOT_FOUND']);
		}
		expect((await ask('GET', '/')).status).toBe(403);
		expect(sandbox.requests.statuses).toEqual({ 404: 2, 403: 1 });
	});

	it.each(['tsconfig.json', '..%2Fserver.mts', '../page.mts', 'constructor', '__proto__'])(
		'gives out no other file: %s',
		async (name) => {
			expect((await browse(`/_sandbox/page/${name}`)).status).toBe(404);
		},
	);
});
