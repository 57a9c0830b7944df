import fc from 'fast-check';
import { batchingOf, toHttpSettings } from '../../nodes/shared/transport/httpSettings.ts';
import { proxyByN8n } from '../support/proxies.mts';

const hosts = fc.oneof(fc.domain(), fc.ipV4());
const logins = fc.constantFrom('', 'ada:pass@', 'a.d~a:p%40s+s@');

it('parses a proxy like n8n', () => {
	const proxies = fc.tuple(
		fc.constantFrom('http', 'https', 'HTTP'),
		logins,
		hosts,
		fc.integer({ min: 1, max: 65_535 }),
		fc.constantFrom('', '/', '/path?query', '#x'),
	);
	fc.assert(
		fc.property(proxies, ([scheme, login, host, port, path]) => {
			const proxy = ` ${scheme}://${login}${host}:${port}${path}`;
			const { auth, ...address } = toHttpSettings({ proxy }).proxy ?? {};
			const byN8n = proxyByN8n(proxy);
			expect({ ...address, auth }).toMatchObject({ ...byN8n, auth: byN8n?.auth ?? undefined });
		}),
		{ examples: [[['http', 'user:pass@', 'host', 3128, '']]] },
	);
});

it.each([
	[
		'http://user:pa:s%40s@gate:3128',
		{ port: 3128, auth: { username: 'user', password: 'pa:s@s' } },
	],
	['http://us%3Aer:pass@gate', { port: 80, auth: { username: 'us:er', password: 'pass' } }],
	['http://user:100%@gate', { port: 80, auth: { username: 'user', password: '100%' } }],
	['https://gate', { protocol: 'https', port: 443 }],
])('reads the proxy %s', (proxy, expected) => {
	expect(toHttpSettings({ proxy }).proxy).toMatchObject({ host: 'gate', ...expected });
});

it.each([
	...['gate:3128', 'http://:3129', 'gate', '=abc', 'socks5://gate:1080', 5],
	...['', null, undefined],
	...['tcp://gate:3128', 'socks://gate:1', 'pac+http://gate:1', 'ftp://gate:21', 'httpx://gate:1'],
])('refuses %j as a proxy without repeating it', (proxy) => {
	const advice = proxy ? expect.not.stringContaining(String(proxy)) : expect.any(String);
	expect(() => toHttpSettings({ proxy })).toThrow(
		expect.objectContaining({ message: "'Proxy' is not the address of a proxy", advice }),
	);
});

it.each(['abc', -5, '1e99', 2_147_483_648])('refuses %j as a time-out', (timeout) => {
	expect(() => toHttpSettings({ timeout })).toThrow("'Timeout' is not a number of milliseconds");
});

it.each([
	[undefined, {}],
	[{ timeout: 0, allowUnauthorizedCerts: false }, {}],
	[{ timeout: '80' }, { timeout: 80 }],
	[{ allowUnauthorizedCerts: true }, { skipSslCertificateValidation: true }],
])('converts %j like n8n', (requestOptions, settings) => {
	expect(toHttpSettings(requestOptions)).toEqual(settings);
});

it("a node's proxy requires a valid certificate, because it could read the key", () => {
	const proxy = 'http://gate:3128';
	expect(toHttpSettings({ proxy, allowUnauthorizedCerts: true })).toEqual(
		toHttpSettings({ proxy }),
	);
});

it.each(['false', '0', 'no', '', [], {}, null])('%j does not ignore SSL issues', (value) => {
	expect(toHttpSettings({ allowUnauthorizedCerts: value })).toEqual({});
});

it.each([
	[{}, 1, 0],
	[{ batchSize: '2.5', batchInterval: '600' }, 2, 600],
	[{ batchSize: -1, batchInterval: -1 }, 1, 0],
])('reads the batching of %j', (batch, size, intervalMs) => {
	expect(batchingOf({ batching: { batch } })).toEqual({ size, intervalMs });
});
