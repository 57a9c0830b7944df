import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Cursor } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { advance, reaching, startAt } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { isStart, readPages } from '../../nodes/CommunityPlatformPollingTrigger/reading.ts';
import { pages } from '../../nodes/shared/pagination.ts';
import { userList } from '../../nodes/shared/records/types.ts';
import type { ApiRequest, HttpAnswer } from '../../nodes/shared/transport/index.ts';
import { Stopped } from '../../nodes/shared/transport/index.ts';

/** A factor for the number of stories, for a long run: set STORIES in the environment. */
export const TIMES = Number(process.env.STORIES ?? 1);

/** What can happen to a community; `pick` is between 0 and 1, from the newest to the oldest. */
export type Happening =
	/** `together` of them in the same second. */
	| { kind: 'join'; count: number; together: number }
	| { kind: 'leave'; pick: number }
	| { kind: 'return'; pick: number };

/** A poll, and what happens before it and while it reads. */
export interface Round {
	before: Happening[];
	/** Before its first request, its second one and so on. */
	during: Happening[][];
	/** The request at which its time is over; never where it is 0. */
	stopped: number;
}

/** How the API gives the listing. */
export interface Habits {
	/** The most members on a page, though 50 are asked for. */
	pageSize: number;
	/** Whether has_more is given. */
	hasHeader: boolean;
	/** Whether members of the same second come in the reverse order. */
	isTieReversed: boolean;
	/** The members whose join time is shown. */
	dated: 'all' | 'none' | 'some';
}

/** An API as it is documented. */
const DOCUMENTED: Habits = {
	pageSize: 50,
	hasHeader: true,
	isTieReversed: false,
	dated: 'all',
};

/** A poll in which nothing happens. */
const QUIET: Round = { before: [], during: [], stopped: 0 };

interface Member {
	id: number;
	at: number;
	isListed: boolean;
	/** Whether the member left while a poll was reading: one who is back before the next could hide what was missed. */
	isGone: boolean;
	/** The poll during which the member joined: one who leaves before its end could hide the same. */
	joinedIn?: number;
	/** Whether the member has been there without a break; one who is back is listed below those who joined since. */
	isSteady: boolean;
}

/** A community in which things happen, and its trigger. */
export class Story {
	readonly given: number[] = [];
	/** The pages asked for by the last poll. */
	requests: number[] = [];
	cursor?: Cursor;
	private readonly members: Member[] = [];
	private now = 1;
	private isReading = false;
	private polls = 0;
	// Kept until something happens, because every page is cut from it.
	private shown?: Member[];

	/** @param members who are there before the trigger */
	constructor(
		members: number,
		private readonly habits: Habits = DOCUMENTED,
	) {
		this.happen({ kind: 'join', count: members, together: 3 });
	}

	happen(happening: Happening): void {
		this.shown = undefined;
		if (happening.kind === 'join') {
			for (let index = 1; index <= happening.count; index++) {
				if (index % happening.together === 0) this.now++;
				const id = this.members.length + 1;
				const joinedIn = this.isReading ? this.polls : undefined;
				this.members.push({
					...{ id, at: this.now, joinedIn },
					...{ isListed: true, isGone: false, isSteady: true },
				});
			}
			return;
		}
		const isLeaving = happening.kind === 'leave';
		const candidates = this.sorted().filter((member) =>
			isLeaving
				? member.isListed && member.joinedIn !== this.polls
				: !member.isListed && !member.isGone,
		);
		const member = candidates[Math.floor(happening.pick * candidates.length)];
		if (!member) return;
		member.isListed = !isLeaving;
		member.isGone = this.isReading;
		member.isSteady = false;
	}

