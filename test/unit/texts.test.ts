import { quoted, shortened } from '../../nodes/shared/failure.ts';
import { redacted } from '../../nodes/shared/transport/redact.ts';
import { trimmed } from '../../nodes/shared/text.ts';

describe('hiding secrets in a text', () => {
	const secrets = ['n8n:key+of/a b', 'key+of/a b', 'short'];

	it.each([
		['you sent key+of/a b', 'you sent [hidden]'],
		['?k=key%2Bof%2Fa%20b&x', '?k=[hidden]&x'],
		['?k=key%2bof%2fa%20b', '?k=[hidden]'],
		['n8n:key+of/a b', '[hidden]'],
		['key+of/a b, n8n:key+of/a b', '[hidden], [hidden]'],
		['too short', 'too short'],
		['monkey+of/a bee', 'mon[hidden]ee'],
	])('%s', (text, expected) => {
		expect(redacted(text, secrets)).toBe(expected);
	});

	const SPELLINGS: Array<(text: string) => string> = [
		(text) => JSON.stringify(text),
		(text) => encodeURIComponent(text),
		(text) => String(new URLSearchParams([['', text]])),
		(text) => Buffer.from(text).toString('base64'),
		(text) => Buffer.from(text).toString('base64url'),
		(text) => Buffer.from(text).toString('hex'),
	];

	it.each(SPELLINGS)('finds a secret in the spelling of %s', (spelled) => {
		for (const secret of ['a b/c&d<e>"f', "k%41y='é'+1", 'plain-keys', 'key~~~???']) {
			const told = redacted(`Größe: ${spelled(secret)} (refused)`, [`n8n:${secret}`, secret]);
			expect(told).toMatch(/^Größe: ["=]*\[hidden\]["=]* \(refused\)$/);
		}
	});

	it('accepts a secret of any length', () => {
		const secret = 'x'.repeat(20_000);
		const told = redacted(`the key ${secret}`, [`n8n:${secret}`, secret]);
		expect(told).toBe('the key [hidden]');
	});

	it('leaves a text without a secret unchanged', () => {
		expect(redacted('abc undefined', ['', 'abc'])).toBe('abc undefined');
	});
});

it.each([
	['\u200b\ufeff key\u00ad of \u2060\u200e\n', 'key\u00ad of'],
	['x', 'x'],
	['\u061cx\u180e', 'x'],
	['കൺ', 'കൺ'],
	['ക\u0d4d\u200d ', 'ക\u0d4d\u200d'],
	['\u200dx 😀\u200d', 'x 😀'],
	[' \u200b ', ''],
	[7, '7'],
	[null, ''],
	[undefined, ''],
	[{}, ''],
])('removes invisible characters from the ends of %j', (text, expected) => {
	expect(trimmed(text)).toBe(expected);
});

it.each([
	['x'.repeat(60), 'x'.repeat(60)],
	['x'.repeat(61), `${'x'.repeat(60)}…`],
	['😀'.repeat(61), `${'😀'.repeat(60)}…`],
	['', ''],
])('shortens %s', (text, expected) => {
	expect(shortened(text)).toBe(expected);
	expect(quoted(` ${text} `)).toBe(`'${expected}'`);
});
