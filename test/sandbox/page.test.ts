import { useBareSandbox } from '../support/community.mts';
import { call, type CallOptions } from './support.mts';

const sandbox = useBareSandbox();

/** Asks as a browser does: without a key. */
async function ask(method: string, path: string, { headers, ...options }: CallOptions = {}) {
	const without = { authorization: null, 'user-agent': null, ...headers };
	return await call(sandbox, method, path, { ...options, headers: without });
}
const browse = (path = '/') => ask('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } });

describe('the page', () => {
	it("is at the community's own address, with everything it loads, and runs no other script", async () => {
		const { status, data } = await browse();
		expect(status).toBe(200);
		expect(data).not.toMatch(/<script(?![^>]* src=)|<style|\bon\w+=|\bstyle=|:\/\/(?!localhost)/);
		const paths = [...data.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path);
		for (const path of paths) {
			const file = await browse(path);
			expect([path, file.status]).toEqual([path, 200]);
			const policy = String(file.headers['content-security-policy']);
			expect(policy).toContain("default-src 'none'; script-src 'self'");
			expect(policy).not.toMatch(/unsafe|data:|\*|http/);
			for (const [, name] of String(file.data).matchAll(/ from '\.\/([^']*)'/g)) {
				if (!paths.includes(`/_sandbox/page/${name}`)) paths.push(`/_sandbox/page/${name}`);
			}
		}
		expect(paths).toContain('/_sandbox/page/show.mjs');
		for (const name of ['tsconfig.json', '..%2Fserver.mts', 'constructor']) {
			expect((await browse(`/_sandbox/page/${name}`)).status).toBe(404);
		}
	});

	it('is neither recorded nor limited, has no faults, and is for browsers only', async () => {
		sandbox.rateLimit.set({ perSecond: 0.001, burst: 0 });
		sandbox.faults.add({ kind: 'status', status: 503 });
		expect([(await browse()).status, (await ask('GET', '/_sandbox/view')).status]).toEqual([
			...[200, 200],
		]);
		expect(sandbox.requests.total).toBe(0);
		sandbox.reset();
		expect((await ask('GET', '/')).status).toBe(403);
	});

	it.each<[string, Record<string, string>]>([
		['a page of another site', { 'sec-fetch-site': 'cross-site' }],
		['a page at another port', { origin: 'http://127.0.0.1:1' }],
		['a name that leads to this machine', { host: 'elsewhere.example' }],
	])('gives %s nothing to change', async (_whose, headers) => {
		for (const [method, path] of [
			['POST', '/members'],
			['POST', '/start-over'],
			['PUT', '/webhooks'],
			['PATCH', '/settings'],
			['DELETE', '/faults'],
		]) {
			const { status } = await ask(method, `/_sandbox${path}`, { body: {}, headers });
			expect([path, status]).toEqual([path, 403]);
		}
		if (headers.host) expect((await ask('GET', '/_sandbox/view', { headers })).status).toBe(403);
		const { origin } = new URL(sandbox.baseUrl);
		const own = { origin, 'sec-fetch-site': 'same-origin' };
		expect((await ask('POST', '/_sandbox/start-over', { headers: own })).status).toBe(200);
	});
});

it('starting over switches faults and limits off', async () => {
	sandbox.faults.add({ kind: 'status', status: 503 });
	sandbox.rateLimit.set({ perSecond: 0.001, burst: 0 });
	await ask('POST', '/_sandbox/start-over');
	expect((await call(sandbox, 'GET', '/api/v1/roles')).status).toBe(200);
});
