import type { IDataObject } from 'n8n-workflow';
import { identifierOf, recordKey, splitMsid } from '../shared/records/identity';
import { userList } from '../shared/records/types';
import { toTime } from '../shared/text';
import { Failure } from '../shared/transport';

// 20 pages of the API: enough to hold all members who joined in one second.
const MOST_KNOWN = 1000;

// The first and the last time that a date can have: JSON has no Infinity.
const EARLIEST = -8.64e15;
const LATEST = 8.64e15;

interface Member {
	/** The msid, or else the user_id. */
	id: string;
	/** When they joined, in milliseconds since 1970; where the API does not show it, when they were found. */
	at: number;
	/** Whether the last reading did not find them where they were before. */
	hasLeft?: boolean;
}

/** How far a polling trigger has read the listing of members, the newest first; plain JSON, some 50 kB. */
export interface Cursor {
	/** The listing that it belongs to: the community and the status. */
	listing: string;
	/** Who joined by this time and is not known is old. */
	floor: number;
	/** Members who were given, or were there from the start, the newest first. */
	known: Member[];
	/**
	 * The next poll reads down to those who joined before this time, although it knows those above: a member who left
	 * while pages were read may have moved another one to a page that had been read already.
	 */
	again: number;
	/** Where the next poll goes on if the last one was cut off; absent where it begins at the top. */
	next?: { page: number; lowest: number; hasLeft: boolean };
}

export interface Reading {
	/** The members on them, in the order of the listing, without duplicates. */
	records: IDataObject[];
	pages: number;
	/** Whether they reach the end of the listing. */
	isAll: boolean;
	/** Whether they reach as deep as they should. */
	isComplete: boolean;
	/** What ended the reading early, or makes it unreliable. */
	obstacle?: unknown;
}

/** The join times that records show, in milliseconds since 1970. */
export function timesOf(records: IDataObject[]): number[] {
	return records.map(joinedAt).filter((time) => time !== undefined);
}

/** The cursor of a trigger that starts from now: all who were read are known, and who is listed below is old. */
export function startAt(listing: string, { records, isAll }: Reading): Cursor {
	const now = Date.now();
	const known = records.map((record) => ({ id: idOf(record), at: joinedAt(record) ?? now }));
	const floor = isAll ? EARLIEST : (timesOf(records).at(-1) ?? now);
	return { listing, floor, known, again: LATEST };
}

/**
 * Tells of a page whether none below it can hold a new member: its lowest member is old, or is known and joined before
 * the newest known one, because the order within an instant is not documented (docs/decisions.md, A15).
 */
export function reaching({ floor, known, again }: Cursor): (page: IDataObject[]) => boolean {
	const members = byKey(known);
	const depth = depthOf(known, again);
	return (page) => {
		// A member without a join time who is not known may be new or old.
		const lowest = page.findLast((record) => timeOf(record, members) !== undefined) ?? {};
		const at = timeOf(lowest, members) ?? LATEST;
		return at <= floor || (at < depth && members.has(keyOf(lowest)));
	};
}

/**
 * The new members of a reading, the oldest first, and the cursor after them. Of several pages, the next poll reads
 * again those with members who were found, until none of the known ones has left meanwhile: then none was missed.
 */
export function advance(
	{ listing, floor, known: before, again: pending, next }: Cursor,
	{ records, pages, isComplete, obstacle }: Reading,
): { found: IDataObject[]; cursor: Cursor } {
	const members = byKey(before);
	const read = new Map<string, Member>();
	const found: IDataObject[] = [];
	let { lowest = LATEST, hasLeft = false } = next ?? {};
	// Without a join time, only the position tells: a new member is above a known one, or on a page above theirs.
	let isAbove = !isComplete || floor === EARLIEST;
	const unseen = Math.max(floor + 1, Math.min(lowest, Date.now()));
	for (const record of [...records].reverse()) {
		const key = keyOf(record);
		const at = timeOf(record, members) ?? (isAbove ? unseen : floor);
		const isNew = !members.has(key) && at > floor;
		if (isNew) found.push(record);
		if (isNew) lowest = Math.min(lowest, at);
		isAbove ||= isNew || members.has(key);
		read.set(key, { id: idOf(record), at });
	}
	// Who joined in one instant with the first or the last one may as well be on the next page.
	const times = [...read.values()].map(({ at }) => at);
	const [bottom, top] = [times[0], next ? times[times.length - 1] : LATEST];
	for (const [key, member] of members) {
		if (read.has(key) || member.at <= bottom || member.at >= top) continue;
		hasLeft ||= !member.hasLeft;
		members.set(key, { ...member, hasLeft: true });
	}
	const all = new Map([...members, ...[...read].reverse()]);
	const known = [...all.values()].sort((one, other) => other.at - one.at);
	if (!isComplete) {
		const page = (next?.page ?? 1) + pages - 1;
		const cursor = { listing, floor, known, again: depthOf(before, pending) };
		return {
			found,
			cursor: obstacle instanceof Failure ? cursor : { ...cursor, next: { page, lowest, hasLeft } },
		};
	}
	// Within one page, none can be missed.
	const isOnePage = pages === 1 && !next;
	const again = isOnePage ? LATEST : Math.min(lowest, hasLeft ? pending : LATEST);
	if (again !== LATEST) return { found, cursor: { listing, floor, known, again } };
	// The floor rises to the join time of dropped members, which tells them from new ones.
	const risen = Math.max(floor, known[MOST_KNOWN]?.at ?? floor);
	return { found, cursor: { listing, floor: risen, known: known.slice(0, MOST_KNOWN), again } };
}

/** Whether records are of a cursor's community, maybe at a new address. Every community may count user_id from 1. */
export function recognizes({ known }: Cursor, records: IDataObject[]): boolean {
	const members = byKey(known);
	return records.some((record) => {
		const member = members.get(keyOf(record));
		return member?.id === idOf(record) && member.at === timeOf(record, members);
	});
}

function joinedAt({ created_at }: IDataObject): number | undefined {
	const time = toTime(created_at);
	return Number.isNaN(time) ? undefined : time;
}

function timeOf(record: IDataObject, members: Map<string, Member>): number | undefined {
	return joinedAt(record) ?? members.get(keyOf(record))?.at;
}

// Pages are read down to those who joined before this time.
function depthOf(known: Member[], again: number): number {
	return Math.min(again, known[0]?.at ?? EARLIEST);
}

function byKey(known: Member[]): Map<string, Member> {
	return new Map(known.map((member) => [splitMsid(member.id).userId, member]));
}

// Of a record with an identifier: others are never compared.
function keyOf(record: IDataObject): string {
	return recordKey(record, userList) ?? '';
}

function idOf(record: IDataObject): string {
	return identifierOf(record, userList) ?? '';
}
