import type { IDataObject } from 'n8n-workflow';
import { drain, isSameListing, newest } from '../../nodes/CommunityPlatformPollingTrigger/drain.ts';
import { SECOND, cursorOf, down, inFull, member, numbers } from '../support/cursors.mts';
import { failing } from '../support/failures.mts';

/** Members, the newest first, on pages of fifty. */
class Listing {
	requests: number[] = [];
	/** Called before each request, with the number of those before it. */
	meanwhile: (requests: number) => void = () => {};

	constructor(public members: IDataObject[]) {}

	fetchPage = async (page: number, size = 50) => {
		this.meanwhile(this.requests.length);
		this.requests.push(page);
		const records = this.members.slice((page - 1) * size, page * size);
		return { records, hasMore: page * size < this.members.length };
	};
}

describe('the newest member', () => {
	it('is the first one of the first page', async () => {
		const listing = new Listing(down(120, 1).map((id) => member(id, id)));
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
});
