import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Cursor } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { findNew, start } from '../../nodes/CommunityPlatformPollingTrigger/newMembers.ts';
import { Stopped } from '../../nodes/shared/transport/index.ts';
import type { Page } from '../../nodes/shared/pagination.ts';

/** A factor for the number of stories, for a long run: set STORIES in the environment. */
export const TIMES = Number(process.env.STORIES ?? 1);

/** What can happen to a community; `pick` is between 0 and 1, from the newest to the oldest. */
export type Happening =
	/** `together` of them in the same second. */
	| { kind: 'join'; count: number; later: number; together: number }
	| { kind: 'leave'; pick: number }
	/** Members who did not leave while a poll was reading, which could hide that others moved. */
	| { kind: 'return'; pick: number }
	/** A member with an old join time enters the listing: approved, or given the status that is watched. */
	| { kind: 'approve'; pick: number };

/** A poll, and what happens before it and while it reads. */
export interface Round {
	before: Happening[];
	/** Before its first request, its second one and so on. */
	during: Happening[][];
	/** The request that is not answered; none where it is 0. */
	failing: number;
	/** The request at which its time is over; never where it is 0. */
	stopped: number;
}

/** How the API gives the listing. */
export interface Habits {
	/** The most members on a page, though 50 are asked for. */
	pageSize: number;
	/** Whether has_more is given. */
	hasHeader: boolean;
	/** The members whose join time is shown. */
	dated: 'all' | 'none' | 'some';
	/** Whether members of the same second come in the reverse order. */
	isTieReversed: boolean;
}

/** An API as it is documented. */
export const DOCUMENTED: Habits = {
	pageSize: 50,
	hasHeader: true,
	dated: 'all',
	isTieReversed: false,
};

interface Member {
	id: number;
	at: number;
	isListed: boolean;
	/** Whether the member left while a poll was reading. */
	isGone: boolean;
}

/** A community in which things happen, and what its trigger has to give: an independent account. */
export class Story {
	given: number[] = [];
	requests = 0;
	private readonly members: Member[] = [];
	private inOrder?: Member[];
	private shown?: Member[];
	private now = 1;
	private cursor?: Cursor;
	private phase: 'before' | 'starting' | 'started' = 'before';
	/** Members in the listing when the trigger started, and until it had. */
	private readonly old = new Set<number>();
	/** Members who came while it started: may be given or not. */
	private readonly free = new Set<number>();
	/** Members who joined since and have been there without a break. */
	private readonly owed = new Set<number>();
	/** Members who joined by then cannot be told from those who were there before. */
	private floor = -Infinity;

