import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../shared/failure';
import { identifierOf, isMsid, recordKey, splitMsid } from '../shared/records/identity';
import { userList } from '../shared/records/types';
import { toTime } from '../shared/text';
import { isRecord } from '../shared/transport';

// 20 pages of the API, enough for all members who joined in one second.
const MAX_KNOWN = 1000;
// By then, everyone who joined in one instant is listed.
const INSTANT_MS = 60_000;

// The first and the last time of a date, because JSON has no Infinity.
const EARLIEST = -8.64e15;
const LATEST = 8.64e15;

interface Member {
	/** The msid, or else the user_id. */
	id: string;
	/** When they joined, in milliseconds since 1970, or when they were found if the API does not return it. */
	at: number;
	/** Whether the last reading no longer found them in their place. */
	wasMissing?: boolean;
}

/** By user_id. */
type MembersByUserId = Map<string, Member>;

/** A member who could not be read: the listed fields, only the IDs in earlier versions, and after how many polls. */
export type Unread = IDataObject & { polls?: number };

/** How far a polling trigger has read the list of members, the newest first. Plain JSON of about 50 kB. */
export interface Cursor {
	/** The list that it belongs to: the community and the status. */
	listing: string;
	/** An unknown member who joined at this time or before is old. */
	oldBefore: number;
	/** Members who were returned or were there from the start, the newest first unless a poll was cut off. */
	known: Member[];
	/** The next poll tries to read them again. The oldest come first. */
	unread?: Unread[];
	/**
	 * The next poll reads down to a known member who joined before this time, because a new one may be listed below others.
	 * That one joined in the same instant as the newest, or moved to a page that had been read when another member left.
	 */
	rereadDownTo: number;
	/** Where the next poll continues if the last one was cut off. Absent if it begins at the top. */
	resumeAt?: { page: number } & ResumePoint;
}

/** When the first of the new members joined, and whether a known one was missing. */
type ResumePoint = { lowest: number; wasMissing: boolean };

/** Whether stored data is an undamaged cursor. */
export function isCursor(value: unknown): value is Cursor {
	if (!isRecord(value) || !Array.isArray(value.known)) return false;
	const { listing, oldBefore, known, rereadDownTo, resumeAt = { page: 1, lowest: 0 } } = value;
	const unread: unknown = value.unread ?? [];
	if (!Array.isArray(unread) || !unread.every(isRecord)) return false;
	const isMember = (each: unknown) => isRecord(each) && typeof each.id === 'string';
	if (typeof listing !== 'string' || !known.every(isMember) || !isRecord(resumeAt)) return false;
	const times = [oldBefore, rereadDownTo, resumeAt.lowest, ...known.map(({ at }) => at)];
	const isPage = Number.isSafeInteger(resumeAt.page) && Number(resumeAt.page) > 0;
	return isPage && times.every((each) => Math.abs(each as number) <= LATEST);
}

export interface Reading {
	/** The members on its pages, in the order of the list, without duplicates. */
	records: IDataObject[];
	pages: number;
	/** When the first page was answered, by the clock of the API. */
	now: number;
	/** Whether the pages reach the end of the list. */
	isAll: boolean;
	/** Whether the pages reach as deep as they should. */
	isComplete: boolean;
	/** The error that ended the reading early or makes it unreliable. */
	error?: unknown;
}

/** Returns the join times in records, in milliseconds since 1970. */
export function timesOf(records: IDataObject[]): number[] {
	return records.map(joinedAt).filter((time) => time !== undefined);
}

/** Returns the cursor of a trigger that starts from now. The members that were read are known, and those below are old. */
export function startAt(listing: string, { records, isAll, now }: Reading): Cursor {
	const known = records.map((record) => ({ id: idOf(record), at: joinedAt(record) ?? now }));
	const oldBefore = isAll ? EARLIEST : (timesOf(records).at(-1) ?? now);
	return settled({ listing, oldBefore, known, unread: [], rereadDownTo: LATEST }, now);
}

/** Returns a test whether a page is the last that can have new members: its lowest is old, or known and deep enough. */
export function reaching(cursor: Cursor): (page: IDataObject[]) => boolean {
	const members = byKey(cursor.known);
	return (page) => {
		// A member without a join time who is not known may be new or old.
		const lowest = page.findLast((record) => timeOf(record, members) !== undefined) ?? {};
		const at = timeOf(lowest, members) ?? LATEST;
		return at <= cursor.oldBefore || (at < cursor.rereadDownTo && members.has(userIdOf(lowest)));
	};
}

/**
 * Returns the new members of a reading, the oldest first, and the cursor after it. The next poll reads the pages with new
 * members again until no known member has left between two polls, because only then was none missed.
 */
