import type { IDataObject } from 'n8n-workflow';
import type { Cursor, Stretch } from '../../nodes/CommunityPlatformPollingTrigger/cursor.ts';

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

/** A cursor with these parts, of somebody who has seen nobody yet. */
export function cursorOf(parts: Partial<Cursor> = {}): Cursor {
	return { source: 'here 10', top: null, floor: null, known: [], ...parts };
}

/** What was read on these pages, from the top and without proof, unless told. */
export function stretchOf(pages: IDataObject[][], parts: Partial<Stretch> = {}): Stretch {
	return { records: pages.flat(), pages, isFromTop: true, isGapless: false, ...parts };
}

/** Members by number. */
export const numbers = (records: IDataObject[]) => records.map(({ user_id }) => user_id);
/** Who is known, in the order of the cursor. */
export const knownIds = ({ known }: Cursor) => known.map(([id]) => id);
/** Whole numbers, the highest first. */
export const down = (from: number, to: number) =>
	Array.from({ length: from - to + 1 }, (_, index) => from - index);
