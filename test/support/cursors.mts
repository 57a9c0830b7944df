import type { IDataObject } from 'n8n-workflow';
import type { Cursor } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';
import { findNew, start } from '../../nodes/CommunityPlatformPollingTrigger/newMembers.ts';
import { Stopped } from '../../nodes/shared/transport/index.ts';

/** Milliseconds. */
export const SECOND = 1000;

/** A member by number, who joined so many seconds after 1970; without a time where none is shown. */
export function member(user_id: number, at?: number): IDataObject {
	if (at === undefined) return { user_id };
	return { user_id, created_at: new Date(at * SECOND).toISOString() };
}

/** The same, with the secondary id that the API shows. */
export function inFull(user_id: number, sid: string, at?: number): IDataObject {
	return { ...member(user_id, at), sid, msid: `${user_id}.${sid}` };
}

/** A cursor with these parts, of a trigger that knows no member yet. */
export function cursorOf(parts: Partial<Cursor> = {}): Cursor {
	return { listing: 'here 10', floor: null, known: [], ...parts };
}

/** A cursor that knows members by number, who joined at as many seconds as their number says. */
export function knowing(ids: number[], parts: Partial<Cursor> = {}): Cursor {
	return cursorOf({ known: ids.map((id) => [String(id), id * SECOND]), ...parts });
}

/** Members by number. */
export const numbers = (records: IDataObject[]) => records.map(({ user_id }) => user_id as number);
/** Whole numbers, the highest first. */
export const down = (from: number, to: number) =>
	Array.from({ length: from - to + 1 }, (_, index) => from - index);

/** Members, the newest first, in pages. */
export class Listing {
	/** The pages asked for by the poll under way. */
	requests: number[] = [];
	/** The most members on a page. */
	pageSize = 50;
	/** How many requests are answered in one poll. */
	mostRequests = Infinity;
	/** Called before each request, with the number of those before it. */
	meanwhile: (requests: number) => void = () => {};

	constructor(public members: IDataObject[] = []) {}

	/** Members who joined one after another, up to this number. */
	static upTo(newest: number): Listing {
		return new Listing(down(newest, 1).map((id) => member(id, id)));
	}

	/** Makes a number of members join, by default in the same second; the numbers go on. */
	join(count: number, isTogether = false): void {
		const [first] = this.members;
		const last = Number(first?.user_id ?? 0);
		const at = joinedAtSecond(first);
		for (let more = 1; more <= count; more++) {
			this.members.unshift(member(last + more, at + (isTogether ? 1 : more)));
		}
	}

	leave(...ids: number[]): void {
		this.members = this.members.filter(({ user_id }) => !ids.includes(user_id as number));
	}

	fetchPage = async (page: number) => {
		this.meanwhile(this.requests.length);
		if (this.requests.length >= this.mostRequests) throw new Stopped();
		this.requests.push(page);
		const end = page * this.pageSize;
		const records = this.members.slice(end - this.pageSize, end);
		return await Promise.resolve({ records, hasMore: end < this.members.length });
	};
}

/** A trigger that polls a listing; what it keeps goes through JSON, as in n8n's database. */
export class Trigger {
	/** Members given so far. */
	readonly given: number[] = [];
	/** Undefined until it has started. */
	cursor?: Cursor;

	constructor(readonly listing: Listing) {}

	/** One that has started. */
	static async of(listing: Listing): Promise<Trigger> {
		const trigger = new Trigger(listing);
		await trigger.poll();
		return trigger;
	}

	/** The members that one poll gives, by number. */
	async poll(): Promise<number[]> {
		this.listing.requests = [];
		const { fetchPage } = this.listing;
		if (!this.cursor) {
			this.cursor = copy(await start('here 10', fetchPage));
			return [];
		}
		const { found, cursor } = await findNew(this.cursor, fetchPage);
		this.cursor = copy(cursor);
		for (const id of numbers(found)) this.given.push(id);
		return numbers(found);
	}
}

const copy = (cursor: Cursor) => JSON.parse(JSON.stringify(cursor)) as Cursor;

function joinedAtSecond(record: IDataObject | undefined): number {
	return record ? Date.parse(String(record.created_at)) / SECOND : 0;
}