	constructor(
		members: number,
		private readonly habits: Habits = DOCUMENTED,
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
			const candidates = this.sorted().filter((member) =>
				isLeaving ? member.isListed : !member.isListed && !member.isGone,
			);
			const member = candidates[Math.floor(happening.pick * candidates.length)];
			if (!member) return;
			if (!isLeaving) return this.list(member);
			member.isListed = false;
			member.isGone = this.requests > 0;
			this.shown = undefined;
			this.owed.delete(member.id);
			// A member whom the trigger does not find when it starts is new to it later on. Whether it was found is
			// open while it starts; and without times, one who was never read looks new on returning.
			const isOpen = this.phase === 'starting' || this.habits.dated !== 'all';
			if (this.phase === 'started' && !isOpen) return;
			if (this.old.delete(member.id) && this.phase !== 'before') this.free.add(member.id);
		}
	}

	async poll({ before, during, failing, stopped }: Round = QUIET): Promise<void> {
		this.requests = 0;
		before.forEach((happening) => this.happen(happening));
		const isCalm = during.length === 0 && failing === 0 && stopped === 0;
		const promised = isCalm ? this.firstPage() : [];
		const fetchPage = async (page: number) => {
			const request = ++this.requests;
			during[request - 1]?.forEach((happening) => this.happen(happening));
			if (request === failing) throw new Error('no answer');
			if (stopped > 0 && request >= stopped) throw new Stopped();
			return this.page(page);
		};
		try {
			await this.run(fetchPage);
		} catch (error) {
			if (!(error instanceof Stopped) && (error as Error).message !== 'no answer') throw error;
			return;
		}
		for (const member of promised) {
			if (this.old.has(member.id) || this.free.has(member.id)) continue;
			const isTold = this.isDated(member) && member.at > this.floor;
			if (isTold || this.owed.has(member.id)) expect(this.given).toContain(member.id);
		}
	}

	/** The pages down to a member who joined before the newest one, in an earlier instant. */
	get leastRequests(): number {
		const listed = this.listed();
		const newest = listed.filter(({ at }) => at === listed[0]?.at).length;
		return Math.floor(newest / this.habits.pageSize) + 1;
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

	private async run(fetchPage: (page: number) => Promise<Page>) {
		if (!this.cursor) {
			this.phase = 'starting';
			const before = this.oldestShown();
			this.cursor = copy(await start('here', fetchPage));
			this.phase = 'started';
			this.floor = Math.max(before, this.oldestShown());
			return;
		}
		const { found, cursor, stopped } = await findNew(this.cursor, fetchPage);
		this.cursor = copy(cursor);
		if (stopped) expect(found).toEqual([]);
		for (const { user_id } of found) this.given.push(user_id as number);
		if (this.habits.dated !== 'all') return;
		const times = found.map(({ created_at }) => Date.parse(String(created_at)));
		expect(times).toEqual([...times].sort((a, b) => a - b));
		// Those at the end are forgotten first.
		const kept = this.cursor.known.map(([, at]) => at ?? 0);
		expect(kept).toEqual([...kept].sort((a, b) => b - a));
		if (!this.cursor.unconfirmed) expect(kept.length).toBeLessThanOrEqual(1000);
	}

	private join(later: number): void {
		const member = this.newMember(this.now);
		this.list(member);
		if (this.phase === 'started') this.owed.add(member.id);
		this.now += later;
	}

	private newMember(at: number): Member {
		const id = this.members.length + 1;
		const member = { id, at, isListed: false, isGone: false };
		this.members.push(member);
		this.inOrder = undefined;
		return member;
	}

	private list(member: Member): void {
		member.isListed = true;
		this.shown = undefined;
		if (this.phase === 'before') this.old.add(member.id);
		if (this.phase === 'starting') this.free.add(member.id);
	}

	// Kept until something happens, because every page is cut from it.
	private sorted(): Member[] {
		const tie = this.habits.isTieReversed ? -1 : 1;
		this.inOrder ??= [...this.members].sort((a, b) => b.at - a.at || tie * (b.id - a.id));
		return this.inOrder;
	}

	private listed(): Member[] {
		this.shown ??= this.sorted().filter(({ isListed }) => isListed);
		return this.shown;
	}

	private firstPage(): Member[] {
		return this.listed().slice(0, this.habits.pageSize);
	}

	private isDated({ id }: Member): boolean {
		const { dated } = this.habits;
		return dated === 'all' || (dated === 'some' && id % 3 > 0);
	}

	// The oldest time on the first page; all are newer where the API says that there are no others.
	private oldestShown(): number {
		const { hasHeader, pageSize } = this.habits;
		if (hasHeader && this.listed().length <= pageSize) return -Infinity;
		const dated = this.firstPage().filter((member) => this.isDated(member));
		return dated[dated.length - 1]?.at ?? Infinity;
	}

	private page(page: number): Page {
		const { pageSize, hasHeader } = this.habits;
		const all = this.listed();
		const records = all
			.slice((page - 1) * pageSize, page * pageSize)
			.map((member): IDataObject => ({
				user_id: member.id,
				msid: `${member.id}.${(member.id * 7919).toString(16)}`,
				...(this.isDated(member) && { created_at: new Date(member.at * 1000).toISOString() }),
			}));
		return { records, ...(hasHeader && { hasMore: page * pageSize < all.length }) };
	}
}

/** A poll in which nothing happens. */
export const QUIET: Round = { before: [], during: [], failing: 0, stopped: 0 };

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

/** The forms in which an API gives the listing. Without times, only the position tells which member is newer. */
export const habits = fc
	.record<Habits>({
		pageSize: fc.oneof(fc.constant(50), fc.integer({ min: 20, max: 49 })),
		hasHeader: fc.boolean(),
		dated: fc.constantFrom('all', 'all', 'none', 'some'),
		isTieReversed: fc.boolean(),
	})
	.map((api) => ({ ...api, isTieReversed: api.isTieReversed && api.dated === 'all' }));

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
	const rarely = (weight: number, max: number) =>
		fc.oneof(
			{ weight, arbitrary: fc.constant(0) },
			{ weight: 1, arbitrary: fc.integer({ min: 1, max }) },
		);
	return fc.array(
		fc.record<Round>({
			before: fc.array(
				fc.oneof({ weight: 3, arbitrary: single }, { weight: 2, arbitrary: burst }),
				{ maxLength: 4 },
			),
			during: fc.array(meanwhile, { maxLength: 40, size: 'max' }),
			failing: rarely(6, 8),
			stopped: rarely(2, 12),
		}),
		{ minLength: 1, maxLength: 8 },
	);
}
