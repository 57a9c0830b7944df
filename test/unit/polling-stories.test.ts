import fc from 'fast-check';
import type { Round } from '../support/polling-story.mts';
import { QUIET, rounds, Story } from '../support/polling-story.mts';

const members = fc.nat({ max: 180 });

async function told(before: number, isTieReversed: boolean, story: Round[]): Promise<Story> {
	const community = new Story(before, isTieReversed);
	await community.poll();
	for (const round of story) await community.poll(round);
	for (let count = 0; count < 6; count++) await community.poll(QUIET);
	expect(community.complaints()).toEqual({ missing: [], twice: [], old: [] });
	return community;
}

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
});
