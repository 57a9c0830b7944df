import type { IDataObject } from 'n8n-workflow';
import {
	drain,
	isSameListing,
	newest,
	start,
} from '../../nodes/CommunityPlatformPollingTrigger/drain.ts';
import { Stopped } from '../../nodes/shared/api/index.ts';
import { SECOND, cursorOf, down, inFull, member, numbers } from '../support/cursors.mts';
import { failing } from '../support/failures.mts';

/** Members, the newest first, on pages of fifty. */
class Listing {
	requests: number[] = [];
	/** Called before each request, with the number of those before it. */
	meanwhile: (requests: number) => void = () => {};
	/** What a request ends with instead of an answer. */
	refuses: (page: number, size: number) => Error | undefined = () => undefined;

	constructor(public members: IDataObject[]) {}

	loseNewestAfterOnePage(): void {
		this.meanwhile = (requests) => {
			if (requests === 1) this.members.shift();
		};
	}

	fetchPage = async (page: number, size = 50) => {
		this.meanwhile(this.requests.length);
		this.requests.push(page);
		const refusal = this.refuses(page, size);
		if (refusal) return await Promise.reject(refusal);
		const records = this.members.slice((page - 1) * size, page * size);
		return { records, hasMore: page * size < this.members.length };
	};
}

/** Where the API keeps its page size, whatever it is asked for, so that no look shows a border. */
const ofOwnSize = (listing: Listing) => async (page: number) => await listing.fetchPage(page);

/** Members who joined one after another. */
const upTo = (newest: number) => new Listing(down(newest, 1).map((id) => member(id, id)));

/** Of 300, the newest fifty are known. */
const newestKnown = cursorOf({
	top: 300 * SECOND,
	floor: 251 * SECOND,
	known: down(300, 251).map((id) => [String(id), id * SECOND]),
});

describe('the newest member', () => {
	it('is the first one of the first page', async () => {
		const listing = upTo(120);
		expect(await newest(listing.fetchPage)).toEqual(member(120, 120));
		expect(listing.requests).toEqual([1]);
	});

	it('is found where the pages before are empty', async () => {
		const asked: number[] = [];
		const found = await newest(async (page) => {
			asked.push(page);
			return { records: page < 3 ? [] : [member(7, 7), member(6, 6)], hasMore: true };
		});
		expect(found).toEqual(member(7, 7));
		expect(asked).toEqual([1, 2, 3]);
	});

	it('is nobody in an empty community', async () => {
		const listing = new Listing([]);
		expect(await newest(listing.fetchPage)).toBeUndefined();
		expect(listing.requests).toEqual([1]);
	});
});

describe('a listing under another address', () => {
	const all = down(400, 1).map((id) => inFull(id, 'a', id));
	// The newest fifty of 300 are known; 100 have joined since, on two pages.
	const cursor = cursorOf({
		top: 300 * SECOND,
		floor: 251 * SECOND,
		known: down(300, 251).map((id) => [`${id}.a`, id * SECOND]),
	});

	it('is the same by its first page alone where that shows somebody known', async () => {
		const listing = new Listing(all.slice(80));
		expect(await isSameListing(cursor, listing.fetchPage)).toBe(true);
		expect(listing.requests).toEqual([1]);
	});

	it('is another one by its first page alone where nobody can be known below', async () => {
		const listing = new Listing(down(40, 1).map((id) => inFull(id, 'b', 500 + id)));
		expect(await isSameListing(cursor, listing.fetchPage)).toBe(false);
		expect(listing.requests).toEqual([1]);
	});

	it('is the same where more than a page joined since', async () => {
		const listing = new Listing(all);
		expect(await isSameListing(cursor, listing.fetchPage)).toBe(true);
		expect(Math.max(...listing.requests)).toBeLessThanOrEqual(4);
	});

	it('is the same where others leave before the page is read that shows it', async () => {
		const listing = new Listing([...all]);
		listing.meanwhile = (requests) => {
			if (requests === 4) listing.members.splice(0, 50);
		};
		expect(await isSameListing(cursor, listing.fetchPage)).toBe(true);
	});

	it('is the same where others join before the page is read that shows it', async () => {
		const listing = new Listing([...all]);
		listing.meanwhile = (requests) => {
			if (requests !== 4) return;
			listing.members.unshift(...down(450, 401).map((id) => inFull(id, 'a', id)));
		};
		expect(await isSameListing(cursor, listing.fetchPage)).toBe(true);
	});

	it('is another one where the same numbers have other secondary ids', async () => {
		const listing = new Listing(down(400, 1).map((id) => inFull(id, 'b', id)));
		expect(await isSameListing(cursor, listing.fetchPage)).toBe(false);
	});

	it('ends with a failure where it does not end', async () => {
		const endless = async (page: number) => ({
			records: [member(1_000_000 + page, 1_000_000 - page / 1000)],
			hasMore: true,
		});
		expect(await failing(isSameListing(cursor, endless))).toEqual({
			reason: 'The listing of members does not end',
			advice: 'Tell the operators of the community.',
		});
	});
});

