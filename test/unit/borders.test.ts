import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { lookAcross } from '../../nodes/CommunityPlatformPollingTrigger/borders.ts';

type Size = (asked: number) => number;

/** Members by their number, the newest first, and what was asked for. */
class Listing {
	asked: Array<[page: number, size: number]> = [];
	/** Called before each look. */
	meanwhile = () => {};

	constructor(
		public ids: number[],
		private readonly sizeOf: Size = (asked) => asked,
	) {}

	page(page: number, size: number): IDataObject[] {
		const held = this.sizeOf(size);
		return this.ids.slice((page - 1) * held, page * held).map((user_id) => ({ user_id }));
	}

	/** Reads pages of fifty; what happens comes after the page of its index. */
	read(first: number, last: number, happenings: Record<number, () => void> = {}): IDataObject[][] {
		const pages: IDataObject[][] = [];
		for (let page = first; page <= last; page++) {
			pages.push(this.page(page, 50));
			happenings[page]?.();
		}
		return pages;
	}

	leave(count: number): void {
		this.ids.splice(0, count);
	}

	join(count: number): void {
		const newest = this.ids[0];
		for (let more = 1; more <= count; more++) this.ids.unshift(newest + more);
	}

	async look(
		first: number,
		pages: IDataObject[][],
		matters: (page: IDataObject[]) => boolean = () => true,
	): Promise<number[] | undefined> {
		const fetchPage = async (page: number, size = 50) => {
			this.meanwhile();
			this.asked.push([page, size]);
			const hasMore = page * this.sizeOf(size) < this.ids.length;
			return { records: this.page(page, size), hasMore };
		};
		const seen = await lookAcross(first, pages, fetchPage, matters);
		return seen?.map(({ user_id }) => user_id as number);
	}
}

const down = (from: number, to: number) =>
	Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('a look across the border of two pages', () => {
	it('shows who slid over it because others left', async () => {
		const listing = new Listing(down(500, 1));
		const pages = listing.read(1, 3, { 1: () => listing.leave(2), 2: () => listing.leave(1) });
		expect(pages.flat().map(({ user_id }) => user_id)).not.toContain(450);
		expect(await listing.look(1, pages)).toEqual(down(500, 348));
		// One for each border, the lower one first.
		expect(listing.asked).toEqual([
			[3, 40],
			[2, 33],
		]);
	});

	it('is not needed where somebody joined, and pages show the same member', async () => {
		const listing = new Listing(down(500, 1));
		const pages = listing.read(1, 2, { 1: () => listing.join(1) });
		expect(await listing.look(1, pages)).toEqual(down(500, 402));
		expect(listing.asked).toEqual([]);
	});

	it('is not needed for a page alone', async () => {
		const listing = new Listing(down(500, 1));
		expect(await listing.look(7, listing.read(7, 7))).toEqual(down(200, 151));
		expect(listing.asked).toEqual([]);
	});

	it('is not needed above the first page with somebody who matters', async () => {
		const listing = new Listing(down(500, 1));
		const isWithin = (id: number) => (page: IDataObject[]) =>
			page.some(({ user_id }) => user_id === id);
		const pages = listing.read(1, 4);
		expect(await listing.look(1, pages, isWithin(350))).toEqual(down(500, 301));
		expect(listing.asked).toHaveLength(0);
		expect(await listing.look(1, pages, isWithin(351))).toEqual(down(500, 301));
		expect(listing.asked).toHaveLength(1);
		expect(await listing.look(1, pages, () => false)).toEqual(down(500, 301));
		expect(listing.asked).toHaveLength(1);
	});

	it('shows the end of the listing where the last page was empty', async () => {
		const listing = new Listing(down(101, 1));
		const pages = listing.read(1, 3, { 2: () => listing.leave(1) });
		expect(pages[2]).toEqual([]);
		expect(await listing.look(1, pages)).toEqual(down(101, 1));
	});

	it('shows the end of the listing where all below have left', async () => {
		const listing = new Listing(down(60, 1));
		const pages = listing.read(1, 2);
		listing.ids = listing.ids.slice(0, 49);
		expect(await listing.look(1, pages)).toEqual(down(60, 1));
		expect(listing.asked).toHaveLength(1);
	});

	it.each([
		['joined', (listing: Listing) => listing.join(40)],
		['left', (listing: Listing) => listing.leave(40)],
	])('goes to where it is by now, when many %s', async (_kind, happen) => {
		const listing = new Listing(down(2000, 1));
		const pages = listing.read(11, 15);
		happen(listing);
		expect(await listing.look(11, pages)).toEqual(down(1500, 1251));
		// The first look tells how far; the other borders moved as far.
		expect(listing.asked.length).toBe(5);
	});

	it.each([
		['the API gives the same number whatever it is asked for', (): number => 50],
		[
			'the API gives nobody when it is asked for another number',
			(asked: number) => asked - (asked % 50),
		],
	])('says nothing where %s', async (_kind, sizeOf) => {
		const listing = new Listing(down(500, 1), sizeOf);
		expect(await listing.look(1, listing.read(1, 4))).toBeUndefined();
		expect(listing.asked).toHaveLength(1);
	});

	it('fits an API that gives fewer members at once', async () => {
		const listing = new Listing(down(500, 1), (asked) => Math.min(asked, 20));
		const pages = listing.read(1, 9, { 4: () => listing.leave(3) });
		expect(await listing.look(1, pages)).toEqual(down(500, 318));
		expect(listing.asked).toHaveLength(8);
	});

	it('is given up after three where the listing never rests', async () => {
		const listing = new Listing(down(5000, 1));
		const pages = listing.read(1, 2);
		listing.meanwhile = () => listing.join(30);
		expect(await listing.look(1, pages)).toBeUndefined();
		expect(listing.asked).toHaveLength(3);
	});
});

it('every border is within one page, some members away from its ends', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 300 }),
			fc.integer({ min: 20, max: 50 }),
			fc.integer({ min: -3, max: 3 }),
			async (first, most, moved) => {
				const listing = new Listing(down(20_000, 1), (asked) => Math.min(asked, most));
				const pages = listing.read(first, first + 1);
				if (moved < 0) listing.leave(-moved);
				else listing.join(moved);
				expect(await listing.look(first, pages)).toEqual(
					pages.flat().map(({ user_id }) => user_id),
				);
				expect(listing.asked).toHaveLength(1);
			},
		),
	);
});
