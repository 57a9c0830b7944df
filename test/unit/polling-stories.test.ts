import fc from 'fast-check';
import type { Round } from '../support/polling-story.mts';
import { rounds, Story } from '../support/polling-story.mts';

const RIGHT = { missing: [], twice: [], old: [] };
const RUNS = Number(process.env.RUNS ?? 150);
async function told(members: number, isTieReversed: boolean, first: Round, story: Round[]) {
	const listing = new Story(members, isTieReversed);
	await listing.poll({ ...first, failing: 0 });
	for (const round of story) await listing.poll(round);
	await listing.calm();
	return listing;
}

it('stories', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 180 }),
			fc.boolean(),
			rounds(180, Number(process.env.CALM ?? 2)),
			async (members, isTieReversed, story) => {
				const listing = await told(
					members,
					isTieReversed,
					{ before: [], during: [], moreTime: 0, failing: 0 },
					story,
				);
				expect(listing.complaints()).toEqual(RIGHT);
				await listing.poll();
				expect(listing.requests).toBeLessThanOrEqual(3);
			},
		),
		{ numRuns: RUNS },
	);
}, 600_000);

it('big stories', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 180 }),
			fc.boolean(),
			rounds(900, Number(process.env.CALM ?? 8)),
			async (members, isTieReversed, story) => {
				const listing = await told(
					members,
					isTieReversed,
					{ before: [], during: [], moreTime: 0, failing: 0 },
					story,
				);
				expect(listing.complaints()).toEqual(RIGHT);
			},
		),
		{ numRuns: RUNS / 3 },
	);
}, 600_000);
