import { sameValue } from '../../nodes/CommunityPlatform/execute/plan.ts';
import { nameKey } from '../../nodes/CommunityPlatform/input/identifiers.ts';
import { foldName, trimmed } from '../../nodes/shared/text.ts';
import { isReadInTime } from '../support/read-in-time.mts';
import type { Field } from '../../nodes/CommunityPlatform/input/field.ts';

// `npm run lint` refuses every regular expression that takes more than linear time. These are the other ways.
describe('a text that Unicode reorders for minutes', () => {
	const MARKS = `a${'\u0315\u0300'.repeat(200_000)}`;

	it.each([
		['is folded', foldName],
		['is a username', (text: string) => nameKey('username', text)],
		['is an email address', (text: string) => nameKey('email', `${text}@x.example`)],
		['is compared', (text: string) => sameValue({ type: 'string' } as Field, text, `${text}b`)],
	])('%s in linear time', (_, reading) => {
		expect(isReadInTime(reading, MARKS)).toBe(true);
	});
});

it('a text of spaces is trimmed in linear time, by a pattern that is put together', () => {
	expect(isReadInTime(trimmed, `x${' \u200b'.repeat(100_000)}x`)).toBe(true);
});
