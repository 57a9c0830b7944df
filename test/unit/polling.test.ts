import type { IDataObject } from 'n8n-workflow';
import {
	findNew,
	isSameListing,
	newestMember,
	start,
} from '../../nodes/CommunityPlatformPollingTrigger/newMembers.ts';
import { Stopped } from '../../nodes/shared/transport/index.ts';
import {
	down,
	inFull,
	knowing,
	Listing,
	member,
	numbers,
	SECOND,
	Trigger,
} from '../support/cursors.mts';
import { failing } from '../support/failures.mts';

const up = (from: number, to: number) => down(to, from).reverse();
const sorted = (ids: number[]) => [...ids].sort((a, b) => a - b);

describe('a poll', () => {
	it('starts from now, also in the middle of a second', async () => {
		const listing = new Listing();
		listing.join(120, true);
		const trigger = await Trigger.of(listing);
		listing.members.unshift(member(121, 1));
		expect(await trigger.poll()).toEqual([121]);
	});

	it('starts in an empty community', async () => {
		const listing = new Listing();
		const trigger = await Trigger.of(listing);
		listing.join(1);
		expect(await trigger.poll()).toEqual([1]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('starts with two pages, read twice, where the API does not say whether there are further members', async () => {
		const listing = Listing.upTo(120);
		const asked: number[] = [];
		await start('here 10', async (page) => {
			asked.push(page);
			const { records } = await listing.fetchPage(page);
			return { records, hasMore: undefined };
		});
		expect(asked).toEqual([1, 2, 1, 2]);
	});

	it('does not start where its time is over before the first page', async () => {
		const listing = Listing.upTo(120);
		listing.mostRequests = 0;
		await expect(Trigger.of(listing)).rejects.toBeInstanceOf(Stopped);
	});

	it('asks for one page when at most a page has joined', async () => {
		const listing = Listing.upTo(500);
		const trigger = await Trigger.of(listing);
		expect(listing.requests).toEqual([1]);
		listing.join(40);
		expect(await trigger.poll()).toEqual(up(501, 540));
		expect(listing.requests).toEqual([1]);
	});

	it('does not give a member as new who moves up when others leave', async () => {
		const listing = Listing.upTo(500);
		const trigger = await Trigger.of(listing);
		listing.leave(...down(500, 451).filter((id) => id % 2 === 1));
		expect(await trigger.poll()).toEqual([]);
		listing.leave(...down(500, 421));
		expect(await trigger.poll()).toEqual([]);
	});

	it('gives no member twice who leaves and comes back', async () => {
		const listing = Listing.upTo(500);
		const trigger = await Trigger.of(listing);
		listing.join(1);
		expect(await trigger.poll()).toEqual([501]);
		const left = listing.members.splice(0, 30);
		expect(await trigger.poll()).toEqual([]);
		listing.members.unshift(...left);
		expect(await trigger.poll()).toEqual([]);
	});

	it('finds a member approved late among the newest', async () => {
		const listing = Listing.upTo(500);
		const trigger = await Trigger.of(listing);
		listing.members.splice(20, 0, member(900, 480.5));
		expect(await trigger.poll()).toEqual([900]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('finds an approved member where the listing goes by the approval, not by the date it shows', async () => {
		const listing = Listing.upTo(500);
		const trigger = await Trigger.of(listing);
		listing.members.unshift(member(900, 3));
		expect(await trigger.poll()).toEqual([900]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('reads on where a known member with a date in the future is on top', async () => {
		const listing = Listing.upTo(500);
		listing.members.unshift(member(900, 5_000_000));
		const trigger = await Trigger.of(listing);
		listing.members.splice(1, 0, ...down(580, 501).map((id) => member(id, id)));
		expect(await trigger.poll()).toEqual(up(501, 580));
	});

	it('goes by the place in the listing where no dates are shown', async () => {
		const listing = new Listing(down(200, 1).map((id) => member(id)));
		const trigger = await Trigger.of(listing);
		listing.members.unshift(member(202), member(201));
		expect(await trigger.poll()).toEqual([201, 202]);
		listing.leave(...down(200, 195));
		expect(await trigger.poll()).toEqual([]);
	});

	it('gives the members by join time, the first one first, whatever the order of the listing', async () => {
		const listing = new Listing([member(8, 6), member(6, 8), member(9, 7), member(7, 9)]);
		const { found } = await findNew(knowing([1]), listing.fetchPage);
		expect(numbers(found)).toEqual([8, 9, 6, 7]);
	});

	it('gives the members of one instant in the reverse of the order of the listing', async () => {
		const listing = new Listing([member(8, 5), member(6, 5), member(9, 5), member(7, 4)]);
		const { found } = await findNew(knowing([1]), listing.fetchPage);
		expect(numbers(found)).toEqual([7, 9, 6, 8]);
	});

	it('keeps a thousand members once they are confirmed', async () => {
		const listing = Listing.upTo(300);
		const trigger = await Trigger.of(listing);
		listing.join(2500, true);
		for (let polls = 0; polls < 4; polls++) await trigger.poll();
		expect(sorted(trigger.given)).toEqual(up(301, 2800));
		expect(trigger.cursor?.known).toHaveLength(1000);
		expect(listing.requests).toEqual([1]);
	});
});

describe('pagination while a member leaves', () => {
	/** 150 join; when one page was read, the newest of them leaves, and the 400th is on neither page. */
	async function withGap(): Promise<{ listing: Listing; trigger: Trigger }> {
		const listing = Listing.upTo(300);
		const trigger = await Trigger.of(listing);
		listing.join(150);
		listing.meanwhile = (requests) => {
			if (requests === 1) listing.leave(450);
		};
		expect(await trigger.poll()).toEqual([...up(301, 399), ...up(401, 450)]);
		return { listing, trigger };
	}

	it('gives a member who moved to a page that was read already with the next poll', async () => {
		const { trigger } = await withGap();
		expect(await trigger.poll()).toEqual([400]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('reads as deep again until all who were read are still there, then one page', async () => {
		const { listing, trigger } = await withGap();
		const requests: number[] = [];
		for (let polls = 0; polls < 4; polls++) {
			await trigger.poll();
			requests.push(listing.requests.length);
		}
		// One is gone since the first reading; the second one is confirmed by the third.
		expect(requests).toEqual([4, 4, 1, 1]);
	});

	it('reads as deep again where others joined meanwhile, who may have left again unseen', async () => {
		const listing = Listing.upTo(300);
		const trigger = await Trigger.of(listing);
		listing.join(150);
		listing.meanwhile = (requests) => {
			if (requests === 1) listing.members.unshift(member(999, 999));
			if (requests === 2) listing.leave(999);
		};
		expect(await trigger.poll()).toHaveLength(149);
		listing.meanwhile = () => {};
		expect(await trigger.poll()).toEqual([351]);
		expect(listing.requests).toHaveLength(4);
	});

	it('starts with no member who was there before, when many joined in one second', async () => {
		const listing = new Listing();
		listing.join(120, true);
		listing.meanwhile = (requests) => {
			if (requests === 1 || requests === 4) listing.members.shift();
		};
		const trigger = await Trigger.of(listing);
		listing.meanwhile = () => {};
		for (let polls = 0; polls < 3; polls++) expect(await trigger.poll()).toEqual([]);
	});
});

describe('a poll that runs out of time', () => {
	async function slow(joined: number, mostRequests: number) {
		const listing = Listing.upTo(300);
		const trigger = await Trigger.of(listing);
		listing.join(joined);
		listing.mostRequests = mostRequests;
		return { listing, trigger };
	}

	it('hands over what it has read, and the next one goes on at the page where it stopped', async () => {
		const { listing, trigger } = await slow(300, 3);
		expect(await trigger.poll()).toEqual(up(451, 600));
		expect(listing.requests).toEqual([1, 2, 3]);
		expect(await trigger.poll()).toEqual(up(351, 450));
		expect(listing.requests).toEqual([3, 4, 5]);
		expect(await trigger.poll()).toEqual(up(301, 350));
		expect(listing.requests).toEqual([5, 6, 7]);
	});

	it.each([
		[2, 150],
		[3, 150],
		[5, 700],
	])(
		'misses none with %d requests in a poll, %d new members, and settles',
		async (most, joined) => {
			const { listing, trigger } = await slow(joined, most);
			for (let polls = 0; polls < 70; polls++) {
				await trigger.poll();
				if (polls < 10) listing.join(1);
			}
			expect(sorted(trigger.given)).toEqual(up(301, 310 + joined));
			expect(listing.requests).toEqual([1]);
		},
	);

	it('begins at the top again where so many left that others may have moved to the pages above', async () => {
		const { listing, trigger } = await slow(300, 3);
		await trigger.poll();
		listing.leave(...down(600, 400));
		listing.mostRequests = Infinity;
		expect(await trigger.poll()).toEqual(up(301, 399));
		expect(listing.requests.slice(0, 2)).toEqual([3, 1]);
	});

	it('says so where it has read nothing, and keeps the cursor', async () => {
		const { listing, trigger } = await slow(300, 0);
		const cursor = trigger.cursor!;
		const step = await findNew(cursor, listing.fetchPage);
		expect(step).toEqual({ found: [], cursor, stopped: expect.any(Stopped) as Stopped });
	});

	it('says so where one page is all that it could read, with nothing new', async () => {
		const { listing, trigger } = await slow(50, 1);
		expect(await trigger.poll()).toHaveLength(50);
		listing.requests = [];
		const { stopped } = await findNew(trigger.cursor!, listing.fetchPage);
		expect(stopped).toBeInstanceOf(Stopped);
	});

	it('says nothing where it has read several pages with nothing new, and goes on', async () => {
		const { listing, trigger } = await slow(150, 2);
		await trigger.poll();
		await trigger.poll();
		listing.requests = [];
		const { found, stopped } = await findNew(trigger.cursor!, listing.fetchPage);
		expect([listing.requests.length, stopped]).toEqual([2, undefined]);
		expect(found).toEqual([]);
	});

	it('hands over no more than some ten thousand, and the next ones the rest', async () => {
		const listing = Listing.upTo(300);
		const trigger = await Trigger.of(listing);
		listing.join(12_000);
		const first = await trigger.poll();
		expect(first).toHaveLength(10_000);
		await trigger.poll();
		expect(sorted(trigger.given)).toEqual(up(301, 12_300));
		for (let polls = 0; polls < 3; polls++) expect(await trigger.poll()).toEqual([]);
		expect(listing.requests).toEqual([1]);
	});
});

describe('a poll that the API refuses in the middle', () => {
	it('ends with what the API said', async () => {
		const refusal = new Error('no');
		const listing = Listing.upTo(450);
		listing.meanwhile = (requests) => {
			if (requests === 2) throw refusal;
		};
		await expect(findNew(knowing(down(300, 251)), listing.fetchPage)).rejects.toBe(refusal);
	});

	it('ends with a failure where the listing brings the same members without end', async () => {
		let requests = 0;
		const endless = async () => {
			requests++;
			return await Promise.resolve({ records: [member(9, 900)], hasMore: true });
		};
		expect(await failing(findNew(knowing([1]), endless))).toEqual({
			reason: 'The listing of members does not end',
			advice: 'Tell the operators of the community.',
		});
		// The first one brings a member, the next ten nothing.
		expect(requests).toBe(11);
	});
});

describe('the newest member', () => {
	it('is the first one of the first page', async () => {
		const listing = Listing.upTo(120);
		expect(await newestMember(listing.fetchPage)).toEqual(member(120, 120));
		expect(listing.requests).toEqual([1]);
	});

	it('is found where the pages before are empty', async () => {
		const fetchPage = async (page: number) =>
			await Promise.resolve({ records: page < 3 ? [] : [member(7, 7)], hasMore: true });
		expect(await newestMember(fetchPage)).toEqual(member(7, 7));
	});

	it('is none in an empty community', async () => {
		expect(await newestMember(new Listing().fetchPage)).toBeUndefined();
	});
});

describe('a listing under another address', () => {
	// The newest fifty of 300 are known; 100 have joined since, on two pages.
	const known = down(300, 251).map((id): [string, number] => [`${id}.a`, id * SECOND]);
	const cursor = knowing([], { floor: 251 * SECOND, known });
	const members = (count: number, sid: string): IDataObject[] =>
		down(count, 1).map((id) => inFull(id, sid, id));

	it.each([
		[320, 1],
		[400, 3],
	])('is the same where %d are in it, after %d pages', async (count, requests) => {
		const listing = new Listing(members(count, 'a'));
		expect(await isSameListing(cursor, listing.fetchPage)).toBe(true);
		expect(listing.requests).toHaveLength(requests);
	});

	it('is another one where the same numbers have other secondary ids', async () => {
		const listing = new Listing(members(400, 'b'));
		expect(await isSameListing(cursor, listing.fetchPage)).toBe(false);
	});

	it('is another one where more than ten thousand are not known', async () => {
		const others = down(10_100, 301).map((id) => inFull(id, 'b', id));
		const listing = new Listing(others);
		expect(await isSameListing(cursor, listing.fetchPage)).toBe(false);
	});

	it('is not told where there is no time to read it', async () => {
		const listing = new Listing(members(400, 'a'));
		listing.mostRequests = 1;
		await expect(isSameListing(cursor, listing.fetchPage)).rejects.toBeInstanceOf(Stopped);
	});
});
