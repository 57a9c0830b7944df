import fc from 'fast-check';
import type { Cursor } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { advance, reaching, startAt } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { isStart, readPages } from '../../nodes/CommunityPlatformPollingTrigger/reading.ts';
import { pages } from '../../nodes/shared/pagination.ts';
import { userList } from '../../nodes/shared/records/types.ts';
import { Cancelled, type ApiRequest, type HttpAnswer } from '../../nodes/shared/transport/index.ts';

/** A factor for the number of stories. For a long test, set STORIES in the environment. */
export const TIMES = Number(process.env.STORIES ?? 1);

/** An event in a community. `pick` is between 0 and 1, from the newest member to the oldest. */
type Happening =
	/** The number of members who join in the same second. */
	| { kind: 'join'; count: number; together: number }
	/** Two minutes, after which the instant of the last join is over. */
	| { kind: 'pause' }
	| { kind: 'leave'; pick: number }
	| { kind: 'return'; pick: number };

/** A poll, and the events before and during it. */
interface Round {
	before: Happening[];
	/** Before its first request, its second one, and so on. */
	during: Happening[][];
	/** The request at which its time limit is over. If 0, never. */
	stopped: number;
}

/** The API's form of the list. */
interface Habits {
	/** The maximum of members on a page, even though 50 are requested. */
	pageSize: number;
	/** Whether the API returns has_more. */
	hasHeader: boolean;
	/** Whether members of the same second are in reverse order. */
	isTieReversed: boolean;
}

/** A poll without events. */
const QUIET: Round = { before: [], during: [], stopped: 0 };

interface Member {
	id: number;
	at: number;
	isListed: boolean;
	/** Whether the member left during a poll, because one who is back before the next could hide a missed member. */
	isGone: boolean;
	/** The poll during which the member joined, because one who leaves before its end could also hide a missed member. */
	joinedIn?: number;
	/** Whether the member never left, because one who is back is listed below those who joined since. */
	isSteady: boolean;
}

/** A community with events, and its trigger. */
export class Story {
	readonly returned: number[] = [];
	cursor?: Cursor;
	/** The requests of the last poll. */
	requests = 0;
	private readonly members: Member[] = [];
	private now = 1;
	private isReading = false;
	private polls = 0;
	// Cached until the next event, because every page is cut from it.
	private shown?: Member[];

	/** @param members who joined before the trigger */
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

	/** Polls. The first poll starts the trigger. Its data is kept as JSON, as in n8n's database. */
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
		this.returned.push(...found.map(({ user_id }) => user_id as number));
	}

	/** Members who have been listed since they joined. */
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

/** The forms of an API's list. */
export const habits = fc.record<Habits>({
	pageSize: fc.constantFrom(50, 50, 20, 33),
	hasHeader: fc.boolean(),
	isTieReversed: fc.boolean(),
});

/** Polls of all kinds, with up to this many members who join at a time. */
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
