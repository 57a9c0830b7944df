import { usePage } from './visitor.mts';

const { sandbox, ask, view } = usePage();

describe('What is set', () => {
	it('can be read', async () => {
		const get = async (path: string) => (await ask('GET', `/_sandbox${path}`)).data;
		expect([await get('/rate-limit'), await get('/webhooks')]).toEqual([null, []]);
		const limit = { perSecond: 3, burst: 4, retryAfterSeconds: 1 };
		const addresses = [{ url: 'http://127.0.0.1:1/', secret: 's', via: 'bearer' }];
		await ask('PUT', '/_sandbox/rate-limit', { body: limit });
		await ask('PUT', '/_sandbox/webhooks', { body: addresses });
		expect([await get('/rate-limit'), await get('/webhooks')]).toEqual([limit, addresses]);
		expect(await get('/settings')).toEqual(sandbox.settings);
		expect(await view()).toMatchObject({ rateLimit: limit, webhooks: addresses });
	});

	it.each([
		['localhost:5678/webhook/x', 'begin localhost:5678/webhook/x with http://'],
		['127.0.0.1:5678/webhook/x', 'begin 127.0.0.1:5678/webhook/x with http://'],
		['ftp://localhost/x', 'begin ftp://localhost/x with http://'],
		['http://hello', 'http://hello is not an address on this machine'],
		['http://', 'http:// is not an address on this machine'],
	])('has no webhook at %s, with the true reason', async (url, reason) => {
		const { status, data } = await ask('PUT', '/_sandbox/webhooks', { body: [{ url }] });
		expect([status, data.message.split(' | ')[1]]).toEqual([400, reason]);
		expect(sandbox.webhooks.addresses).toEqual([]);
	});

	const own = () => sandbox.baseUrl;
	it.each<[string, () => Record<string, string>]>([
		['a page of another site', () => ({ 'sec-fetch-site': 'cross-site' })],
		['a page at another port', () => ({ 'sec-fetch-site': 'same-site' })],
		['another origin', () => ({ origin: 'https://elsewhere.example' })],
		['another port in the origin', () => ({ origin: 'http://127.0.0.1:1' })],
		['another scheme in the origin', () => ({ origin: own().replace('http:', 'https:') })],
		['an origin that is kept secret', () => ({ origin: 'null' })],
		['a name that leads to this machine', () => ({ host: 'elsewhere.example' })],
		[
			'such a name, as its own page',
			() => ({
				host: 'elsewhere.example:80',
				origin: 'http://elsewhere.example:80',
				'sec-fetch-site': 'same-origin',
			}),
		],
	])('is not changed by %s', async (_whose, headersOf) => {
		const headers = headersOf();
		sandbox.faults.add({ kind: 'cut' });
		const { size } = sandbox.community.users;
		for (const [method, path, body] of [
			['POST', '/newcomers', {}],
			['POST', '/members', {}],
			['PUT', '/webhooks', [{ url: 'http://127.0.0.1:1/' }]],
			['PATCH', '/settings', { apiKey: 'theirs' }],
			['DELETE', '/faults', undefined],
			['POST', '/reset', undefined],
			['POST', '/start-over', undefined],
			['DELETE', '/boards/1', undefined],
		] as const) {
			const answer = await ask(method, `/_sandbox${path}`, { body, headers });
			expect([method, path, answer.status]).toEqual([method, path, 403]);
		}
		expect(sandbox.community.users.size).toBe(size);
		expect([sandbox.webhooks.addresses, sandbox.settings.apiKey]).toEqual([[], 'sandbox-key']);
		expect(sandbox.faults.list()).toHaveLength(1);
	});

	it('is not read under a name that leads to this machine', async () => {
		const headers = { host: 'elsewhere.example' };
		expect((await ask('GET', '/_sandbox/view', { headers })).status).toBe(403);
		expect((await ask('GET', '/_sandbox/settings', { headers })).status).toBe(403);
	});

	it('is changed by the page itself, under any name of this machine, and by what is no browser', async () => {
		const { port, origin } = new URL(own());
		const all: Array<Record<string, string>> = [
			{ origin, 'sec-fetch-site': 'same-origin' },
			{ origin: `http://localhost:${port}`, host: `localhost:${port}` },
			{},
		];
		for (const headers of all) {
			expect((await ask('POST', '/_sandbox/newcomers', { headers })).status).toBe(200);
		}
	});
});