export function advance(before: Cursor, reading: Reading) {
	const members = byKey(before.known);
	const { found, read, lowest } = classify(before, reading, members);
	const left = membersWhoLeft(before, read);
	const marked = byKey(left.map((member) => ({ ...member, wasMissing: true })));
	const known = [...new Map([...members, ...marked, ...[...read].reverse()]).values()];
	const wasMissing = before.resumeAt?.wasMissing === true || left.some((each) => !each.wasMissing);
	return { found, cursor: cursorAfter(before, reading, known, { lowest, wasMissing }) };
}

// Returns the new members and all that were read, the oldest first, and when the first new one joined.
function classify({ oldBefore, resumeAt }: Cursor, reading: Reading, members: MembersByUserId) {
	const { records, isComplete, now } = reading;
	const read: MembersByUserId = new Map();
	const found: IDataObject[] = [];
	let lowest = resumeAt?.lowest ?? LATEST;
	// Without a join time, only the position counts: a new member is above a known one, or on a page above theirs.
	let isAbove = !isComplete || oldBefore === EARLIEST;
	const unseen = Math.max(oldBefore + 1, Math.min(lowest, now));
	for (const record of [...records].reverse()) {
		const key = userIdOf(record);
		const at = timeOf(record, members) ?? (isAbove ? unseen : oldBefore);
		const known = members.get(key);
		const isNew = (!known || isAnother(known.id, idOf(record))) && at > oldBefore;
		if (isNew) found.push(record);
		if (isNew) lowest = Math.min(lowest, at);
		isAbove ||= isNew || known !== undefined;
		read.set(key, { id: idOf(record), at });
	}
	return { found, read, lowest };
}

// A new account can have the number of a deleted one. An msid may be hidden in one of the lists.
function isAnother(one: string, other: string): boolean {
	return one !== other && isMsid(one) && isMsid(other);
}

// Returns the known members that the reading should have found but did not.
function membersWhoLeft({ known, resumeAt }: Cursor, read: MembersByUserId): Member[] {
	// Members who joined in the same instant as the first or the last one may be on the next page instead.
	const times = [...read.values()].map(({ at }) => at);
	const [bottom = EARLIEST] = times;
	const top = (resumeAt && times.at(-1)) ?? LATEST;
	const unread = known.filter(({ id }) => !read.has(splitMsid(id).userId));
	return unread.filter(({ at }) => at > bottom && at < top);
}

function cursorAfter(
	before: Cursor,
	reading: Reading,
	known: Member[],
	place: ResumePoint,
): Cursor {
	const { rereadDownTo: pending, resumeAt, ...kept } = before;
	if (!reading.isComplete) {
		const page = (resumeAt?.page ?? 1) + reading.pages - 1;
		const rereadDownTo = Math.min(pending, before.known[0]?.at ?? EARLIEST);
		const resume = reading.error instanceof Failure ? undefined : { page, ...place };
		return { ...kept, known, rereadDownTo, resumeAt: resume };
	}
	const again = Math.min(place.lowest, place.wasMissing ? pending : LATEST);
	const cursor = { ...kept, known, rereadDownTo: again };
	// A reading that was resumed has seen the newest members at an earlier time.
	return settled(cursor, resumeAt ? EARLIEST : reading.now);
}

// Returns the cursor after a complete reading. The API does not document the order within an instant (docs/decisions.md,
// A15), so the instant of the newest member is read again until it is over.
function settled(cursor: Cursor, now: number): Cursor {
	const known = [...cursor.known].sort((one, other) => other.at - one.at);
	const newest = known[0]?.at ?? EARLIEST;
	const rereadDownTo = Math.min(cursor.rereadDownTo, newest + INSTANT_MS < now ? LATEST : newest);
	// `oldBefore` rises to the join time of dropped members, so that they do not count as new.
	const most = known[MAX_KNOWN - 1]?.at < rereadDownTo ? MAX_KNOWN : known.length;
	const oldBefore = Math.max(cursor.oldBefore, known[most]?.at ?? EARLIEST);
	return { ...cursor, oldBefore, known: known.slice(0, most), rereadDownTo };
}

/** Whether records belong to a cursor's community, even at a new address. Every community may count user_id from 1. */
export function recognizes({ known }: Cursor, records: IDataObject[]): boolean {
	const members = byKey(known);
	return records.some((record) => {
		const member = members.get(userIdOf(record));
		return member?.id === idOf(record) && member.at === timeOf(record, members);
	});
}

function joinedAt({ created_at }: IDataObject): number | undefined {
	const time = toTime(created_at);
	return Number.isNaN(time) ? undefined : time;
}

function timeOf(record: IDataObject, members: MembersByUserId): number | undefined {
	return joinedAt(record) ?? members.get(userIdOf(record))?.at;
}

function byKey(known: Member[]): MembersByUserId {
	return new Map(known.map((member) => [splitMsid(member.id).userId, member]));
}

// Only records with an ID are compared.
function userIdOf(record: IDataObject): string {
	return recordKey(record, userList) ?? '';
}

function idOf(record: IDataObject): string {
	return identifierOf(record, userList) ?? '';
}