describe('members handed over by one poll', () => {
	it('come in the reverse of the order of the listing within one instant', async () => {
		const listing = new Listing([
			member(8, 5),
			member(6, 5),
			member(9, 5),
			member(7, 4),
			member(1, 1),
		]);
		const cursor = cursorOf({ top: SECOND, known: [['1', SECOND]] });
		const { found } = await drain(cursor, listing.fetchPage, () => true);
		expect(numbers(found)).toEqual([7, 9, 6, 8]);
	});

	it('come so also where somebody was found only by reading again', async () => {
		const listing = new Listing([...down(120, 2).map((id) => member(id, 5)), member(1, 1)]);
		const cursor = cursorOf({ top: SECOND, known: [['1', SECOND]] });
		// The 120th leaves, and so the 70th is on neither page.
		listing.loseNewestAfterOnePage();
		const { found } = await drain(cursor, ofOwnSize(listing), () => true);
		expect(numbers(found).filter((id) => id !== 120)).toEqual(down(119, 2).reverse());
	});

	it('come by join time where there are more than can be known', async () => {
		const listing = upTo(1800);
		// In the lowest piece; then the 550th is on neither page.
		listing.refuses = (page) => {
			if (page === 26) listing.members = listing.members.filter((one) => one.user_id !== 690);
			return undefined;
		};
		const { found } = await drain(newestKnown, ofOwnSize(listing), () => true);
		expect(numbers(found)).toEqual(down(1800, 301).reverse());
	});
});

