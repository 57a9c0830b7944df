import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../shared/paging/pages';
import { fullIdOf, idOf, joinedAt, memberOf } from './member';

// 20 pages of the API: enough to tell all who joined in the same second from those who follow.
const MOST_KNOWN = 1000;

// The floor where no member shows a join time: all that are not known count as old.
const NO_TIMES = Number.MAX_SAFE_INTEGER;

// Readings in pieces after which a stretch is left at that: the API is too slow to read it in one poll.
const MOST_PIECEMEAL = 10;

/** What a polling trigger keeps between polls; plain JSON, some 50 kB unless thousands joined at a time. */
export interface Cursor {
	/** Which listing it belongs to: the community and the status. */
	listing: string;
	/**
	 * Milliseconds since 1970. A member who joined at this time or earlier, and is not in `known`, is old:
	 * there before the trigger, or handed over long ago. Null if there is none.
	 */
	floor: number | null;
	/** Members handed over or there from the start, with their join time; the newest first. */
	known: Array<[id: string, joined: number | null]>;
	/** What has to be read again; left out while nothing has. */
	unsure?: Unsure;
}

/**
 * The top of the listing, after it was read in several pages. A member who left meanwhile may have moved
 * another one to a page that had been read already, unseen.
 */
export interface Unsure {
	/** Members read there the last time, from the top. */
	ids: string[];
	/** Members read there before, but not the last time: gone, or missed. */
	absent: string[];
	/** Members who joined before this are certain; null if that is not known of any. */
	from: number | null;
	/** See {@link Reading}; only a whole one can be confirmed. */
	isWhole: boolean;
	/** How often it was read to its end in pieces, by several polls. */
	piecemeal: number;
	/** The page, counted from 1, where the next poll goes on; left out where it begins at the top. */
	page?: number;
}

/** Pages of the listing, read one after another. */
export interface Reading {
	/** The number of the first page. */
	first: number;
	/** What each page held. */
	pages: Page[];
	/** The members on them in the order of the listing, each once. */
	records: IDataObject[];
	/**
	 * Whether no member joined and left again unseen: a page showed a member of the one before, because others
	 * joined, and a later page did not.
	 */
	isWhole: boolean;
	/** Whether it goes down to what is known, see {@link reaching}. */
	isComplete: boolean;
	/** Whether the listing ends there. */
	isAll: boolean;
}

/** Where a new trigger begins: all members on the first pages of the listing are known already. */
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
 * Whether a new trigger has seen enough: all who joined in the same instant as the newest member, so that
 * those who join in it later are told from them.
 */
export function isStartComplete(records: IDataObject[]): boolean {
	const times = timesOf(records);
	const last = lastOf(times);
	return last === undefined || last < times.reduce(latestOf) || records.length >= MOST_KNOWN;
}

/**
 * Tells of a page whether none below it can hold a new member: its lowest member is certain, or old, and
 * it ends with one who joined before the newest certain one, in an earlier instant, because the order
 * within one is not documented.
 */
export function reaching(cursor: Cursor): (page: Page) => boolean {
	const { floor } = cursor;
	const known = idsOf(cursor.known);
	const certain = certainOf(cursor);
	const from = fromOf(cursor);
	// Without a join time, one who is not known may be new or old.
	const isTelling = (record: IDataObject) =>
		known.has(idOf(record)) || joinedAt(record) !== undefined;
	return ({ records, hasMore }) => {
		if (hasMore === false) return true;
		const lowest = lastOf(records.filter(isTelling));
		if (!lowest) return false;
		const isOld = !known.has(idOf(lowest)) && isAtMost(joinedAt(lowest), floor);
		const last = lastOf(timesOf(records));
		// Of more than can be known in one instant, those who are forgotten count as old (see `bounded`).
		const isOlder = last === undefined || from === null || last < from || isAtMost(last, floor);
		return isOlder && (isOld || certain.has(idOf(lowest)));
	};
}

/**
 * Takes in what was read.
 *
 * @returns the new members, the newest first, and the cursor once they are handed over
 */
export function advance(
	cursor: Cursor,
	reading: Reading,
): { fresh: IDataObject[]; cursor: Cursor } {
	const { listing, floor } = cursor;
	const { fresh, old } = toldApart(cursor, reading);
	// The floor tells who is old; where no times are shown, only that they are known from now on.
	const isKept = (record: IDataObject) => floor === NO_TIMES || !old.has(record);
	const known = merged(cursor.known, reading.records.filter(isKept));
	const records = reading.records.filter((record) => !old.has(record));
	const unsure = unsureAfter(cursor, { ...reading, records }, fresh.length > 0);
	const next = { listing, floor, known };
	// Who is missing may be older than those who would be forgotten.
	return { fresh, cursor: unsure ? { ...next, unsure } : bounded(next) };
}

/**
 * Whether a reading shows that the last one missed no member: to move one to a page that was read
 * already, a member who had been read has to leave, and is not there now; or one who had not been read
 * joins and leaves again, and moves others to where they are read twice. Missed only if a member leaves
 * and rejoins between the two readings, and another one leaves while the second is made.
 */
export function confirms({ records }: Reading, last: Unsure | undefined): boolean {
	const read = new Set(records.map(idOf));
	return last?.isWhole === true && last.ids.every((id) => read.has(id));
}

