import fc from 'fast-check';
import { habits, rounds, Story, TIMES } from '../support/polling-story.mts';

it.each([
	[180, 40],
	[900, 6],
])(
	'members who join (up to %d at a time), leave and return between requests are returned once',
	async (most, stories) => {
		await fc.assert(
			fc.asyncProperty(fc.nat({ max: 200 }), habits, rounds(most), async (before, api, polls) => {
				const story = new Story(before, api);
				const old = new Set(story.steady());
				await story.poll();
				for (const round of polls) await story.poll(round);
				// Polls without events until one page is enough.
				story.happen({ kind: 'pause' });
				for (let quiet = 0; quiet < 8; quiet++) await story.poll();
				const given = new Set(story.given);
				const missing = story.steady().filter((id) => !old.has(id) && !given.has(id));
				expect(missing).toEqual([]);
				expect(story.given.filter((id) => old.has(id))).toEqual([]);
				// No member is returned twice.
				expect(story.given).toHaveLength(given.size);
				expect(story.requests).toBe(1);
			}),
			{ numRuns: stories * TIMES },
		);
	},
	60_000 * TIMES,
);

it('a trigger whose polls are all cut off finally reads no more than needed', async () => {
	const story = new Story(50, { pageSize: 20, hasHeader: true, isTieReversed: false });
	await story.poll();
	story.happen({ kind: 'join', count: 180, together: 1 });
	story.happen({ kind: 'pause' });
	for (let polls = 0; polls < 8; polls++) {
		await story.poll({ before: [], during: [], stopped: 6 });
	}
	expect(story.given).toHaveLength(180);
	expect(story.requests).toBe(1);
});
