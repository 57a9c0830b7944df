import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../shared/paging/pages';
import { fullIdOf, idOf, joinedAt, memberOf } from './member';

// 20 pages of the API: enough to tell everyone who joined in the same second from those who follow.
const MOST_KNOWN = 1000;

// Where members have no join time, all that are not known count as old, whatever comes.
const UNKNOWN_FLOOR = Number.MAX_SAFE_INTEGER;

/** What a polling trigger keeps between polls; plain JSON, at most some 50 kB. */
export interface Cursor {
	/** Which listing it belongs to: the community and the status. */
	source: string;
	/** When the newest member handed over joined, in milliseconds since 1970; null if there was none. */
	top: number | null;
	/**
	 * Milliseconds since 1970. Whoever joined at this time or earlier, and is not in `known`, was a member
	 * before the trigger was turned on; null if there were none.
	 */
	floor: number | null;
	/** Members handed over or there from the start, with their join time; the newest first. */
	known: Array<[id: string, joined: number | null]>;
	/** What has to be read again; left out while nothing has. */
	lookBack?: LookBack;
	/** Where the known members begin, as far as a poll found out that had no time to read them. */
	search?: Search;
}

/** Pages of the listing, counted from 1. */
export interface Search {
	/** The last one that was seen not to reach what is known; 0 where none was. */
	above: number;
	/** The first one that was seen to; left out where none was. */
	below?: number;
}

/**
 * The look-back window: a stretch of the listing that was read in several pages. Somebody who left
 * meanwhile may have moved another one over the border of two pages, unseen.
 */
export interface LookBack {
	/** Who was read there the last time, but for those at its end who had been read for certain before. */
	ids: string[];
	/** Everyone who joined before this has been read for certain; null if that is not known of anybody. */
	from: number | null;
}

/** Several pages of the listing, read one after another, down to what is known. */
export interface Stretch {
	/** The newest first, each once. */
	records: IDataObject[];
	/** What each page held, those included that an earlier one had held. */
	pages: IDataObject[][];
	/** Whether it begins with the newest of all. */
	isFromTop: boolean;
	/** Whether it is known that nobody slid from one page to another unseen, because others left meanwhile. */
	isGapless: boolean;
}

/** What a stretch of the listing brought. */
export interface Step {
	fresh: IDataObject[];
	isCertain: boolean;
	cursor: Cursor;
}

/**
 * Where a new trigger begins: everyone on the listing's first pages is known already.
 *
 * @param isAll whether the listing holds nobody else
 */
export function startAt(source: string, stretch: Stretch, isAll: boolean): Cursor {
	const { records } = stretch;
	const last = records[records.length - 1];
	const floor = isAll || !last ? null : (joinedAt(last) ?? UNKNOWN_FLOOR);
	const { cursor } = advance({ source, top: null, floor: null, known: [] }, stretch);
	return withFloor(cursor, floor);
}

/** The cursor with a floor that is at least so high. */
export function withFloor(cursor: Cursor, floor: number | null): Cursor {
	return { ...cursor, floor: latest(cursor.floor, floor) };
}

/**
 * Whether a new trigger has seen enough: everyone who joined in the same instant as the newest one, so
 * that whoever joins in it later is told from them.
 */
export function isStartComplete(records: IDataObject[]): boolean {
	const last = joinedAt(records[records.length - 1]);
	const top = newest(records);
	return records.length >= MOST_KNOWN || last === undefined || top === null || last < top;
}

/**
 * Whether a page of the listing lies where nobody can be left to find: it ends with someone who joined
 * before the newest of those who were read for certain, in an earlier instant, because the order within
 * one is not documented. One of them has to be there too, in case the API sorts by another time than
 * the one it shows (an approved member keeps the date of the sign-up).
 */
export function reaches(cursor: Cursor, { records, hasMore }: Page): boolean {
	if (!hasMore) return true;
	const { floor, lookBack } = cursor;
	const certain = certainOf(cursor);
	const from = lookBack ? lookBack.from : cursor.top;
	const isMet = records.some(
		(record) => certain.has(idOf(record)) || (joinedAt(record) ?? Infinity) < (floor ?? -Infinity),
	);
	const joined = joinedAt(records[records.length - 1]);
	// Of more than can be known in one instant, those who are forgotten count as old (see `bounded`).
	const isOlder = joined === undefined || from === null || joined < from || isAtMost(joined, floor);
	return isMet && isOlder;
}

/**
 * Takes in a stretch of the listing that goes down to what is known.
 *
 * @param isEnough whether it has to do, though it was not seen twice
 * @returns the new members, the oldest first, and the cursor once they are handed over; `isCertain`
 * unless the stretch has to be read again
 */
