import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Cursor } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { drain, start } from '../../nodes/CommunityPlatformPollingTrigger/drain.ts';
import { Stopped } from '../../nodes/shared/api/index.ts';

interface Member {
	id: number;
	/** When they joined, in seconds. */
	at: number;
}

const PAGE_SIZE = 50;

/** A listing of members by join time, the newest first, whose ties come in an order of their own. */
class Listing {
	members: Member[] = [];
	requests: number[] = [];
	/** Called before each page is cut. */
	meanwhile: (page: number) => void = () => {};
	/** Leaves out the header, as if every page but the last were cut short, and so on. */
	pageSize = PAGE_SIZE;
	/** Gives pages of its own size, whatever it is asked for. */
	keepsSize = false;
	tie: (member: Member) => number = ({ id }) => id;

	join(at: number, id = this.members.length + 1): Member {
		const member = { id, at };
		this.members.push(member);
		return member;
	}

	fetchPage = async (page: number, asked = this.pageSize) => {
		const pageSize = this.keepsSize ? this.pageSize : asked;
		this.meanwhile(page);
		this.requests.push(page);
		const sorted = [...this.members].sort((a, b) => b.at - a.at || this.tie(b) - this.tie(a));
		const records = sorted
			.slice((page - 1) * pageSize, page * pageSize)
			.map(({ id, at }): IDataObject => ({
				user_id: id,
				created_at: new Date(at * 1000).toISOString(),
			}));
		return { records, hasMore: page * pageSize < sorted.length };
	};
}

/** A trigger that polls a listing; what it keeps goes through JSON, as in n8n's database. */
class Trigger {
	emitted: number[] = [];
	cursor?: Cursor;

	constructor(private readonly listing: Listing) {}

	async poll(hasTime = () => true, mostPages = () => 10): Promise<number[]> {
		this.listing.requests = [];
		if (!this.cursor) {
			this.keep(await start('here', this.listing.fetchPage));
			return [];
		}
		const { found, cursor } = await drain(this.cursor, this.listing.fetchPage, hasTime, mostPages);
		this.keep(cursor);
		const ids = found.map(({ user_id }) => user_id as number);
		for (const id of ids) this.emitted.push(id);
		return ids;
	}

	private keep(cursor: Cursor) {
		this.cursor = JSON.parse(JSON.stringify(cursor)) as Cursor;
	}
}

function started(members: number): { listing: Listing; trigger: Trigger } {
	const listing = new Listing();
	for (let index = 0; index < members; index++) listing.join(index);
	return { listing, trigger: new Trigger(listing) };
}

const ascending = (ids: number[]) => [...ids].sort((a, b) => a - b);
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

const step = fc.oneof(
	fc.record({ kind: fc.constant('poll' as const) }),
	fc.record({
		kind: fc.constant('join' as const),
		// Often the same second as before, now and then a burst beyond a page.
		count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 30, max: 180 })),
		later: fc.oneof(fc.constant(0), fc.nat({ max: 3 })),
	}),
	// Someone joins while the trigger is between two pages of its next poll.
	fc.record({
		kind: fc.constant('joinWhilePaging' as const),
		page: fc.integer({ min: 1, max: 4 }),
	}),
);

