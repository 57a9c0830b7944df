import { Nearest } from '../../nodes/CommunityPlatform/execute/nearest.ts';

const namesOf = (names: string[]) => names.map((name): [string, string] => [name, name]);

test.each([
	['announcments', ['announcements', 'events'], "Did you mean 'announcements'?"],
	['champ', ['champion', 'camp'], "Did you mean 'champion' or 'camp'? If you do not know, ask."],
	['ab', ['xab', 'abc'], "Did you mean 'abc' or 'xab'? If you do not know, ask."],
	['one', ['two', 'three'], ''],
	[
		'how',
		['howto1', 'howto2', 'howto3', 'howto4'],
		"Did you mean 'howto1', 'howto2', 'howto3' or another one? If you do not know, ask.",
	],
])('%s is near to the right ones of %j', (typed, names, sentence) => {
	expect(new Nearest(() => namesOf(names)).to(typed)).toBe(sentence);
});

test('the names are listed once, at the first miss, and compared for ten misses only', () => {
	const list = jest.fn(() => namesOf(['ada']));
	const nearest = new Nearest(list);
	expect(list).not.toHaveBeenCalled();
	const sentences = Array.from({ length: 12 }, () => nearest.to('adda'));
	expect(list).toHaveBeenCalledTimes(1);
	expect(sentences[9]).toBe("Did you mean 'ada'?");
	expect(sentences.slice(10)).toEqual(['', '']);
});
