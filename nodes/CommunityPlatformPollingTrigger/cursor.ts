import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../shared/pages';

// 20 pages of the API: enough to tell everyone who joined in the same second from those who follow.
const MOST_KNOWN = 1000;

// A join time that no member has passed: without any times, only the place in the listing tells.
const UNKNOWN_FLOOR = Number.MAX_SAFE_INTEGER;

/** What a polling trigger keeps between polls; plain JSON, at most some 40 kB. */
export interface Cursor {
	/** Which listing it belongs to: the community and the status. */
	source: string;
	/** When the newest member handed over joined, in milliseconds since 1970; null if there was none. */
	top: number | null;
	/** Who joined then or before and is not known belongs to the time before the trigger; null if nobody does. */
	floor: number | null;
	/** Members handed over or there from the start, with their join time; the newest of the listing first. */
	known: Array<[id: string, joined: number | null]>;
}

/**
 * Where a new trigger begins: everyone on the listing's first pages is known already.
 *
 * @param records the newest first
 * @param isAll whether the listing holds nobody else
 */
export function startAt(source: string, records: IDataObject[], isAll: boolean): Cursor {
	const last = records[records.length - 1];
	const floor = isAll || !last ? null : (joinedAt(last) ?? UNKNOWN_FLOOR);
	return bounded({ source, top: newest(records), floor, known: records.map(toKnown) });
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
 * Whether a page of the listing lies where only known members are left: it ends with someone who
 * joined before the newest one handed over, in an earlier instant, because the order within one is not
 * documented. A known member has to be there too, in case the API sorts by another time than the one
 * it shows (an approved member keeps the date of the sign-up).
 */
export function reaches({ top, floor, known }: Cursor, { records, hasMore }: Page): boolean {
	if (!hasMore) return true;
	const last = records[records.length - 1];
	if (!last) return false;
	const ids = new Set(known.map(([id]) => id));
	const isMet = records.some(
		(record) => ids.has(idOf(record)) || (joinedAt(record) ?? Infinity) < (floor ?? -Infinity),
	);
	const joined = joinedAt(last);
	// Of more than can be known in one instant, those who are forgotten count as old (see `bounded`).
	const isOlder = joined === undefined || top === null || joined < top || isAtMost(joined, floor);
	return isMet && isOlder;
}

/**
 * Takes in a piece of the listing, without gaps and down to what is known.
 *
 * @param records the newest first
 * @returns the new members, the oldest first, and the cursor once they are handed over
 */
export function advance(
	cursor: Cursor,
	records: IDataObject[],
): { fresh: IDataObject[]; cursor: Cursor } {
	const { top, floor, known } = cursor;
	const ids = new Set(known.map(([id]) => id));
	const fresh: IDataObject[] = [];
	let isKnownBelow = false;
	for (let index = records.length - 1; index >= 0; index--) {
		const record = records[index];
		if (ids.has(idOf(record))) isKnownBelow = true;
		// Someone unknown below all known ones slid up from the time before, because others left.
		else if (isKnownBelow || !isAtMost(joinedAt(record), floor)) fresh.push(record);
	}
	const read = new Set(records.map(idOf));
	const times = [top, newest(records)].filter((time) => time !== null);
	return {
		fresh,
		cursor: bounded({
			...cursor,
			top: times.length > 0 ? Math.max(...times) : null,
			known: [...records.map(toKnown), ...known.filter(([id]) => !read.has(id))],
		}),
	};
}

/** What identifies a member in every form of a user (specification, "User"). */
export function idOf({ user_id, msid }: IDataObject): string {
	return String(user_id ?? msid);
}

/** When a member joined, in milliseconds since 1970; undefined where the API does not show it. */
export function joinedAt(record: IDataObject | undefined): number | undefined {
	const time = Date.parse(String(record?.created_at));
	return Number.isNaN(time) ? undefined : time;
}

// Without a join time, nobody can be told to have come later.
function isAtMost(time: number | undefined, floor: number | null): boolean {
	return floor !== null && (time === undefined || time <= floor);
}

function toKnown(record: IDataObject): [string, number | null] {
	return [idOf(record), joinedAt(record) ?? null];
}

function newest(records: IDataObject[]): number | null {
	let top: number | null = null;
	for (const record of records) {
		const time = joinedAt(record);
		if (time !== undefined && (top === null || time > top)) top = time;
	}
	return top;
}

// Those who are forgotten are told from new members by the floor, which rises to their join time.
function bounded(cursor: Cursor): Cursor {
	let { floor } = cursor;
	for (const [, joined] of cursor.known.slice(MOST_KNOWN)) {
		floor = Math.max(floor ?? 0, joined ?? UNKNOWN_FLOOR);
	}
	return { ...cursor, floor, known: cursor.known.slice(0, MOST_KNOWN) };
}
