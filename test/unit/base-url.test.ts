import fc from 'fast-check';
import { apiStateFor } from '../../nodes/shared/transport/state.ts';
import {
	addressKey,
	BASE_URL_EXPRESSION,
	normalizeBaseUrl,
} from '../../nodes/shared/transport/baseUrl.ts';

const HOST = 'https://community.example.com';

it.each([
	[HOST, HOST],
	[`${HOST}/`, HOST],
	[`${HOST}///`, HOST],
	[`  ${HOST}\n`, HOST],
	[`${HOST}/api/v1`, HOST],
	[`${HOST}/api/v1/`, HOST],
	[`${HOST}/API/V1`, HOST],
	['community.example.com', HOST],
	[' community.example.com/api/v1/ ', HOST],
	[`${HOST}/?utm=1`, HOST],
	[`${HOST}/#top`, HOST],
	[`${HOST}/forum/`, `${HOST}/forum`],
	[`${HOST}/forum/api/v1`, `${HOST}/forum`],
	[`${HOST}/api/v2`, `${HOST}/api/v2`],
	['http://localhost:4010', 'http://localhost:4010'],
	['HTTP://127.0.0.1:4010/', 'HTTP://127.0.0.1:4010'],
	['http://[::1]:4010', 'http://[::1]:4010'],
	['http:/community.example.com', 'http://community.example.com'],
	['https:/community.example.com/forum', `${HOST}/forum`],
	['https:///community.example.com', HOST],
	['https//community.example.com', HOST],
	['//community.example.com', HOST],
	['https.example.com/a//b', 'https://https.example.com/a//b'],
	[`${HOST}//api/v1`, HOST],
])('%j means %j', (typed, address) => {
	expect(normalizeBaseUrl(typed)).toBe(address);
});

it.each([
	'ftp://community.example.com',
	'https://',
	'http://a b',
	'https://ada:pass@community.example.com',
	'javascript:alert(1)',
	'mailto:ada@example.com',
	'/api/v1',
])('%j is not an address of the API', (typed) => {
	expect(() => normalizeBaseUrl(typed)).toThrow('The base URL is not a web address');
});

it.each(['', '  ', undefined, null, 5, {}])('%j is empty', (typed) => {
	expect(() => normalizeBaseUrl(typed)).toThrow('The base URL is empty');
});

it.each([
	'Community.Example.com',
	'HTTPS://COMMUNITY.example.com/',
	'https://community.example.com:443',
	'community.example.com/api/v1',
	'http://community.example.com',
])('%j is the address of one community, and shares what is known of its API', (typed) => {
	const baseUrl = normalizeBaseUrl(typed);
	expect(addressKey(baseUrl)).toBe(addressKey(HOST));
	const caller = { sourceSystem: 'n8n', apiKey: 'k' };
	expect(apiStateFor({ baseUrl, ...caller })).toEqual(apiStateFor({ baseUrl: HOST, ...caller }));
});

it.each([`${HOST}:8443`, `${HOST}/Forum`, `${HOST}/forum`])('%j is another address', (typed) => {
	const others = [HOST, `${HOST}/fOrum`].map(addressKey);
	expect(others).not.toContain(addressKey(normalizeBaseUrl(typed)));
});

it('is the same however often it is read', () => {
	const hosts = fc.domain().map((domain) => `https://${domain}`);
	const ends = fc.constantFrom('', '/', '//', '/api/v1', '/api/v1/', '?a=1', '/#x', '  ');
	fc.assert(
		fc.property(hosts, ends, (host, end) => {
			const once = normalizeBaseUrl(`${host}${end}`);
			expect(once).toBe(host);
			expect(normalizeBaseUrl(once)).toBe(once);
		}),
	);
});

it('is told to the credential test by the same steps', () => {
	const steps = BASE_URL_EXPRESSION.match(/\.replace\(/g) ?? [];
	expect(steps).toHaveLength(6);
	expect(BASE_URL_EXPRESSION).toMatch(/^=\{\{ \$credentials\.baseUrl\.replace\(.*\) \}\}$/);
});
