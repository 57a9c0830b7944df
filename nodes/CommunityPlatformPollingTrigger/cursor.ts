import type { IDataObject } from 'n8n-workflow';

// 20 pages of the API: enough to hold all members who joined in one second.
const MOST_KNOWN = 1000;

/**
 * A member, and when they joined, in milliseconds since 1970. Where the API does not show the time, that of the member
 * listed above.
 */
type Member = [id: string, joined: number | null];

/**
 * How far a polling trigger has read the listing of members, the newest first; plain JSON, some 50 kB unless thousands
 * join at once.
 */
export interface Cursor {
	/** The listing that it belongs to: the community and the status. */
	listing: string;
	/**
	 * A member who joined at this time or earlier, and is not known, is old: was there before the trigger, or was given
	 * long ago. Null if every other member is new.
	 */
	floor: number | null;
	/** Members who were given, or were there from the start, the newest first. */
	known: Member[];
	/**
	 * Members who were given, too, but whose pages have to be read again: a member who left meanwhile may have moved
	 * another one to a page that had been read already, so that it was missed.
	 */
	recent: Member[];
	/** Members whom the last readings did not find where they were before. */
	gone: string[];
	/** Where the next poll goes on; absent where it begins at the top. */
	next?: Next;
}

/** A reading that was cut off. */
interface Next {
	/** The last page that was read: the next poll reads it again, to see whether members in between were missed. */
	page: number;
	/** Members who were found so far. */
	found: Member[];
	/** Whether nobody has left since the reading before. */
	isSure: boolean;
}

/** Pages of the listing, read one after another. */
export interface Reading {
	/** The members on them, in the order of the listing, without duplicates. */
	records: IDataObject[];
	/** The number of the first page, counted from 1. */
	first: number;
	/** How many pages were read. */
	pages: number;
	/** Whether they reach down to known members. */
	isComplete: boolean;
	/** Whether they reach the end of the listing. */
	isAll: boolean;
}

/** What identifies a member: the msid, or else the user_id. A number that JSON has rounded identifies nothing. */
export function idOf({ msid, user_id }: IDataObject): string | undefined {
	const isId = (id: unknown) => Number.isSafeInteger(id) || (typeof id === 'string' && id !== '');
	const id = [msid, user_id].find(isId);
	return id === undefined ? undefined : String(id);
}

/** What every form of a member shows: the user_id, which an msid begins with (docs/api/README.md, "User"). */
export function keyOf(member: IDataObject | string): string {
	const id = typeof member === 'string' ? member : (idOf(member) ?? '');
	return id.split('.')[0];
}

/** When a member joined, in milliseconds since 1970; undefined where the API does not show it. */
export function joinedAt({ created_at }: IDataObject): number | undefined {
	const text = String(created_at ?? '').trim();
	// The zone of this machine has nothing to do with the community's.
	const hasZone = /(?:[a-z]|[+-]\d\d(?::?\d\d)?)$/i.test(text);
	const time = Date.parse(hasZone ? text : `${text}Z`);
	return Number.isNaN(time) ? undefined : time;
}

/** The join times that records show, in the order of the records. */
export function timesOf(records: IDataObject[]): number[] {
	return records.map(joinedAt).filter((time) => time !== undefined);
}

/** Whether a record is a member whom the cursor knows. */
export function knows(cursor: Cursor, record: IDataObject | undefined): boolean {
	return record !== undefined && keysOf(allOf(cursor)).has(keyOf(record));
}

/**
 * Makes a function that decides whether no page below a given one can hold a new member: its lowest member is known or
 * old, and its last one joined in an earlier instant than the newest known one, because the order within an instant is
 * not documented (docs/decisions.md, A15).
 */
export function reaching(cursor: Cursor): (page: IDataObject[]) => boolean {
	const { known, floor } = cursor;
	const certain = keysOf(known);
	const all = keysOf(allOf(cursor));
	const newest = Math.max(...known.map(([, joined]) => joined ?? -Infinity));
	const isOld = (record: IDataObject) => (joinedAt(record) ?? Infinity) <= (floor ?? -Infinity);
	return (page) => {
		// A member without a join time who is not known may be new or old.
		const lowest = page.findLast(
			(record) => joinedAt(record) !== undefined || all.has(keyOf(record)),
		);
		if (!lowest) return false;
		const isKnown = all.has(keyOf(lowest)) ? certain.has(keyOf(lowest)) : isOld(lowest);
		const last = timesOf(page).at(-1) ?? -Infinity;
		return isKnown && (newest === -Infinity || last < newest || last <= (floor ?? -Infinity));
	};
}

/**
 * Advances the cursor over a reading. After several pages, the next poll reads as deep again, until a reading finds all
 * members whom the one before had read: then none had left meanwhile, so that none was missed. Missed only if a member
 * joins and leaves, or leaves and is back, before the pages are read again, and another one leaves at that moment.
 *
 * @returns the new members, the oldest first, and the cursor once they are given
 */
