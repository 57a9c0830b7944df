import fc from 'fast-check';
import type { Search } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { locate, note } from '../../nodes/CommunityPlatformPollingTrigger/search.ts';
import { Stopped } from '../../nodes/shared/api/index.ts';
import { SECOND, cursorOf, member } from '../support/cursors.mts';
import { failing } from '../support/failures.mts';

// One member on a page: who is known is on page `border` and below it.
const KNOWN = 1_000;
const cursor = cursorOf({ top: KNOWN * SECOND, floor: KNOWN * SECOND, known: [] });

class Listing {
	asked: number[] = [];
	/** How many more requests are answered. */
	left = Infinity;

	constructor(public border: number) {}

	fetchPage = async (page: number) => {
		if (this.left-- <= 0) throw new Stopped();
		this.asked.push(page);
		const at = KNOWN + this.border - page - 1;
		return await Promise.resolve({ records: [member(10_000 + page, at)], hasMore: true });
	};
}

describe('the page where the known members begin', () => {
	it('is found without asking for a page twice, in few requests', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 2, max: 5000 }), async (border) => {
				const listing = new Listing(border);
				expect(await locate(cursor, listing.fetchPage, { above: 1 })).toBe(border);
				expect(new Set(listing.asked).size).toBe(listing.asked.length);
				expect(listing.asked.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(border)));
			}),
		);
	});

	it('is found by twice the number each time, then by halves', async () => {
		const listing = new Listing(23);
		expect(await locate(cursor, listing.fetchPage, { above: 5 })).toBe(23);
		expect(listing.asked).toEqual([10, 20, 40, 30, 25, 22, 23]);
	});

	it('is not looked for once it is known', async () => {
		const listing = new Listing(8);
		expect(await locate(cursor, listing.fetchPage, { above: 7, below: 8 })).toBe(8);
		expect(listing.asked).toEqual([]);
	});

	it('is found in the same requests by as many as are stopped on the way', async () => {
		const most = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 });
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 2, max: 2000 }), most, async (border, polls) => {
				const atOnce = new Listing(border);
				await locate(cursor, atOnce.fetchPage, { above: 1 });
				const listing = new Listing(border);
				let search: Search = { above: 1 };
				for (const requests of [...polls, Infinity]) {
					listing.left = requests;
					await locate(cursor, listing.fetchPage, search).catch((error: unknown) => {
						expect(error).toBeInstanceOf(Stopped);
					});
					// Through JSON, as in n8n's database.
					search = JSON.parse(JSON.stringify(search)) as Search;
				}
				expect(search).toEqual({ above: border - 1, below: border });
				expect(listing.asked).toEqual(atOnce.asked);
			}),
		);
	});

	it('ends with a failure where the listing does not end', async () => {
		const listing = new Listing(3_000_000);
		expect(await failing(locate(cursor, listing.fetchPage, { above: 1 }))).toEqual({
			reason: 'The listing of members does not end',
			advice: 'Tell the operators of the community.',
		});
		expect(Math.max(...listing.asked)).toBeGreaterThan(500_000);
		expect(Math.max(...listing.asked)).toBeLessThanOrEqual(1_000_000);
	});
});

describe('what a page shows', () => {
	const after = (search: Search, page: number, isReached: boolean) => {
		note(search, page, isReached);
		return search;
	};

	it('is one more page above the known members, or the first one below', () => {
		expect(after({ above: 3 }, 4, false)).toEqual({ above: 4 });
		expect(after({ above: 3, below: 9 }, 6, false)).toEqual({ above: 6, below: 9 });
		expect(after({ above: 3, below: 9 }, 6, true)).toEqual({ above: 3, below: 6 });
		expect(after({ above: 3 }, 6, true)).toEqual({ above: 3, below: 6 });
	});

	it('tells nothing where a page further down was seen', () => {
		expect(after({ above: 3, below: 9 }, 2, false)).toEqual({ above: 3, below: 9 });
	});

	it('takes back where the known members begin once more have joined', () => {
		expect(after({ above: 3, below: 4 }, 4, false)).toEqual({ above: 4 });
		expect(after({ above: 3, below: 4 }, 5, false)).toEqual({ above: 5 });
	});
});
