import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../shared/pagination';
import { fullIdOf, idOf, joinedAt, memberOf } from './member';

// 20 pages of the API: enough to hold all members who joined in one second.
const MOST_KNOWN = 1000;

// The floor where no member shows a join time: every member who is not known counts as old.
const NO_TIMES = Number.MAX_SAFE_INTEGER;

// After as many readings in pieces, a stretch is no longer confirmed: the API is too slow to read it in one poll.
const MOST_PIECEMEAL = 10;

/**
 * The state that a polling trigger keeps between polls, by which it deduplicates members; plain JSON, some 50 kB unless
 * thousands join at once.
 */
export interface Cursor {
	/** The listing that it belongs to: the community and the status. */
	listing: string;
	/**
	 * Milliseconds since 1970. A member who joined at this time or earlier, and is not in `known`, is old: was there
	 * before the trigger, or was given long ago. Null if every other member is new.
	 */
	floor: number | null;
	/** Members who were given, or were there from the start, with their join time; the newest first. */
	known: Array<[id: string, joined: number | null]>;
	/** The stretch that has to be read again; absent when there is none. */
	unconfirmed?: Unconfirmed;
}

/**
 * The top of the listing after it was read in several pages, not confirmed by a later poll. A member who left meanwhile
 * may have moved another one to a page that had been read already, so that it was missed.
 */
export interface Unconfirmed {
	/** Members that the last poll read there, from the top. */
	ids: string[];
	/** Members that earlier polls read there, and the last one did not: they left or were missed. */
	absent: string[];
	/** Members who joined before this time are confirmed; null if none are. */
	from: number | null;
	/** See {@link Reading}; only a whole reading can be confirmed. */
	isWhole: boolean;
	/** How often several polls together read it to its end. */
	piecemeal: number;
	/** The page, counted from 1, where the next poll goes on; absent where it begins at the top. */
	page?: number;
}

/** Pages of the listing, read one after another. */
export interface Reading {
	/** The number of the first page. */
	first: number;
	/** The pages. */
	pages: Page[];
	/** The members on the pages, in the order of the listing, without duplicates. */
	records: IDataObject[];
	/**
	 * Whether no member can have joined and left again during the reading. That is in doubt where a page repeats a
	 * member of the one before, because others joined, and a later page does not.
	 */
	isWhole: boolean;
	/** Whether it reaches down to known members, see {@link reaching}. */
	isComplete: boolean;
	/** Whether it reaches the end of the listing. */
	isAll: boolean;
}

/** The cursor of a new trigger, to which all members on the first pages of the listing are known. */
export function startAt(listing: string, reading: Reading): Cursor {
	const floor = reading.isAll ? null : (lastOf(timesOf(reading.records)) ?? NO_TIMES);
	const { cursor } = advance({ listing, floor: null, known: [] }, reading);
	return withFloor(cursor, floor);
}

/** The cursor with a floor that is at least so high. */
export function withFloor(cursor: Cursor, floor: number | null): Cursor {
	return { ...cursor, floor: latest(cursor.floor, floor) };
}

/**
 * Whether a new trigger has read enough: all members who joined in the same instant as the newest one, so that members
 * who join later in that instant are recognized as new.
 */
export function isStartComplete(records: IDataObject[]): boolean {
	const times = timesOf(records);
	const last = lastOf(times);
	return last === undefined || last < times.reduce(latestOf) || records.length >= MOST_KNOWN;
}

/**
 * Makes a function that decides whether no page below a given one can hold a new member: its lowest member is confirmed
 * or old, and its last one joined in an earlier instant than the newest confirmed one, because the order within an
 * instant is not documented (docs/decisions.md, A15).
 */
export function reaching(cursor: Cursor): (page: Page) => boolean {
	const { floor } = cursor;
	const known = idsOf(cursor.known);
	const certain = certainOf(cursor);
	const from = fromOf(cursor);
	// A member without a join time who is not known may be new or old.
	const isTelling = (record: IDataObject) =>
		known.has(idOf(record)) || joinedAt(record) !== undefined;
	return ({ records, hasMore }) => {
		if (hasMore === false) return true;
		const lowest = lastOf(records.filter(isTelling));
		if (!lowest) return false;
		const isOld = !known.has(idOf(lowest)) && isAtMost(joinedAt(lowest), floor);
		const last = lastOf(timesOf(records));
		// Where more joined in one instant than can be kept, the dropped ones count as old (see `bounded`).
		const isOlder = last === undefined || from === null || last < from || isAtMost(last, floor);
		return isOlder && (isOld || certain.has(idOf(lowest)));
	};
}

