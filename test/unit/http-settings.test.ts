import fc from 'fast-check';
import { toHttpSettings } from '../../nodes/shared/transport/httpSettings.ts';
import { proxyByN8n } from '../support/proxies.mts';

const letters = (pattern: RegExp) => fc.stringMatching(pattern);
const hosts = fc.oneof(
	letters(/^[a-zA-Z][a-zA-Z\d-]{0,8}(\.[a-z]{2,4})?$/),
	fc.ipV4(),
	fc.ipV6().map((address) => `[${address}]`),
);
const logins = fc.oneof(
	letters(/^[\w.~!$&*+=-]{1,8}$/),
	letters(/^[\w.~!$&*+=-]{1,8}:[\w.~!$&*+=@-]{0,8}$/),
	letters(/^[a-z]{1,4}:(%[24-6][0-9A-F]|[a-z]){1,6}$/),
);
const proxies = fc
	.record({
		scheme: fc.constantFrom('http', 'https', 'HTTP', 'socks5'),
		login: fc.option(logins),
		host: hosts,
		port: fc.oneof(fc.constantFrom(80, 443, 3128), fc.integer({ min: 1, max: 65_535 })),
		path: fc.constantFrom('', '/', '/path?query', '#x'),
		space: fc.constantFrom('', ' '),
	})
	.map(
		({ scheme, login, host, port, path, space }) =>
			`${space}${scheme}://${login === null ? '' : `${login}@`}${host}:${port}${path}${space}`,
	);

it('takes a proxy apart as n8n does', () => {
	fc.assert(
		fc.property(proxies, (proxy) => {
			expect(toHttpSettings({ proxy }).proxy).toEqual(proxyByN8n(proxy));
		}),
		{ numRuns: 1000, examples: [['http://user:pass@host:3128']] },
	);
});

it.each([
	['user:pa:ss', 'user', 'pa:ss'],
	['user::', 'user', ':'],
	['user:pa%3Ass', 'user', 'pa:ss'],
	['us%3Aer:pass', 'us:er', 'pass'],
	['user:p@ss:', 'user', 'p@ss:'],
	['user:', 'user', ''],
	['user', 'user', undefined],
])('keeps the colons of a login: %s', (login, username, password) => {
	const { proxy } = toHttpSettings({ proxy: `http://${login}@gate:3128` });
	expect(proxy).toEqual({
		...{ protocol: 'http', host: 'gate', port: 3128 },
		auth: { username, password },
	});
});

it.each(['gate:3128', 'http://gate', 'http://:3129', 'gate', '=abc', 'http://%@a:1', 5])(
	'refuses %j as a proxy without repeating it',
	(proxy) => {
		expect(() => toHttpSettings({ proxy })).toThrow(
			expect.objectContaining({
				message: 'The proxy is not valid',
				advice: expect.not.stringContaining(String(proxy)),
			}),
		);
	},
);

it.each([
	[undefined, { timeout: 300_000 }],
	[null, { timeout: 300_000 }],
	[{}, { timeout: 300_000 }],
	[{ proxy: '', timeout: 0, allowUnauthorizedCerts: false }, { timeout: 300_000 }],
	[{ batching: { batch: { batchSize: 1 } }, timeout: 80 }, { timeout: 80 }],
	[{ allowUnauthorizedCerts: true }, { timeout: 300_000, skipSslCertificateValidation: true }],
])('makes of %j what n8n does', (requestOptions, settings) => {
	expect(toHttpSettings(requestOptions)).toEqual(settings);
});
