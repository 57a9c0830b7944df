import type { IDataObject } from 'n8n-workflow';
import { Failure, Stopped } from '../shared/transport';
import type { Cursor, Reading } from './cursor';
import { advance, idOf, keyOf, knows, reaching, timesOf } from './cursor';

/** One page of members; `hasMore` is undefined when the answer did not carry the header. */
export interface Page {
	records: IDataObject[];
	hasMore?: boolean;
}

/** Fetches one page of members, the newest first; pages are counted from 1. Throws Stopped when the time is over. */
export type FetchPage = (page: number) => Promise<Page>;

/** What ended a reading early, or makes it unreliable. */
type Obstacle = Failure | Stopped;

type IsEnough = (page: IDataObject[], reading: Reading) => boolean;

/** The most pages of one poll, so that its items fit into memory: 10,000 members. */
const MOST_PAGES = 200;

/** The listing counts as endless after as many pages in a row without a new record. */
const MOST_WITHOUT_NEWS = 10;

/** How often a new trigger reads several pages, until no member can have been missed. */
const MOST_READINGS = 10;

/**
 * The cursor of a new trigger, which starts from now.
 *
 * @throws Stopped when the time is over before it is read, Failure when the listing is not reliable, and what
 * `fetchPage` throws
 */
export async function start(listing: string, fetchPage: FetchPage): Promise<Cursor> {
	// All who joined in the same instant as the newest one are read, because others may join in it later.
	const isEnough: IsEnough = (_, { records, pages }) => {
		const times = timesOf(records);
		const isOneInstant = times.length > 0 && times.at(-1) === times[0];
		return records.length > 0 && pages >= least && !isOneInstant;
	};
	let least = 1;
	let floor: number | null = null;
	let cursor: Cursor = { listing, floor, known: [], recent: [], gone: [] };
	for (let readings = 1; readings <= MOST_READINGS; readings++) {
		const { reading, obstacle } = await readPages(1, fetchPage, isEnough);
		if (obstacle) throw obstacle;
		if (readings === 1) {
			least = reading.pages;
			// Where no times are shown, this one tells old members from new ones, should they be shown later.
			floor = reading.isAll ? null : (timesOf(reading.records).at(-1) ?? Date.now());
		}
		({ cursor } = advance(cursor, reading));
		if (cursor.recent.length === 0) break;
	}
	return { ...cursor, floor, known: [...cursor.recent, ...cursor.known], recent: [] };
}

/** What a poll has found. */
export interface Step {
	/** The new members, the oldest first. */
	found: IDataObject[];
	/** The cursor once they are given. */
	cursor: Cursor;
	/** All members that were read, on so many pages. */
	records: IDataObject[];
	pages: number;
	obstacle?: Obstacle;
}

/**
 * Finds the members who joined since the last poll: reads pages from the newest member down to known ones. A poll that
 * runs out of time gives the members it has read, and the next one goes on at the page where it stopped.
 *
 * @throws what `fetchPage` throws. Nothing is lost, because the caller keeps its cursor
 */
export async function findNew(cursor: Cursor, fetchPage: FetchPage): Promise<Step> {
	const { page: first = 1 } = cursor.next ?? {};
	const isEnough = reaching(cursor);
	// Unless the page begins with a known member, so many have left that others may have moved to the pages above.
	const isTorn = ({ records }: Reading) => first > 1 && !knows(cursor, records[0]);
	const { reading, obstacle } = await readPages(
		first,
		fetchPage,
		(page, read) => isTorn(read) || isEnough(page),
	);
	const { records, pages } = reading;
	if (pages === 0) return { found: [], cursor, records, pages, obstacle };
	if (isTorn(reading)) {
		const { found = [] } = cursor.next ?? {};
		return await findNew({ ...cursor, next: { page: 1, found, isSure: false } }, fetchPage);
	}
	return { ...advance(cursor, reading), records, pages, obstacle };
}

/** The newest member; undefined where there is none. A page may be empty although others follow. */
export async function newestMember(fetchPage: FetchPage): Promise<IDataObject | undefined> {
	const isEnough: IsEnough = (page) => page.length > 0;
	const { reading, obstacle } = await readPages(1, fetchPage, isEnough);
	if (obstacle) throw obstacle;
	return reading.records[0];
}

/** Reads pages one after another until `isEnough`; no prefetching, because nearly always one page is enough. */
async function readPages(
	first: number,
	fetchPage: FetchPage,
	isEnough: IsEnough,
): Promise<{ reading: Reading; obstacle?: Obstacle }> {
	const reading: Reading = { records: [], first, pages: 0, isComplete: false, isAll: false };
	const seen = new Set<string>();
	let obstacle: Obstacle | undefined;
	let withoutNews = 0;
	while (!reading.isComplete && reading.pages < MOST_PAGES && withoutNews < MOST_WITHOUT_NEWS) {
		const page = await fetchPage(first + reading.pages).catch(onlyStopped);
		if (page instanceof Stopped) return { reading, obstacle: obstacle ?? page };
		reading.pages++;
		const before = reading.records.length;
		for (const record of page.records) {
			if (idOf(record) === undefined) obstacle = withoutIdentifier();
			else if (!seen.has(keyOf(record))) reading.records.push(record);
			seen.add(keyOf(record));
		}
		const hasNews = reading.records.length > before;
		withoutNews = hasNews ? 0 : withoutNews + 1;
		// Without the header, the listing goes on until a page brings nothing new.
		reading.isAll = page.hasMore === undefined ? !hasNews : !page.hasMore;
		reading.isComplete = reading.isAll || isEnough(page.records, reading);
	}
	if (!reading.isAll && isDisproved(reading.records)) obstacle ??= notNewestFirst();
	if (!reading.isComplete && withoutNews > 0) obstacle ??= endless();
	return { reading, obstacle };
}

function onlyStopped(error: unknown): Stopped {
	if (error instanceof Stopped) return error;
	throw error;
}

// A member who was approved is listed where the API wants; a listing in another order rises about as often as it falls.
function isDisproved(records: IDataObject[]): boolean {
	const times = timesOf(records);
	const rises = times.filter((time, index) => time > times[index - 1]).length;
	const falls = times.filter((time, index) => time < times[index - 1]).length;
	return rises > 1 && rises * 2 > falls;
}

const ADVICE = 'Tell the operators of the community.';

function notNewestFirst(): Failure {
	return new Failure(
		'The listing of members is not in the order that was asked for, the newest first',
		`New members cannot be found in it. ${ADVICE}`,
	);
}

function withoutIdentifier(): Failure {
	return new Failure(
		'The listing has members without an identifier (msid or user_id)',
		`The trigger cannot tell whether they are new. ${ADVICE}`,
	);
}

function endless(): Failure {
	return new Failure(
		`The listing of members does not advance: ${MOST_WITHOUT_NEWS} pages in a row have no other members`,
		ADVICE,
	);
}