/** Whether pages go on where the last ones ended: they show a member again who was read there. */
export function continues({ unsure }: Cursor, { records }: Page): boolean {
	const ids = new Set(unsure?.ids);
	return records.some((record) => ids.has(idOf(record)));
}

/**
 * Whether records belong to the community that a cursor was made in, under whatever address. The
 * number of a member alone does not tell: every community may count from 1.
 */
export function recognizes({ known }: Cursor, records: IDataObject[]): boolean {
	const joinedBy = new Map(known);
	return records.some((record) => {
		const joined = joinedAt(record) ?? null;
		const id = fullIdOf(record);
		if (joinedBy.get(id) === joined) return joined !== null || id.includes('.');
		// Kept before the secondary id was, or read where the API does not show it.
		return joined !== null && joinedBy.get(memberOf(id)) === joined;
	});
}

/** What n8n kept, if it is a cursor; undefined otherwise. */
export function toCursor(kept: unknown): Cursor | undefined {
	const { listing, floor, known, unsure } = (kept ?? {}) as Partial<Cursor>;
	if (typeof listing !== 'string' || !Array.isArray(known)) return undefined;
	if (!known.every((each) => Array.isArray(each) && typeof each[0] === 'string')) return undefined;
	const isUnsure = Array.isArray(unsure?.ids);
	return { listing, floor: floor ?? null, known, ...(isUnsure && { unsure }) };
}

function toldApart({ known, floor }: Cursor, { records, isComplete }: Reading) {
	const ids = idsOf(known);
	const fresh: IDataObject[] = [];
	const old = new Set<IDataObject>();
	let isAboveKnown = false;
	for (const record of [...records].reverse()) {
		const joined = joinedAt(record);
		// Without times, only the place tells; pages that do not go down to the known members are above them.
		const isNewByPlace = isAboveKnown || (joined === undefined && !isComplete);
		if (ids.has(idOf(record))) isAboveKnown = true;
		else if (isNewByPlace || !isAtMost(joined, floor)) fresh.push(record);
		// Below all known ones: moved up because others left.
		else old.add(record);
	}
	return { fresh: fresh.reverse(), old };
}

function unsureAfter(cursor: Cursor, reading: Reading, isNews: boolean): Unsure | undefined {
	const { first, pages, records, isComplete, isWhole } = reading;
	const last = cursor.unsure;
	if (first > 1 || !isComplete) return unsureInPieces(cursor, reading);
	// A page shows all of its members at the same moment.
	if (pages.length === 1) return undefined;
	const now = confirms(reading, last) ? { ...cursor, unsure: undefined } : cursor;
	if (!now.unsure && (!isNews || reaching(now)(pages[0]))) return undefined;
	const certain = certainOf(now);
	const from = fromOf(now);
	const isCertain = (record: IDataObject) =>
		certain.has(idOf(record)) && (from === null || (joinedAt(record) ?? -Infinity) < from);
	const above = [...records];
	while (above.length > 0 && isCertain(above[above.length - 1])) above.pop();
	const ids = above.map(idOf);
	const { ids: before = [], absent: others = [], piecemeal = 0 } = now.unsure ?? {};
	const read = new Set(ids);
	const absent = [...before, ...others].filter((id) => !read.has(id));
	return { ids, absent, from, isWhole, piecemeal };
}

function unsureInPieces(cursor: Cursor, reading: Reading): Unsure | undefined {
	const { first, pages, records, isComplete } = reading;
	const certain = certainOf(cursor);
	const read = records.map(idOf).filter((id) => !certain.has(id));
	const { ids: before = [], absent = [], piecemeal: times = 0 } = cursor.unsure ?? {};
	const ids = [...new Set([...before, ...read])];
	const piecemeal = times + (isComplete ? 1 : 0);
	if (ids.length === 0 || (isComplete && piecemeal >= MOST_PIECEMEAL)) return undefined;
	// The last page is read once more: only if the next poll sees it again, it misses none in between.
	const page = !isComplete && pages.length > 1 ? first + pages.length - 1 : undefined;
	const from = fromOf(cursor);
	return { ids, absent, from, isWhole: false, piecemeal, ...(page && { page }) };
}

// Without a join time, a member cannot be told to have come later.
function isAtMost(time: number | undefined, floor: number | null): boolean {
	return floor !== null && (time === undefined || time <= floor);
}

// By join time, so that those who are forgotten first joined first; without one, a member stays below the
// one above.
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

// Those who are forgotten are told from new members by the floor, which rises to their join time.
function bounded(cursor: Cursor): Cursor {
	const forgotten = dated(cursor.known)[MOST_KNOWN];
	if (!forgotten) return cursor;
	return withFloor({ ...cursor, known: cursor.known.slice(0, MOST_KNOWN) }, forgotten.time);
}

// Members who are known, and need not be read again.
function certainOf({ known, unsure }: Cursor): Set<string> {
	const certain = idsOf(known);
	for (const id of [...(unsure?.ids ?? []), ...(unsure?.absent ?? [])]) certain.delete(id);
	return certain;
}

function fromOf({ known, unsure }: Cursor): number | null {
	if (unsure) return unsure.from;
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
