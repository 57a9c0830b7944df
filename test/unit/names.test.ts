import { foldName, isSameName } from '../../nodes/shared/text.ts';

it.each([
	['Café', 'Cafe\u0301'],
	['Über uns', 'über UNS'],
	['How  To', ' how\u00a0to\n'],
	['Moderator', '\u200bModerator\u00ad\u2060'],
	['\ufeffModerator\u200e', 'moderator'],
])('%j and %j are the same name', (one, other) => {
	expect(isSameName(one, other)).toBe(true);
	expect(isSameName(`#${one}`, other, true)).toBe(true);
	expect(isSameName(`#${one}`, other)).toBe(false);
});

it.each([
	['Cafe', 'Café'],
	['How-To', 'How To'],
	['1', '01'],
	['a\u200bb', 'ab'],
	['a#b', 'ab'],
	['ab', 'a b'],
])('%j and %j are different names', (one, other) => {
	expect(isSameName(one, other, true)).toBe(false);
});

it("is in lower case, and keeps a leading sign unless it is a tag's", () => {
	expect([foldName('#How'), foldName('#How', true)]).toEqual(['#how', 'how']);
});

it.each(['', ' ', '\u200b', null, undefined])('%j is not a name', (name) => {
	expect(foldName(name)).toBe('');
});
