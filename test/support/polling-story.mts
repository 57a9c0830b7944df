import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Cursor } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { drain, start } from '../../nodes/CommunityPlatformPollingTrigger/drain.ts';
import { Stopped } from '../../nodes/shared/api/index.ts';

const PAGE_SIZE = 50;

/** What can happen to a community; `pick` is between 0 and 1, from the newest to the oldest. */
export type Happening =
	/** `together` of them in the same second. */
	| { kind: 'join'; count: number; later: number; together: number }
	| { kind: 'leave'; pick: number }
	| { kind: 'return'; pick: number }
	/** Somebody with an old join time enters the listing: approved, or given the status that is watched. */
	| { kind: 'approve'; pick: number };

/** A poll, and what happens before it and while it reads. */
export interface Round {
	before: Happening[];
	/** Before its first request, its second one and so on. */
	during: Happening[][];
	/** How often it is told that there is time for more. */
	moreTime: number;
	/** The request that is not answered; none where it is 0. */
	failing: number;
	/** The request at which its time is over; never where it is 0. */
	stopped: number;
	/** How many pages it is told that there is time for. */
	slow: number;
}

interface Member {
	id: number;
	at: number;
	isListed: boolean;
}

/** A community in which things happen, and what its trigger has to give: an independent account. */
export class Story {
	given: number[] = [];
	requests = 0;
	private readonly members: Member[] = [];
	private now = 1;
	private cursor?: Cursor;
	private phase: 'before' | 'starting' | 'started' = 'before';
	/** Who was in the listing when the trigger started, and until it had. */
	private readonly old = new Set<number>();
	/** Who came while it started: may be given or not. */
	private readonly free = new Set<number>();
	/** Who joined since and has been there without a break. */
	private readonly owed = new Set<number>();
	/** Whoever joined by then cannot be told from those who were there before. */
	private floor = -Infinity;

	/** @param mostOnPage the most members that the API gives at once, whatever it is asked for */
	constructor(
		members: number,
		private readonly isTieReversed: boolean,
		private readonly mostOnPage = PAGE_SIZE,
	) {
		for (let index = 0; index < members; index++) this.join(index % 3 === 0 ? 0 : 1);
	}

	happen(happening: Happening): void {
		if (happening.kind === 'join') {
			const { count, later, together } = happening;
			this.now += later;
			for (let index = 1; index <= count; index++) this.join(index % together === 0 ? 1 : 0);
		} else if (happening.kind === 'approve') {
			this.list(this.newMember(this.now - Math.floor(happening.pick ** 3 * this.now)));
		} else {
			const isLeaving = happening.kind === 'leave';
			const candidates = this.sorted().filter(({ isListed }) => isListed === isLeaving);
			const member = candidates[Math.floor(happening.pick * candidates.length)];
			if (!member) return;
			if (!isLeaving) return this.list(member);
			member.isListed = false;
			this.owed.delete(member.id);
			// Whoever the trigger does not find when it starts is new to it later on.
			if (this.phase !== 'started') this.old.delete(member.id);
		}
	}

	async poll({ before, during, moreTime, failing, stopped, slow }: Round = QUIET): Promise<void> {
		before.forEach((happening) => this.happen(happening));
		// What stands on the first page, and joined late enough to be told from those before, is promised.
		const isCalm = during.length === 0 && failing === 0 && stopped === 0;
		const promised = isCalm ? this.listed().slice(0, this.mostOnPage) : [];
		this.requests = 0;
		const fetchPage = async (page: number, pageSize = PAGE_SIZE) => {
			const request = ++this.requests;
			during[request - 1]?.forEach((happening) => this.happen(happening));
			if (request === failing) throw new Error('no answer');
			if (stopped > 0 && request >= stopped) throw new Stopped();
			return this.page(page, Math.min(pageSize, this.mostOnPage));
		};
		let asked = 0;
		try {
			await this.run(
				fetchPage,
				() => asked++ < moreTime,
				() => slow,
			);
		} catch (error) {
			if (!(error instanceof Stopped) && (error as Error).message !== 'no answer') throw error;
			return;
		}
		for (const { id, at } of promised) {
			if (this.old.has(id) || this.free.has(id) || at <= this.floor) continue;
			if (moreTime > 5) expect(this.given).toContain(id);
		}
	}

	/** The pages down to somebody who joined before the newest one, in an earlier instant. */
	get leastRequests(): number {
		const listed = this.listed();
		const newest = listed.filter(({ at }) => at === listed[0]?.at).length;
		return Math.floor(newest / this.mostOnPage) + 1;
	}

	/** What the trigger did wrong in the end. */
	complaints(): { missing: number[]; twice: number[]; old: number[] } {
		const given = new Set(this.given);
		return {
			missing: [...this.owed].filter((id) => !given.has(id)),
			twice: this.given.filter((id, index) => this.given.indexOf(id) !== index),
			old: this.given.filter((id) => this.old.has(id)),
		};
	}

