import fc from 'fast-check';
import type { Happening, Round } from '../support/polling-story.mts';
import { QUIET, rounds, Story } from '../support/polling-story.mts';

const members = fc.nat({ max: 180 });

async function told(
	before: number,
	isTieReversed: boolean,
	story: Round[],
	mostOnPage?: number,
): Promise<Story> {
	const community = new Story(before, isTieReversed, mostOnPage);
	await community.poll({ ...story[0], failing: 0, stopped: 0 });
	for (const round of story.slice(1)) await community.poll(round);
	for (let count = 0; count < 6; count++) await community.poll(QUIET);
	expect(community.complaints()).toEqual({ missing: [], twice: [], old: [] });
	return community;
}

const round = (changes: Partial<Round>): Round => ({ ...QUIET, ...changes });
const join = (count: number, together = 1): Happening => ({
	kind: 'join',
	count,
	later: 0,
	together,
});
const leave: Happening = { kind: 'leave', pick: 0 };

it('nobody who was there is given because others left while the trigger started', async () => {
	const during = [[], [leave, leave]];
	await told(0, false, [round({ before: [join(120, 200)], during })]);
});

describe('nobody is left out', () => {
	it('when the last page is empty by the time it is read, because somebody left', async () => {
		await told(0, false, [
			QUIET,
			round({
				before: [join(101)],
				during: [[], [], [], [], [], [leave]],
				slow: 0,
				moreTime: 0,
			}),
			round({ during: [[leave]], slow: 0 }),
		]);
	});

	it('above a piece that is read again by itself', async () => {
		await told(0, false, [
			QUIET,
			round({ before: [join(388)], during: [[], [leave]], moreTime: 0 }),
			round({ before: [join(6)], during: [[join(7)], [join(2), leave]], slow: 3 }),
		]);
	});
});

it('nobody is left out when somebody joins and leaves again while each of two readings is under way', async () => {
	const reading = [[], [join(1)], [leave]];
	await told(0, false, [QUIET, round({ before: [join(150)], during: [...reading, ...reading] })]);
});

// Found by the property below: two readings agreed, because both had missed the same two.
it('nobody is left out when two readings miss the same members', async () => {
	const approve: Happening = { kind: 'approve', pick: 0 };
	const during = [[], [], [], [leave], [], [join(3)], [], [leave], [join(1)], [], []];
	const andOn = [[leave, leave], [join(2)], [], [], [], [], [], [leave, leave]];
	await told(0, false, [
		round({ moreTime: 0 }),
		round({ before: [join(43), join(21)], moreTime: 100, failing: 1 }),
		round({
			before: [approve, join(176), join(3)],
			during: [[join(4), join(4)]],
			moreTime: 0,
			slow: 0,
		}),
		round({ before: [join(97)], during: [...during, ...andOn], moreTime: 1, slow: 7 }),
	]);
});

describe('whoever joins, leaves, returns or is approved, between any two requests', () => {
	it('is given once, nobody is left out, and in the end one page is enough', async () => {
		await fc.assert(
			fc.asyncProperty(members, fc.boolean(), rounds(180, 2), async (...given) => {
				const community = await told(...given);
				expect(community.requests).toBeLessThanOrEqual(community.leastRequests);
			}),
			{ numRuns: 150 },
		);
	}, 60_000);

	it('is given once, and nobody is left out, also when hundreds join at a time', async () => {
		await fc.assert(
			fc.asyncProperty(members, fc.boolean(), rounds(900, 8), async (...given) => {
				await told(...given);
			}),
			{ numRuns: 40 },
		);
	}, 60_000);

	it('is given once, and nobody is left out, where the API gives fewer members at once', async () => {
		await fc.assert(
			fc.asyncProperty(
				members,
				fc.boolean(),
				rounds(180, 4),
				fc.integer({ min: 20, max: 49 }),
				async (...given) => {
					await told(...given);
				},
			),
			{ numRuns: 40 },
		);
	}, 60_000);
});