describe('a poll after many have joined', () => {
	const cursor = newestKnown;
	const noAnswer = new Error('no answer');

	it('ends where the API refuses a look across a border', async () => {
		const listing = upTo(450);
		listing.refuses = (_page, size) => (size < 50 ? noAnswer : undefined);
		await expect(drain(cursor, listing.fetchPage, () => true)).rejects.toBe(noAnswer);
	});

	it('ends where the API refuses a page of a later piece', async () => {
		const listing = upTo(1800);
		listing.refuses = (page, size) => (page === 15 && size === 50 ? noAnswer : undefined);
		await expect(drain(cursor, listing.fetchPage, () => true)).rejects.toBe(noAnswer);
		expect(listing.requests).toContain(31);
	});

	it('hands over the pieces that it had time for', async () => {
		const listing = upTo(1800);
		listing.refuses = (page, size) => (page === 15 && size === 50 ? new Stopped() : undefined);
		const { found, stopped } = await drain(cursor, listing.fetchPage, () => true);
		expect(stopped).toBeUndefined();
		// Thirty pages joined: the lowest piece goes from page 22 down to page 31, where the known ones begin.
		expect(numbers(found)).toEqual(down(750, 301).reverse());
	});

	it('is stopped where it had no time for a piece, and says how far it came', async () => {
		const listing = upTo(1800);
		listing.refuses = (page) => (page === 35 ? new Stopped() : undefined);
		const drained = await drain(cursor, listing.fetchPage, () => true);
		expect(drained.stopped).toBeInstanceOf(Stopped);
		expect(drained.found).toEqual([]);
		// Ten from the top, then 20, 40 and 30.
		expect(drained.cursor).toEqual({ ...cursor, search: { above: 30, below: 40 } });
	});

	it('keeps the cursor as it was where it saw nothing', async () => {
		const listing = upTo(1800);
		listing.refuses = () => new Stopped();
		const drained = await drain(cursor, listing.fetchPage, () => true);
		expect(drained.stopped).toBeInstanceOf(Stopped);
		expect(drained.cursor).toBe(cursor);
	});

	it('reads no more in one piece where thousands have joined since the last one was stopped', async () => {
		const listing = upTo(3450);
		const stale = { ...cursor, search: { above: 3, below: 4 } };
		const { found } = await drain(stale, listing.fetchPage, () => false);
		expect(numbers(found)).toEqual(down(350, 301).reverse());
	});

	it('says how far it came where an earlier one had been stopped, until it comes to the top', async () => {
		const listing = upTo(400);
		const first = await drain(
			{ ...cursor, search: { above: 2, below: 3 } },
			listing.fetchPage,
			() => false,
		);
		expect(numbers(first.found)).toEqual(down(350, 301).reverse());
		expect(first.cursor.search).toEqual({ above: 1, below: 2 });
		const second = await drain(first.cursor, listing.fetchPage, () => false);
		expect(numbers(second.found)).toEqual(down(400, 351).reverse());
		expect(second.cursor.search).toBeUndefined();
	});

	it('begins at the top again where none had been stopped', async () => {
		const { found, cursor: next } = await drain(cursor, upTo(1800).fetchPage, () => false);
		expect(numbers(found)).toEqual(down(750, 301).reverse());
		expect(next.search).toBeUndefined();
	});

	it('finds who slid over a border of pages on which all are new', async () => {
		const listing = upTo(450);
		// The 450th leaves when one page was read, and so the 400th is on neither.
		listing.loseNewestAfterOnePage();
		const { found, cursor: next } = await drain(cursor, listing.fetchPage, () => true);
		expect(numbers(found)).toEqual(down(450, 301).reverse());
		expect(next.lookBack).toBeUndefined();
	});

	it('finds who slid over a border in the instant of the newest known, below some of them', async () => {
		const known = [...down(300, 281), ...down(200, 101)];
		const joined = (id: number) => (id > 200 ? 500 : id);
		const together = cursorOf({
			top: 500 * SECOND,
			floor: 100 * SECOND,
			known: known.map((id) => [String(id), joined(id) * SECOND]),
		});
		const ids = [...down(300, 281), ...down(400, 321), ...down(200, 1)];
		const listing = new Listing(ids.map((id) => member(id, joined(id))));
		// The 300th leaves when one page was read, and so the 370th is on neither.
		listing.loseNewestAfterOnePage();
		const { found } = await drain(together, listing.fetchPage, () => true);
		expect(numbers(found)).toEqual(down(400, 321).reverse());
	});

	it('leaves to the next one what was to be read again above the piece it had time for', async () => {
		const many = cursorOf({
			top: 1000 * SECOND,
			known: down(1000, 1).map((id) => [String(id), id * SECOND]),
			lookBack: { ids: down(1000, 451).map(String), from: 450 * SECOND },
		});
		const listing = upTo(1050);
		let tops = 0;
		listing.refuses = (page, size) =>
			page === 1 && size === 50 && ++tops === 2 ? new Stopped() : undefined;
		const { cursor: next } = await drain(many, listing.fetchPage, () => true);
		// The known ones begin on page 13, so the piece goes from page 4 down.
		expect(next.lookBack).toEqual({ ids: down(1000, 901).map(String), from: 900 * SECOND });
	});

	it('ends after ten readings where the API never shows the same twice', async () => {
		const listing = upTo(450);
		listing.meanwhile = () => void listing.members.shift();
		const { found, cursor: next } = await drain(cursor, ofOwnSize(listing), () => true);
		expect(listing.requests.filter((page) => page === 1)).toHaveLength(10);
		expect(found.length).toBeGreaterThan(100);
		expect(next.lookBack?.ids.length).toBeGreaterThan(50);
	});

	it('hands over no more than some ten thousand, and the next one the rest', async () => {
		const listing = upTo(12_300);
		const first = await drain(cursor, listing.fetchPage, () => true);
		expect(first.found.length).toBeGreaterThanOrEqual(10_000);
		expect(first.found.length).toBeLessThan(10_500);
		const second = await drain(first.cursor, listing.fetchPage, () => true);
		expect(numbers([...first.found, ...second.found])).toEqual(down(12_300, 301).reverse());
	});
});

it('a new trigger begins after ten readings where the API never shows the same twice', async () => {
	const listing = new Listing(down(200, 1).map((id) => member(id, 5)));
	listing.meanwhile = () => void listing.members.shift();
	let readings = 0;
	const cursor = await start('here 10', async (page, size) => {
		if (page === 1 && size === undefined) readings++;
		// Its own page size, whatever it is asked for.
		return await listing.fetchPage(page);
	});
	expect(readings).toBe(10);
	expect(cursor.lookBack).toBeUndefined();
});
