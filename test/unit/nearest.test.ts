import { sleep } from 'n8n-workflow';
import { Nearest } from '../../nodes/CommunityPlatform/people/nearest.ts';

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
	[
		'user12a',
		['user199', 'user198', 'user197', 'user12'],
		"Did you mean 'user12', 'user199', 'user198' or another one? If you do not know, ask.",
	],
])('%s is similar to the right ones of %j', async (typed, names, sentence) => {
	expect(await new Nearest(() => namesOf(names)).to(typed)).toBe(sentence);
});

test('ten missed names of a run are compared', async () => {
	const list = jest.fn(() => namesOf(['ada', 'grace']));
	const nearest = new Nearest(list);
	const typed = [...Array(9).fill('adda'), 'grase', 'adda', 'adda'];
	const sentences = await Promise.all(typed.map(async (each) => await nearest.to(each)));
	expect(list).toHaveBeenCalledTimes(10);
	expect(sentences.slice(8)).toEqual(["Did you mean 'ada'?", "Did you mean 'grace'?", ...['', '']]);
});

test('comparing ten names with 20,000 others leaves n8n its turns', async () => {
	const names = Array.from({ length: 20_000 }, (_, at): [string, string] => {
		const name = `member${at}_of_the_club`;
		return [name, name];
	});
	const nearest = new Nearest(() => names);
	let isOver = false;
	let turns = 0;
	const working = Promise.all(
		Array.from({ length: 10 }, async (_, at) => await nearest.to(`member${at}x_off_the_club`)),
	).then(() => (isOver = true));
	while (!isOver) {
		await sleep(0);
		turns++;
	}
	await working;
	expect(turns).toBeGreaterThan(3);
});