/**
 * Advances the cursor over a reading.
 *
 * @returns the new members, the newest first, and the cursor once they are given
 */
export function advance(
	cursor: Cursor,
	reading: Reading,
): { fresh: IDataObject[]; cursor: Cursor } {
	const { listing, floor } = cursor;
	const { fresh, old } = partition(cursor, reading);
	// Old members are below the floor; where no times are shown, they have to be known from now on.
	const isKept = (record: IDataObject) => floor === NO_TIMES || !old.has(record);
	const known = merged(cursor.known, reading.records.filter(isKept));
	const records = reading.records.filter((record) => !old.has(record));
	const unconfirmed = unconfirmedAfter(cursor, { ...reading, records }, fresh.length > 0);
	const next = { listing, floor, known };
	// Nothing is dropped meanwhile, because a missed member may be older than the dropped ones.
	return { fresh, cursor: unconfirmed ? { ...next, unconfirmed } : bounded(next) };
}

/**
 * Whether a reading confirms that the last one missed no member. A member can move to a page that was read already only
 * if a member who had been read leaves, who is not there now; or if one who had not been read joins and leaves again,
 * which moves others to where they are read twice. Missed only if a member leaves and rejoins between the two readings,
 * and another one leaves during the second.
 */
export function confirms({ records }: Reading, last: Unconfirmed | undefined): boolean {
	const read = new Set(records.map(idOf));
	return last?.isWhole === true && last.ids.every((id) => read.has(id));
}

/** Whether a page continues the last reading: it shows a member again who was read there. */
export function continues({ unconfirmed }: Cursor, { records }: Page): boolean {
	const ids = new Set(unconfirmed?.ids);
	return records.some((record) => ids.has(idOf(record)));
}

/**
 * Whether records belong to the community of a cursor, which may have another address now. The user_id alone does not
 * tell, because every community may count from 1.
 */
export function recognizes({ known }: Cursor, records: IDataObject[]): boolean {
	const joinedBy = new Map(known);
	return records.some((record) => {
		const joined = joinedAt(record) ?? null;
		const id = fullIdOf(record);
		if (joinedBy.get(id) === joined) return joined !== null || id.includes('.');
		// One of the two lacks the secondary ID, because the API did not show it.
		return joined !== null && joinedBy.get(memberOf(id)) === joined;
	});
}

/** The cursor that n8n kept; undefined if the data is none. */
export function toCursor(kept: unknown): Cursor | undefined {
	const { listing, floor, known, unconfirmed } = (kept ?? {}) as Partial<Cursor>;
	if (typeof listing !== 'string' || !Array.isArray(known)) return undefined;
	if (!known.every((each) => Array.isArray(each) && typeof each[0] === 'string')) return undefined;
	const isUnconfirmed = Array.isArray(unconfirmed?.ids);
	return { listing, floor: floor ?? null, known, ...(isUnconfirmed && { unconfirmed }) };
}

function partition({ known, floor }: Cursor, { records, isComplete }: Reading) {
	const ids = idsOf(known);
	const fresh: IDataObject[] = [];
	const old = new Set<IDataObject>();
	let isAboveKnown = false;
	for (const record of [...records].reverse()) {
		const joined = joinedAt(record);
		// Without times, only the position tells; pages that do not reach the known members are above them.
		const isNewByPlace = isAboveKnown || (joined === undefined && !isComplete);
		if (ids.has(idOf(record))) isAboveKnown = true;
		else if (isNewByPlace || !isAtMost(joined, floor)) fresh.push(record);
		// Below all known members: moved up because others left.
		else old.add(record);
	}
	return { fresh: fresh.reverse(), old };
}