export function advance(cursor: Cursor, stretch: Stretch, isEnough = false): Step {
	const { source, top, floor, known, lookBack } = cursor;
	const { records, isFromTop } = stretch;
	const { fresh, old } = toldApart(cursor, records);
	const isSettled = settledBy(cursor, records);
	const read = [...records];
	while (read.length > 0 && isSettled(read[read.length - 1])) read.pop();
	const isCertain =
		isEnough || read.length === 0 || stretch.isGapless || isSeenTwice(cursor, stretch);
	const above = isFromTop ? [] : aboveOf(cursor, stretch);
	const ids = isCertain ? above : [...above, ...read.map(idOf)];
	const before = lookBack ? lookBack.from : top;
	const from = isCertain ? latest(before, newest(records)) : before;
	const kept = records.filter((record) => !old.has(record));
	const next: Cursor = {
		source,
		top: latest(top, newest(records)),
		floor,
		known: merged(known, kept),
		...(ids.length > 0 && { lookBack: { ids: ids.slice(0, MOST_KNOWN), from } }),
	};
	return { fresh, isCertain, cursor: bounded(next) };
}

/** Tells which of some records need no finding: read for certain before, or there before the trigger was. */
export function settledBy(
	cursor: Cursor,
	records: IDataObject[],
): (record: IDataObject) => boolean {
	const certain = certainOf(cursor);
	const { old } = toldApart(cursor, records);
	return (record) => certain.has(idOf(record)) || old.has(record);
}

function toldApart({ known, floor }: Cursor, records: IDataObject[]) {
	const ids = idsOf(known);
	const fresh: IDataObject[] = [];
	const old = new Set<IDataObject>();
	let isKnownBelow = false;
	for (let index = records.length - 1; index >= 0; index--) {
		const record = records[index];
		if (ids.has(idOf(record))) isKnownBelow = true;
		// Someone unknown below all known ones slid up from the time before, because others left.
		else if (isKnownBelow || !isAtMost(joinedAt(record), floor)) fresh.push(record);
		// The floor tells who that is; where there are no times, only that they are known from now on.
		else if (joinedAt(record) !== undefined) old.add(record);
	}
	return { fresh, old };
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

/**
 * Whether a stretch shows the same as the last time, nobody gone and nobody twice, below those who
 * joined since. Then nobody was missed the last time: to move another one over a border unseen, a
 * member who had been read has to leave, and is not there now; or one who had not been read joins and
 * leaves again, and moves others to where they are read twice. Only who leaves and comes back at the
 * wrong moments could hide that.
 */
function isSeenTwice(cursor: Cursor, stretch: Stretch): boolean {
	const { records, pages, isFromTop } = stretch;
	const above = new Set(aboveOf(cursor, stretch));
	const before = (cursor.lookBack?.ids ?? []).filter((id) => !above.has(id));
	const now = records.map(idOf);
	const begin = now.indexOf(before[0]);
	if (begin < 0 || (above.size > 0 && (isFromTop || begin > 0))) return false;
	// Those who joined since are one piece with the others only if one page holds them all.
	if (begin >= (pages.find(({ length }) => length > 0)?.length ?? 0)) return false;
	return (
		pages.flat().length === records.length && before.every((id, index) => id === now[begin + index])
	);
}

// Of those who have to be read again, the ones above a stretch of which they are not the whole. Not those who
// were above in the last reading only: they may have left, or slid down past others who joined since.
function aboveOf({ lookBack, known }: Cursor, { records }: Stretch): string[] {
	const read = new Set(records.map(idOf));
	const ids = lookBack?.ids ?? [];
	const first = ids.findIndex((id) => read.has(id));
	const above = first < 0 ? ids : ids.slice(0, first);
	const newestRead = newest(records);
	const joined = new Map(known.map(([id, time]) => [memberOf(id), time]));
	return above.filter((id) => newestRead === null || (joined.get(id) ?? Infinity) >= newestRead);
}

// Without a join time, nobody can be told to have come later.
function isAtMost(time: number | undefined, floor: number | null): boolean {
	return floor !== null && (time === undefined || time <= floor);
}

function toKnown(record: IDataObject): [string, number | null] {
	return [fullIdOf(record), joinedAt(record) ?? null];
}

// By join time, so that those who are forgotten first joined first; without times, those who are there first.
function merged(known: Cursor['known'], records: IDataObject[]): Cursor['known'] {
	const read = new Set(records.map(idOf));
	const others = known.filter(([id]) => !read.has(memberOf(id)));
	const all = [...records.map(toKnown), ...others];
	return all.sort(([, one], [, other]) => (other ?? 0) - (one ?? 0));
}

// Who is known, and does not have to be read again.
function certainOf({ known, lookBack }: Cursor): Set<string> {
	const certain = idsOf(known);
	for (const id of lookBack?.ids ?? []) certain.delete(id);
	return certain;
}

function idsOf(known: Cursor['known']): Set<string> {
	return new Set(known.map(([id]) => memberOf(id)));
}

function newest(records: IDataObject[]): number | null {
	return records.reduce<number | null>(
		(top, record) => latest(top, joinedAt(record) ?? null),
		null,
	);
}

function latest(one: number | null, other: number | null): number | null {
	return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

// Those who are forgotten are told from new members by the floor, which rises to their join time.
function bounded(cursor: Cursor): Cursor {
	let { floor } = cursor;
	for (const [, joined] of cursor.known.slice(MOST_KNOWN)) {
		floor = Math.max(floor ?? 0, joined ?? UNKNOWN_FLOOR);
	}
	return { ...cursor, floor, known: cursor.known.slice(0, MOST_KNOWN) };
}
