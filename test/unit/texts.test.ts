import { quoted, shortened } from '../../nodes/shared/transport/failure.ts';
import { redactor } from '../../nodes/shared/transport/redact.ts';
import { trimmed } from '../../nodes/shared/text.ts';

describe('hiding secrets in a text', () => {
	const redact = redactor(['n8n:key+of/a b', 'key+of/a b', 'short']);

	it.each([
		['you sent key+of/a b', 'you sent [hidden]'],
		['YOU SENT KEY+OF/A B', 'YOU SENT [hidden]'],
		['?k=key%2Bof%2fa%20b&x', '?k=[hidden]&x'],
		['?k=key%2bof/a+b', '?k=[hidden]'],
		['n8n:key+of/a b', '[hidden]'],
		['too short', 'too short'],
		['monkey+of/a bee', 'mon[hidden]ee'],
	])('%s', (text, expected) => {
		expect(redact(text)).toBe(expected);
	});

	it('leaves everything where there is no secret', () => {
		expect(redactor(['', 'abc'])('abc undefined')).toBe('abc undefined');
	});
});

it.each([
	['\u200b\ufeff key\u00ad of \u2060\u200e\n', 'key\u00ad of'],
	['x', 'x'],
	[' \u200b ', ''],
	[7, '7'],
	[null, ''],
	[undefined, ''],
	[{}, ''],
])('takes invisible characters off the ends of %j', (text, expected) => {
	expect(trimmed(text)).toBe(expected);
});

it('takes as long for many spaces as for few', () => {
	expect(trimmed(`a${' '.repeat(500_000)}b`)).toHaveLength(500_002);
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