function unconfirmedAfter(
	cursor: Cursor,
	reading: Reading,
	isNews: boolean,
): Unconfirmed | undefined {
	const { first, pages, records, isComplete, isWhole } = reading;
	const last = cursor.unconfirmed;
	if (first > 1 || !isComplete) return unconfirmedInPieces(cursor, reading);
	// Within one page, nothing can be missed.
	if (pages.length === 1) return undefined;
	const now = confirms(reading, last) ? { ...cursor, unconfirmed: undefined } : cursor;
	if (!now.unconfirmed && (!isNews || reaching(now)(pages[0]))) return undefined;
	const certain = certainOf(now);
	const from = fromOf(now);
	const isCertain = (record: IDataObject) =>
		certain.has(idOf(record)) && (from === null || (joinedAt(record) ?? -Infinity) < from);
	const above = [...records];
	while (above.length > 0 && isCertain(above[above.length - 1])) above.pop();
	const ids = above.map(idOf);
	const { ids: before = [], absent: others = [], piecemeal = 0 } = now.unconfirmed ?? {};
	const read = new Set(ids);
	const absent = [...before, ...others].filter((id) => !read.has(id));
	return { ids, absent, from, isWhole, piecemeal };
}

function unconfirmedInPieces(cursor: Cursor, reading: Reading): Unconfirmed | undefined {
	const { first, pages, records, isComplete } = reading;
	const certain = certainOf(cursor);
	const read = records.map(idOf).filter((id) => !certain.has(id));
	const { ids: before = [], absent = [], piecemeal: times = 0 } = cursor.unconfirmed ?? {};
	const ids = [...new Set([...before, ...read])];
	const piecemeal = times + (isComplete ? 1 : 0);
	if (ids.length === 0 || (isComplete && piecemeal >= MOST_PIECEMEAL)) return undefined;
	// The next poll reads the last page again, to see whether members in between were missed.
	const page = !isComplete && pages.length > 1 ? first + pages.length - 1 : undefined;
	const from = fromOf(cursor);
	return { ids, absent, from, isWhole: false, piecemeal, ...(page && { page }) };
}

// A member without a join time is not known to have joined later.
function isAtMost(time: number | undefined, floor: number | null): boolean {
	return floor !== null && (time === undefined || time <= floor);
}

// By join time, so that the first to be dropped joined first; a member without one stays below the member above.
function merged(known: Cursor['known'], records: IDataObject[]): Cursor['known'] {
	const read = new Set(records.map(idOf));
	const others = known.filter(([id]) => !read.has(memberOf(id)));
	const all = records.map((record): Cursor['known'][0] => [
		fullIdOf(record),
		joinedAt(record) ?? null,
	]);
	return dated([...all, ...others])
		.sort((one, other) => other.time - one.time)
		.map(({ member }) => member);
}

function dated(known: Cursor['known']) {
	let time = NO_TIMES;
	return known.map((member) => {
		time = member[1] ?? time;
		return { member, time };
	});
}

// The floor rises to the join time of dropped members, which distinguishes them from new ones.
function bounded(cursor: Cursor): Cursor {
	const forgotten = dated(cursor.known)[MOST_KNOWN];
	if (!forgotten) return cursor;
	return withFloor({ ...cursor, known: cursor.known.slice(0, MOST_KNOWN) }, forgotten.time);
}

// Known members who need not be read again.
function certainOf({ known, unconfirmed }: Cursor): Set<string> {
	const certain = idsOf(known);
	for (const id of [...(unconfirmed?.ids ?? []), ...(unconfirmed?.absent ?? [])])
		certain.delete(id);
	return certain;
}

function fromOf({ known, unconfirmed }: Cursor): number | null {
	if (unconfirmed) return unconfirmed.from;
	return known.reduce<number | null>((from, [, joined]) => latest(from, joined), null);
}

function idsOf(known: Cursor['known']): Set<string> {
	return new Set(known.map(([id]) => memberOf(id)));
}

function lastOf<T>(list: T[]): T | undefined {
	return list[list.length - 1];
}

function timesOf(records: IDataObject[]): number[] {
	return records.map(joinedAt).filter((time): time is number => time !== undefined);
}

function latest(one: number | null, other: number | null): number | null {
	return one === null || other === null ? (one ?? other) : latestOf(one, other);
}

function latestOf(one: number, other: number): number {
	return Math.max(one, other);
}