	/** One poll; the first one starts the trigger. What it keeps goes through JSON, as in n8n's database. */
	async poll({ before, during, stopped }: Round = QUIET): Promise<number[]> {
		before.forEach((happening) => this.happen(happening));
		this.requests = [];
		const send = async (request: ApiRequest) => {
			during[this.requests.length]?.forEach((happening) => this.happen(happening));
			if (stopped > 0 && this.requests.length >= stopped - 1) throw new Stopped();
			const page = Number(request.qs?.page);
			this.requests.push(page);
			return await Promise.resolve(this.answer(page));
		};
		const members = (from: number) => pages({ send }, { path: '/users' }, userList, { from });
		this.isReading = true;
		this.polls++;
		try {
			if (!this.cursor) {
				this.cursor = copy(startAt('here 10', await readPages(members(1), isStart)));
				return [];
			}
			const from = this.cursor.next?.page ?? 1;
			const reading = await readPages(members(from), reaching(this.cursor));
			if (reading.pages === 0) return [];
			if (reading.obstacle && !(reading.obstacle instanceof Stopped)) throw reading.obstacle;
			const { found, cursor } = advance(this.cursor, reading);
			this.cursor = copy(cursor);
			const ids = found.map(({ user_id }) => user_id as number);
			this.given.push(...ids);
			return ids;
		} finally {
			this.isReading = false;
		}
	}

	/** Members who are listed, and have been since they joined. */
	steady(): number[] {
		return this.shownNow()
			.filter(({ isSteady }) => isSteady)
			.map(({ id }) => id);
	}

	private shownNow(): Member[] {
		this.shown ??= this.sorted().filter(({ isListed }) => isListed);
		return this.shown;
	}

	private sorted(): Member[] {
		const tie = this.habits.isTieReversed ? -1 : 1;
		return [...this.members].sort((a, b) => b.at - a.at || tie * (b.id - a.id));
	}

	private answer(page: number): HttpAnswer {
		const { pageSize, hasHeader, dated } = this.habits;
		const all = this.shownNow();
		const records = all
			.slice((page - 1) * pageSize, page * pageSize)
			.map(({ id, at }): IDataObject => ({
				user_id: id,
				msid: `${id}.${(id * 7919).toString(16)}`,
				...((dated === 'all' || (dated === 'some' && id % 3 > 0)) && {
					created_at: new Date(at * 1000).toISOString(),
				}),
			}));
		const has_more = page * pageSize < all.length ? 1 : 0;
		return { statusCode: 200, headers: hasHeader ? { has_more } : {}, body: records };
	}
}

const copy = (cursor: Cursor) => JSON.parse(JSON.stringify(cursor)) as Cursor;

const pick = fc.oneof(
	fc.double({ min: 0, max: 0.2, noNaN: true }),
	fc.double({ min: 0, max: 0.999, noNaN: true }),
);
const joining = (most: number) =>
	fc.record({
		kind: fc.constant('join' as const),
		count: fc.integer({ min: 1, max: most }),
		together: fc.integer({ min: 1, max: 60 }),
	});
const single = fc.oneof(
	{ weight: 3, arbitrary: joining(4) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('leave' as const), pick }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('return' as const), pick }) },
);

/** The forms in which an API gives the listing. */
export const habits = fc.record<Habits>({
	pageSize: fc.constantFrom(50, 50, 20, 33),
	hasHeader: fc.boolean(),
	isTieReversed: fc.boolean(),
	dated: fc.constant('all'),
});

/** Polls of all kinds, in which up to so many members join at a time. */
export const rounds = (most: number) =>
	fc.array(
		fc.record<Round>({
			before: fc.array(
				fc.oneof({ weight: 3, arbitrary: single }, { weight: 2, arbitrary: joining(most) }),
				{ maxLength: 4 },
			),
			during: fc.array(fc.array(single, { maxLength: 2 }), { maxLength: 20, size: 'max' }),
			stopped: fc.oneof(
				{ weight: 3, arbitrary: fc.constant(0) },
				{ weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) },
			),
		}),
		{ minLength: 1, maxLength: 8 },
	);
