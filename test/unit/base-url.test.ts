import { addressKey, normalizeBaseUrl } from '../../nodes/shared/transport/baseUrl.ts';

const HOST = 'https://community.example.com';

it.each([
	[`${HOST}///`, HOST],
	[`\u200b ${HOST}\u2060\n`, HOST],
	[`${HOST}/API/V1/`, HOST],
	['community.example.com', HOST],
	[`${HOST}/?utm=1`, HOST],
	[`${HOST}/#top`, HOST],
	[`${HOST}/forum/api/v1`, `${HOST}/forum`],
	[`${HOST}/api/v1/users/me`, HOST],
	[`${HOST}/boards/900/posts/9100-first-post?sort=new`, HOST],
	[`${HOST}/forum/Users/42.a1b2c3`, `${HOST}/forum`],
	['https://posts.example.com/users/', 'https://posts.example.com/users'],
	['http://boards/club/members/api/v1/users/me', 'http://boards/club/members'],
	[`${HOST}/members`, `${HOST}/members`],
	[`${HOST}/postscript`, `${HOST}/postscript`],
	[`${HOST}/api/v2`, `${HOST}/api/v2`],
	['HTTP://127.0.0.1:4010/', 'HTTP://127.0.0.1:4010'],
	['http://[::1]:4010', 'http://[::1]:4010'],
	['http:/community.example.com', 'http://community.example.com'],
	['https:///community.example.com', HOST],
	['https//community.example.com', HOST],
	['//community.example.com', HOST],
	['https.example.com/a//b', 'https://https.example.com/a//b'],
])('%j means %j', (typed, address) => {
	expect(normalizeBaseUrl(typed)).toBe(address);
	expect(normalizeBaseUrl(address)).toBe(address);
});

it.each([
	...['ftp://community.example.com', 'https://', 'http://a b', 'https://ada:pass@example.com'],
	...['javascript:alert(1)', 'mailto:ada@example.com', '/api/v1', 'https://exam\nple.com'],
	...['https://example.com?pass\n/x', 'https://example.com#a\r\nb', 'https://example.com/a b?\n'],
])('%j is not an address of the API, and not repeated', (typed) => {
	expect(() => normalizeBaseUrl(typed)).toThrow(
		expect.objectContaining({
			message: "'Base URL' is not a web address",
			advice: expect.not.stringContaining('pass') as unknown,
		}),
	);
});

it.each(['', ' \ufeff', undefined, null, 5, {}])('%j is empty', (typed) => {
	expect(() => normalizeBaseUrl(typed)).toThrow("'Base URL' is empty");
});

it('has one key per community', () => {
	const keyOf = (typed: string) => addressKey(normalizeBaseUrl(typed));
	for (const same of ['Community.Example.com', `${HOST}:443`, 'http://community.example.com/']) {
		expect(keyOf(same)).toBe(keyOf(HOST));
	}
	for (const other of [`${HOST}:8443`, `${HOST}/Forum`, `${HOST}/forum`]) {
		expect([HOST, `${HOST}/fOrum`].map(keyOf)).not.toContain(keyOf(other));
	}
});
