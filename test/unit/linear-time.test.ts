import { nameToSend } from '../../nodes/CommunityPlatform/actions/tag/nameToSend.ts';
import { sameValue } from '../../nodes/CommunityPlatform/execute/plan.ts';
import { nameKey } from '../../nodes/CommunityPlatform/input/identifiers.ts';
import { UNSEEN_ENDS, foldName } from '../../nodes/shared/text.ts';
import { isLinear, isReadInTime } from '../support/pumps.mts';
import { regularExpressions } from '../support/sentences.mts';
import type { Field } from '../../nodes/CommunityPlatform/input/field.ts';

describe('a text that Unicode reorders for minutes', () => {
	const MARKS = `a${'\u0315\u0300'.repeat(200_000)}`;

	it.each([
		['is folded', foldName],
		['is a username', (text: string) => nameKey('username', text)],
		['is an email address', (text: string) => nameKey('email', `${text}@x.example`)],
		['is the name of a tag', (name: string) => nameToSend({ name, display_name: name })],
		['is compared', (text: string) => sameValue({ type: 'string' } as Field, text, `${text}b`)],
	])('%s in linear time', (_, reading) => {
		expect(isReadInTime(reading, MARKS)).toBe(true);
	});
});

describe('regular expressions', () => {
	it.each([...new Set([...regularExpressions(), String(UNSEEN_ENDS)])])(
		'%s takes linear time',
		(literal) => {
			const end = literal.lastIndexOf('/');
			expect(isLinear(new RegExp(literal.slice(1, end), literal.slice(end + 1)))).toBe(true);
		},
	);

	it.each([/^\s*(.*\S)\s*:\s*(\d+)\s*$/, /\.+$/, /^bearer\s+(.+)$/i, /\[[^\]]+\]\(\S+\)/])(
		'%s would be detected',
		(quadratic) => {
			expect(isLinear(quadratic, 100)).toBe(false);
		},
	);
});