describe('cursor', () => {
	it('gives each member exactly once, in any order of joins and polls', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 130 }),
				fc.array(step, { maxLength: 25 }),
				fc.boolean(),
				async (before, steps, isTieReversed) => {
					const { listing, trigger } = started(before);
					if (isTieReversed) listing.tie = ({ id }) => -id;
					let now = before;
					await trigger.poll();
					for (const each of steps) {
						if (each.kind === 'poll') {
							const ids = await trigger.poll();
							const times = ids.map((id) => listing.members[id - 1].at);
							expect(times).toEqual(ascending(times));
							listing.meanwhile = () => {};
						} else if (each.kind === 'join') {
							now += each.later;
							for (let index = 0; index < each.count; index++) listing.join(now);
						} else {
							listing.meanwhile = (page) => {
								if (page === each.page) listing.join(now);
							};
						}
					}
					listing.meanwhile = () => {};
					await trigger.poll();
					expect(ascending(trigger.emitted)).toEqual(range(before + 1, listing.members.length));
					expect(await trigger.poll()).toEqual([]);
				},
			),
			{ numRuns: 400 },
		);
	}, 60_000);

	it('starts from now, also in the middle of a second', async () => {
		const { listing, trigger } = started(0);
		for (let index = 0; index < 120; index++) listing.join(5);
		expect(await trigger.poll()).toEqual([]);
		listing.join(5);
		expect(await trigger.poll()).toEqual([121]);
	});

	it('starts in an empty community', async () => {
		const { listing, trigger } = started(0);
		await trigger.poll();
		listing.join(1);
		expect(await trigger.poll()).toEqual([1]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('asks for one page when nothing much has happened', async () => {
		const { listing, trigger } = started(500);
		await trigger.poll();
		expect(listing.requests).toEqual([1]);
		for (let index = 0; index < 40; index++) listing.join(600);
		expect(await trigger.poll()).toHaveLength(40);
		expect(listing.requests).toEqual([1]);
	});

	it('takes nobody who slides up for new when others leave', async () => {
		const { listing, trigger } = started(500);
		await trigger.poll();
		listing.members = listing.members.filter(({ id }) => id <= 450 || id % 2 === 0);
		expect(await trigger.poll()).toEqual([]);
		listing.members = listing.members.filter(({ id }) => id <= 420);
		expect(await trigger.poll()).toEqual([]);
	});

	it('gives nobody twice who leaves and comes back', async () => {
		const { listing, trigger } = started(500);
		await trigger.poll();
		listing.join(600);
		expect(await trigger.poll()).toEqual([501]);
		const left = listing.members.splice(480);
		expect(await trigger.poll()).toEqual([]);
		listing.members.push(...left);
		expect(await trigger.poll()).toEqual([]);
	});

	it('finds somebody approved late among the newest', async () => {
		const { listing, trigger } = started(500);
		await trigger.poll();
		listing.join(480.5, 900);
		expect(await trigger.poll()).toEqual([900]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('finds an approved member where the listing goes by the approval and not by the date it shows', async () => {
		const { listing, trigger } = started(500);
		await trigger.poll();
		const approved = listing.members.splice(3, 1)[0];
		const { fetchPage } = listing;
		listing.fetchPage = async (page) => {
			const fetched = await fetchPage(page);
			const created_at = new Date(approved.at * 1000).toISOString();
			const record = { user_id: approved.id, created_at };
			return page === 1 ? { ...fetched, records: [record, ...fetched.records] } : fetched;
		};
		expect(await trigger.poll()).toEqual([approved.id]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('goes by the place in the listing where no dates are shown', async () => {
		const { listing, trigger } = started(200);
		const { fetchPage } = listing;
		listing.fetchPage = async (page) => {
			const { records, hasMore } = await fetchPage(page);
			return { records: records.map(({ user_id }) => ({ user_id })), hasMore };
		};
		await trigger.poll();
		listing.join(300);
		listing.join(301);
		expect(await trigger.poll()).toEqual([201, 202]);
		listing.members = listing.members.filter(({ id }) => id < 195 || id > 200);
		expect(await trigger.poll()).toEqual([]);
	});
});

describe('a member who slides over a border of pages because the newest one leaves', () => {
	function sliding(): { listing: Listing; trigger: Trigger } {
		const { listing, trigger } = started(300);
		listing.meanwhile = () => {
			if (listing.requests.length !== 2 || listing.members.length < 450) return;
			listing.members = listing.members.filter(({ id }) => id !== 450);
		};
		return { listing, trigger };
	}
	const joining = (listing: Listing) => {
		for (let index = 0; index < 150; index++) listing.join(1000 + index);
	};

	it('is found by a look across each border', async () => {
		const { listing, trigger } = sliding();
		await trigger.poll();
		joining(listing);
		expect(await trigger.poll()).toEqual(range(301, 450));
		// Three borders of four pages.
		expect(listing.requests).toHaveLength(4 + 3);
		expect(await trigger.poll()).toEqual([]);
		expect(listing.requests).toEqual([1]);
	});

	it('is found by reading until it is the same twice where the API keeps a page size of its own', async () => {
		const { listing, trigger } = sliding();
		listing.keepsSize = true;
		await trigger.poll();
		joining(listing);
		expect(await trigger.poll()).toEqual(range(301, 450));
		// Each of the three readings begins with a look in vain.
		expect(listing.requests).toHaveLength(3 * (4 + 1));
		expect(await trigger.poll()).toEqual([]);
		expect(listing.requests).toEqual([1]);
	});

	it('is found by the next poll where there is no time for a look', async () => {
		const { listing, trigger } = sliding();
		await trigger.poll();
		joining(listing);
		const { fetchPage } = listing;
		listing.fetchPage = async (page, size) => {
			if (size) throw new Stopped();
			return await fetchPage(page);
		};
		expect(await trigger.poll(() => false)).toHaveLength(149);
		expect(await trigger.poll()).toEqual([350]);
		expect(await trigger.poll()).toEqual([]);
		expect(listing.requests).toEqual([1]);
	});

	it('leaves nobody out of more than can be remembered who joined in one second', async () => {
		const { listing, trigger } = started(20);
		await trigger.poll();
		for (let index = 0; index < 1600; index++) listing.join(1000);
		listing.meanwhile = () => {
			if (listing.requests.length !== 129) return;
			listing.members = listing.members.filter(({ id }) => id !== 1620);
		};
		await trigger.poll();
		expect(listing.members).toHaveLength(1619);
		for (let poll = 0; poll < 3; poll++) await trigger.poll();
		const given = trigger.emitted.filter((id) => id !== 1620);
		expect(ascending(given)).toEqual(range(21, 1619));
	});

	it('is nobody who was there before, when known ones leave who were below a border', async () => {
		const { listing, trigger } = started(150);
		await trigger.poll();
		for (let index = 0; index < 52; index++) listing.join(1000 + index);
		listing.meanwhile = () => {
			if (listing.requests.length !== 2) return;
			listing.members = listing.members.filter(({ id }) => id <= 104 || id > 150);
		};
		expect(await trigger.poll()).toEqual(range(151, 202));
		expect(listing.members).toHaveLength(156);
		expect(await trigger.poll()).toEqual([]);
	});
});

/** Polls as long as half a page of so many members is given each time, and a few times more. */
async function pollFor(members: number, trigger: Trigger, mostPages: number): Promise<void> {
	const polls = members / (PAGE_SIZE / 2) + 5;
	for (let poll = 0; poll < polls; poll++) {
		await trigger.poll(
			() => false,
			() => mostPages,
		);
	}
}

/** Has a poll stopped once the API has answered so many requests. */
function slowTo(most: number, listing: Listing): void {
	const { fetchPage } = listing;
	listing.fetchPage = async (page, size) => {
		if (listing.requests.length >= most) throw new Stopped();
		return await fetchPage(page, size);
	};
}

it.each([2, 3, 4])('an API that answers %d requests in a poll holds up nobody', async (most) => {
	const { listing, trigger } = started(300);
	await trigger.poll();
	slowTo(most, listing);
	let now = 1000;
	for (let index = 0; index < 60; index++) listing.join(++now);
	for (let poll = 0; poll < 60; poll++) {
		listing.join(++now);
		await trigger.poll(
			() => false,
			() => most - 1,
		);
	}
	expect(trigger.emitted).toEqual(range(301, 420));
	expect(listing.requests).toEqual([1]);
});

describe('an API too slow for a poll to find where the known members begin', () => {
	it.each([
		[2, 150],
		[3, 150],
		[5, 150],
		[2, 700],
		[5, 2000],
	])('holds up nobody: %d requests in a poll, %d new members', async (most, members) => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		for (let index = 0; index < members; index++) listing.join(1000 + index);
		slowTo(most, listing);
		await pollFor(members, trigger, most - 1);
		expect(trigger.emitted).toEqual(range(301, 300 + members));
	});

	it('is gone on with where many more join before the next poll', async () => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		for (let index = 0; index < 150; index++) listing.join(1000 + index);
		slowTo(4, listing);
		expect(
			await trigger.poll(
				() => false,
				() => 3,
			),
		).toEqual([]);
		for (let index = 0; index < 1500; index++) listing.join(2000 + index);
		await pollFor(1650, trigger, 3);
		expect(trigger.emitted).toEqual(range(301, 1950));
	});

	it('is gone on with where many leave before the next poll', async () => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		for (let index = 0; index < 700; index++) listing.join(1000 + index);
		slowTo(5, listing);
		expect(
			await trigger.poll(
				() => false,
				() => 4,
			),
		).toEqual([]);
		listing.members = listing.members.filter(({ id }) => id <= 300 || id > 950);
		await pollFor(50, trigger, 4);
		expect(trigger.emitted).toEqual(range(951, 1000));
	});
});

describe('a long outage', () => {
	it('is made up for in pieces, the oldest first, none left out', async () => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		for (let index = 0; index < 6000; index++) listing.join(1000 + Math.floor(index / 7));
		const polls: number[][] = [];
		do polls.push(await trigger.poll(() => false));
		while (polls[polls.length - 1].length > 0);
		expect(polls.length).toBeGreaterThan(5);
		expect(ascending(trigger.emitted)).toEqual(range(301, 6300));
		const times = trigger.emitted.map((id) => listing.members[id - 1].at);
		expect(times).toEqual(ascending(times));
		expect(trigger.cursor?.known.length).toBeLessThanOrEqual(1000);
	});

	it('is made up for as far as there is time', async () => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		for (let index = 0; index < 6000; index++) listing.join(1000 + index);
		let pieces = 1;
		const ids = await trigger.poll(() => pieces++ < 3);
		expect(ids[0]).toBe(301);
		expect(ids.length).toBeGreaterThan(1000);
		expect(ids.length).toBeLessThanOrEqual(1500);
	});

	it('is made up for at once when there is time, people joining meanwhile', async () => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		for (let index = 0; index < 6000; index++) listing.join(1000 + index);
		listing.meanwhile = () => listing.join(9000 + listing.members.length);
		await trigger.poll();
		listing.meanwhile = () => {};
		await trigger.poll();
		expect(ascending(trigger.emitted)).toEqual(range(301, listing.members.length));
	});

	it('asks for few pages beside those it reads', async () => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		for (let index = 0; index < 6000; index++) listing.join(1000 + index);
		await trigger.poll(() => false);
		// Ten to see that it is long, ten for the piece and as many for its borders, the rest to find its place.
		expect(listing.requests.length).toBeLessThanOrEqual(10 + 11 + 10 + 9);
		let requests = 0;
		do requests += listing.requests.length;
		while ((await trigger.poll(() => false)).length > 0);
		expect(requests).toBeLessThanOrEqual(500);
	});

	it('is made up for in smaller pieces where there is time for few pages', async () => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		for (let index = 0; index < 3000; index++) listing.join(1000 + index);
		let most = 0;
		while (
			(
				await trigger.poll(
					() => false,
					() => 2,
				)
			).length > 0
		) {
			most = Math.max(most, listing.requests.length);
		}
		expect(ascending(trigger.emitted)).toEqual(range(301, 3300));
		// Two to see that it is long, three of its own, two for their borders, the rest to find its place.
		expect(most).toBeLessThanOrEqual(2 + 3 + 2 + 9);
	});

	it('ends with a failure when the listing does not end, and the cursor stays', async () => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		const { cursor } = trigger;
		listing.join(900);
		listing.fetchPage = async (page) => ({
			records: [{ user_id: 10_000 + page, created_at: '2030-01-01T00:00:00Z' }],
			hasMore: true,
		});
		await expect(trigger.poll()).rejects.toThrow('does not end');
		expect(trigger.cursor).toEqual(cursor);
	});

	it('of more than a thousand in one second leaves nobody out', async () => {
		const { listing, trigger } = started(300);
		await trigger.poll();
		for (let index = 0; index < 2500; index++) listing.join(1000);
		for (let poll = 0; poll < 8; poll++) await trigger.poll();
		expect(ascending(trigger.emitted)).toEqual(range(301, 2800));
	});
});