export function advance(
	cursor: Cursor,
	reading: Reading,
): { found: IDataObject[]; cursor: Cursor } {
	const { listing, floor, recent, next } = cursor;
	const { records, first, pages, isComplete } = reading;
	const { found, old } = newIn(cursor, reading);
	const read = new Set(records.map(keyOf));
	const left = leftIn(cursor, reading).filter((key) => !cursor.gone.includes(key));
	const gone = [...cursor.gone.filter((key) => !read.has(key)), ...left];
	const known = merged(cursor.known, old);
	const given = merged(membersOf(records, new Set(found)), next?.found ?? []);
	const isSure = left.length === 0 && (next?.isSure ?? recent.length > 0);
	const parts = () => {
		if (!isComplete) {
			const page = first + Math.max(pages - 1, 0);
			return { known, recent, next: { page, found: given, isSure } };
		}
		// Within one page, none can be missed.
		if (first === 1 && pages === 1) return { known: merged(given, recent, known), recent: [] };
		if (isSure) return { known: merged(recent, known), recent: given };
		return { known, recent: merged(given, recent) };
	};
	return { found, cursor: bounded({ listing, floor, gone, ...parts() }) };
}

/**
 * Whether records belong to the community of a cursor, which may have another address now. The user_id alone does not
 * tell, because every community may count from 1.
 */
export function recognizes(cursor: Cursor, records: IDataObject[]): boolean {
	const members = new Map(allOf(cursor).map((member) => [keyOf(member[0]), member]));
	return records.some((record) => {
		const id = idOf(record) ?? '';
		const [knownId, joined] = members.get(keyOf(id)) ?? [];
		if (id.includes('.') && knownId?.includes('.')) return id === knownId;
		return joined !== undefined && joined === joinedAt(record);
	});
}

/** The cursor that n8n kept; undefined if the data is none. */
export function toCursor(kept: unknown): Cursor | undefined {
	const { listing, floor, known, recent, gone, next } = (kept ?? {}) as Partial<Cursor>;
	if (typeof listing !== 'string' || !isList(known) || !isList(recent)) return undefined;
	if (!Array.isArray(gone)) return undefined;
	return { listing, floor: floor ?? null, gone, known, recent, ...(next && { next }) };
}

function isList(members: unknown): members is Member[] {
	return (
		Array.isArray(members) &&
		members.every((each) => Array.isArray(each) && typeof each[0] === 'string')
	);
}

// Without a join time, only the position tells: a new member is above a known one, or on a page above theirs.
function newIn(cursor: Cursor, { records, isComplete }: Reading) {
	const { floor } = cursor;
	const keys = keysOf(allOf(cursor));
	const found: IDataObject[] = [];
	const old: Member[] = [];
	let isAbove = !isComplete || floor === null;
	for (const record of [...records].reverse()) {
		const isKnown = keys.has(keyOf(record));
		const joined = joinedAt(record);
		const isNew = !isKnown && (joined === undefined ? isAbove : joined > (floor ?? -Infinity));
		if (isNew) found.push(record);
		else if (!isKnown && joined === undefined) old.unshift([idOf(record) ?? '', null]);
		isAbove ||= isKnown || isNew;
	}
	const later = (one: IDataObject, other: IDataObject) =>
		(joinedAt(one) ?? NaN) - (joinedAt(other) ?? NaN) || 0;
	return { found: found.sort(later), old };
}

// Members who were between others of the reading before, and are not now. Who joined in one instant with the first or the
// last one may as well be on the next page.
function leftIn(cursor: Cursor, { records, first }: Reading): string[] {
	const read = new Set(records.map(keyOf));
	const times = timesOf(records);
	const [from, to] = [first === 1 ? Infinity : (times[0] ?? Infinity), times.at(-1) ?? -Infinity];
	const before = allOf(cursor);
	const isRead = ([id]: Member) => read.has(keyOf(id));
	const start = first === 1 ? 0 : before.findIndex(isRead);
	return before
		.slice(start, before.findLastIndex(isRead) + 1)
		.filter((member) => !isRead(member))
		.filter(([, joined]) => joined === null || (joined < from && joined > to))
		.map(([id]) => keyOf(id));
}

function membersOf(records: IDataObject[], wanted: Set<IDataObject>): Member[] {
	let joined: number | null = timesOf(records)[0] ?? null;
	return records.flatMap((record): Member[] => {
		joined = joinedAt(record) ?? joined;
		return wanted.has(record) ? [[idOf(record) ?? '', joined]] : [];
	});
}

// By join time; without times, in the order that they are given in.
function merged(...members: Member[][]): Member[] {
	const later = ([, one]: Member, [, other]: Member) =>
		(other ?? -Infinity) - (one ?? -Infinity) || 0;
	return members.flat().sort(later);
}

// The floor rises to the join time of dropped members, which distinguishes them from new ones.
function bounded(cursor: Cursor): Cursor {
	const [first, ...others] = cursor.known.slice(MOST_KNOWN);
	if (!first) return cursor;
	const floor = Math.max(cursor.floor ?? -Infinity, first[1] ?? -Infinity);
	const dropped = keysOf([first, ...others]);
	const gone = cursor.gone.filter((key) => !dropped.has(key));
	return { ...cursor, floor, gone, known: cursor.known.slice(0, MOST_KNOWN) };
}

function allOf({ known, recent, next }: Cursor): Member[] {
	return [...(next?.found ?? []), ...recent, ...known];
}

function keysOf(members: Member[]): Set<string> {
	return new Set(members.map(([id]) => keyOf(id)));
}