	private async run(
		fetchPage: (page: number, pageSize?: number) => Promise<Fetched>,
		hasTime: () => boolean,
		mostPages: () => number,
	) {
		if (!this.cursor) {
			this.phase = 'starting';
			const oldest = () => this.listed()[this.mostOnPage - 1]?.at ?? -Infinity;
			const before = oldest();
			this.cursor = copy(await start('here', fetchPage));
			this.phase = 'started';
			this.floor = Math.max(before, oldest());
			return;
		}
		const { found, cursor } = await drain(this.cursor, fetchPage, hasTime, mostPages);
		this.cursor = copy(cursor);
		const times = found.map(({ created_at }) => Date.parse(String(created_at)));
		expect(times).toEqual([...times].sort((a, b) => a - b));
		for (const { user_id } of found) this.given.push(user_id as number);
		const kept = this.cursor.known.map(([, at]) => at ?? 0);
		expect(kept.length).toBeLessThanOrEqual(1000);
		// Those at the end are forgotten first.
		expect(kept).toEqual([...kept].sort((a, b) => b - a));
	}

	private join(later: number): void {
		const member = this.newMember(this.now);
		this.list(member);
		if (this.phase === 'started') this.owed.add(member.id);
		this.now += later;
	}

	private newMember(at: number): Member {
		const member = { id: this.members.length + 1, at, isListed: false };
		this.members.push(member);
		return member;
	}

	private list(member: Member): void {
		member.isListed = true;
		if (this.phase === 'before') this.old.add(member.id);
		if (this.phase === 'starting') this.free.add(member.id);
	}

	private sorted(): Member[] {
		const tie = this.isTieReversed ? -1 : 1;
		return [...this.members].sort((a, b) => b.at - a.at || tie * (b.id - a.id));
	}

	private listed(): Member[] {
		return this.sorted().filter(({ isListed }) => isListed);
	}

	private page(page: number, pageSize: number): Fetched {
		const all = this.listed();
		const records = all.slice((page - 1) * pageSize, page * pageSize).map(({ id, at }) => ({
			user_id: id,
			msid: `${id}.${(id * 7919).toString(16)}`,
			created_at: new Date(at * 1000).toISOString(),
		}));
		return { records, hasMore: page * pageSize < all.length };
	}
}

interface Fetched {
	records: IDataObject[];
	hasMore: boolean;
}

/** A poll in which nothing happens. */
export const QUIET: Round = {
	before: [],
	during: [],
	moreTime: Infinity,
	failing: 0,
	stopped: 0,
	slow: 10,
};

// Through JSON, as in n8n's database.
const copy = (cursor: Cursor) => JSON.parse(JSON.stringify(cursor)) as Cursor;

const pick = fc.oneof(
	fc.constant(0),
	fc.double({ min: 0, max: 0.2, noNaN: true }),
	fc.double({ min: 0, max: 0.999, noNaN: true }),
);
const few = fc.record({
	kind: fc.constant('join' as const),
	count: fc.integer({ min: 1, max: 4 }),
	later: fc.nat({ max: 2 }),
	together: fc.integer({ min: 1, max: 4 }),
});
const single = fc.oneof(
	{ weight: 3, arbitrary: few },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('leave' as const), pick }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('return' as const), pick }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('approve' as const), pick }) },
);

/**
 * Polls of all kinds.
 *
 * @param most members who join at a time
 * @param calmness how many page requests pass without anything happening, for each with something
 */
export function rounds(most: number, calmness: number) {
	const burst = fc.record({
		kind: fc.constant('join' as const),
		count: fc.integer({ min: 20, max: most }),
		later: fc.nat({ max: 1 }),
		together: fc.integer({ min: 1, max: 60 }),
	});
	const meanwhile = fc.oneof(
		{ weight: calmness, arbitrary: fc.constant<Happening[]>([]) },
		{ weight: 1, arbitrary: fc.array(single, { minLength: 1, maxLength: 2 }) },
	);
	return fc.array(
		fc.record({
			before: fc.array(
				fc.oneof({ weight: 3, arbitrary: single }, { weight: 2, arbitrary: burst }),
				{
					maxLength: 4,
				},
			),
			during: fc.array(meanwhile, { maxLength: 40, size: 'max' }),
			moreTime: fc.oneof(fc.nat({ max: 3 }), fc.constant(100)),
			failing: fc.oneof(
				{ weight: 6, arbitrary: fc.constant(0) },
				{ weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }) },
			),
			stopped: fc.oneof(
				{ weight: 4, arbitrary: fc.constant(0) },
				{ weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) },
			),
			slow: fc.oneof(fc.constant(10), fc.nat({ max: 12 })),
		}),
		{ minLength: 1, maxLength: 8 },
	);
}
