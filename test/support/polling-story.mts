import fc from 'fast-check';
import type { Cursor } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { advance, reaching, startAt } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { isStart, readPages } from '../../nodes/CommunityPlatformPollingTrigger/reading.ts';
import { pages } from '../../nodes/shared/pagination.ts';
import { userList } from '../../nodes/shared/records/types.ts';
import { Cancelled, type ApiRequest, type HttpAnswer } from '../../nodes/shared/transport/index.ts';

/** A factor for the number of stories, for a long run: set STORIES in the environment. */
export const TIMES = Number(process.env.STORIES ?? 1);

/** What can happen to a community; `pick` is between 0 and 1, from the newest to the oldest. */
type Happening =
	/** `together` of them in the same second. */
	| { kind: 'join'; count: number; together: number }
	/** Two minutes, in which the instant of the last join is over. */
	| { kind: 'pause' }
	| { kind: 'leave'; pick: number }
	| { kind: 'return'; pick: number };

/** A poll, and what happens before it and while it reads. */
interface Round {
	before: Happening[];
	/** Before its first request, its second one and so on. */
	during: Happening[][];
	/** The request at which its time is over; never where it is 0. */
	stopped: number;
}

/** How the API gives the listing. */
interface Habits {
	/** The most members on a page, though 50 are asked for. */
	pageSize: number;
	/** Whether has_more is given. */
	hasHeader: boolean;
	/** Whether members of the same second come in the reverse order. */
	isTieReversed: boolean;
}

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
	cursor?: Cursor;
	/** The requests of the last poll. */
	requests = 0;
	private readonly members: Member[] = [];
	private now = 1;
	private isReading = false;
	private polls = 0;
	// Kept until something happens, because every page is cut from it.
	private shown?: Member[];

	/** @param members who are there before the trigger */
	constructor(
		members: number,
		private readonly habits: Habits,
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
					id,
					at: this.now,
					joinedIn,
					isListed: true,
					isGone: false,
					isSteady: true,
				});
			}
			return;
		}
		if (happening.kind === 'pause') {
			this.now += 120;
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
	async poll({ before, during, stopped }: Round = QUIET): Promise<void> {
		before.forEach((happening) => this.happen(happening));
		this.requests = 0;
		const send = async ({ qs }: ApiRequest) => {
			during[this.requests++]?.forEach((happening) => this.happen(happening));
			if (this.requests === stopped) throw new Cancelled();
			return await Promise.resolve(this.answer(Number(qs?.page)));
		};
		const from = this.cursor?.resumeAt?.page;
		const listed = pages({ send }, { path: '/users' }, userList, { from });
		this.isReading = true;
		this.polls++;
		const reading = await readPages(listed, this.cursor ? reaching(this.cursor) : isStart);
		this.isReading = false;
		if (reading.pages === 0) return;
		const { found, cursor } = this.cursor
			? advance(this.cursor, reading)
			: { found: [], cursor: startAt('here 10', reading) };
		this.cursor = JSON.parse(JSON.stringify(cursor)) as Cursor;
		this.given.push(...found.map(({ user_id }) => user_id as number));
	}

	/** Members who are listed, and have been since they joined. */
	steady(): number[] {
		return this.members
			.filter(({ isListed, isSteady }) => isListed && isSteady)
			.map(({ id }) => id);
	}

	private sorted(): Member[] {
		const tie = this.habits.isTieReversed ? -1 : 1;
		return [...this.members].sort((a, b) => b.at - a.at || tie * (b.id - a.id));
	}

	private answer(page: number): HttpAnswer {
		const { pageSize, hasHeader } = this.habits;
		this.shown ??= this.sorted().filter(({ isListed }) => isListed);
		const has_more = page * pageSize < this.shown.length ? 1 : 0;
		const body = this.shown.slice((page - 1) * pageSize, page * pageSize).map(({ id, at }) => ({
			user_id: id,
			msid: `${id}.${(id * 7919).toString(16)}`,
			created_at: new Date(at * 1000).toISOString(),
		}));
		const date = new Date(this.now * 1000).toUTCString();
		return { statusCode: 200, headers: { date, ...(hasHeader && { has_more }) }, body };
	}
}

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
	{ weight: 1, arbitrary: fc.constant({ kind: 'pause' as const }) },
);

/** The forms in which an API gives the listing. */
export const habits = fc.record<Habits>({
	pageSize: fc.constantFrom(50, 50, 20, 33),
	hasHeader: fc.boolean(),
	isTieReversed: fc.boolean(),
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
