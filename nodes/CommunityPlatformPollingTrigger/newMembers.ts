import type { IDataObject } from 'n8n-workflow';
import { Stopped } from '../shared/transport';
import { Failure } from '../shared/transport/failure';
import type { Page } from '../shared/pagination';
import type { Cursor, Reading } from './cursor';
import {
	advance,
	confirms,
	continues,
	isStartComplete,
	reaching,
	recognizes,
	startAt,
	withFloor,
} from './cursor';
import type { FetchPage } from './memberPages';
import { idOf, joinedAt, memberOf } from './member';

/** How often a new trigger reads the top of the listing at most, until no member can have been missed. */
const MOST_READINGS = 10;

/** The most members that one poll gives, so that its items fit into memory. */
const MOST_AT_ONCE = 10_000;

/** The listing counts as endless after as many pages in a row without a new record. */
const MOST_WITHOUT_NEWS = 10;

/**
 * The cursor of a new trigger, which starts from now. One page is enough, unless all members on it joined in the same
 * instant.
 *
 * @throws Stopped when the time is over before it is read, and what `fetchPage` throws
 */
export async function start(listing: string, fetchPage: FetchPage): Promise<Cursor> {
	const readTop = async (least: number) =>
		await readFully(fetchPage, ({ hasMore }, { records, pages }) => {
			// Without the header, the second page tells whether there are further members.
			const atLeast = hasMore === undefined ? Math.max(least, 2) : least;
			return isStartComplete(records) && pages.length >= atLeast;
		});
	const first = await readTop(1);
	let cursor = startAt(listing, first);
	const { floor } = cursor;
	for (let readings = 2; cursor.unconfirmed && readings <= MOST_READINGS; readings++) {
		const again = await readTop(first.pages.length);
		const isSure = confirms(again, cursor.unconfirmed);
		// A member who was missed before, because others left, was there before the trigger, too.
		({ cursor } = advance({ ...cursor, floor: null }, again));
		if (isSure) break;
	}
	// New members are above the old ones, confirmed or not.
	return withFloor({ ...cursor, unconfirmed: undefined }, floor);
}

/**
 * Finds the members who joined since the last poll: reads pages from the newest member down to known ones. After several
 * pages, the next poll reads as deep again, and so on until one confirms that no member was missed (see
 * {@link confirms}). A poll that runs out of time gives the members it has read, and the next one goes on at the page
 * where it stopped before it reads the top again.
 *
 * @returns the new members, the oldest first, and the cursor once they are given; `stopped` when the time was over
 * before a member was found or a second page was read
 * @throws Failure when the API cannot answer. Nothing is lost, because the caller keeps its cursor
 */
export async function findNew(
	cursor: Cursor,
	fetchPage: FetchPage,
): Promise<{ found: IDataObject[]; cursor: Cursor; stopped?: Stopped }> {
	const { page: left = 1 } = cursor.unconfirmed ?? {};
	const fetchSome = stopAfter(MOST_AT_ONCE, cursor, fetchPage);
	let found: IDataObject[] = [];
	let current = cursor;
	let pages = 0;
	for (const first of left > 1 ? [left, 1] : [1]) {
		const { reading, stopped } = await readPages(first, fetchSome, reaching(current));
		pages += reading.pages.length;
		const [page] = reading.pages;
		// Otherwise so many members have left that others may have moved to the pages above: begin at the top again.
		if (page && (first === 1 || continues(current, page))) {
			const step = advance(current, reading);
			current = step.cursor;
			found = [...step.fresh, ...found];
		}
		if (!stopped) continue;
		const isFruitless = found.length === 0 && pages < 2;
		return { found: oldestFirst(found), cursor: current, ...(isFruitless && { stopped }) };
	}
	return { found: oldestFirst(found), cursor: current };
}

/** The newest member; undefined where there is none. A page may be empty although others follow. */
export async function newestMember(fetchPage: FetchPage): Promise<IDataObject | undefined> {
	const { records } = await readFully(fetchPage, (page) => page.records.length > 0);
	return records[0];
}

/** Whether the listing belongs to the community of the cursor (see {@link recognizes}). */
export async function isSameListing(cursor: Cursor, fetchPage: FetchPage): Promise<boolean> {
	const fetchSome = stopAfter(MOST_AT_ONCE, cursor, fetchPage);
	const { reading, stopped } = await readPages(1, fetchSome, reaching(cursor));
	// With so many unknown members, it counts as another community.
	if (stopped && reading.records.length < MOST_AT_ONCE) throw stopped;
	return recognizes(cursor, reading.records);
}

type IsEnough = (page: Page, reading: Reading) => boolean;

async function readFully(fetchPage: FetchPage, isEnough: IsEnough): Promise<Reading> {
	const { reading, stopped } = await readPages(1, fetchPage, isEnough);
	if (stopped) throw stopped;
	return reading;
}

/** Reads pages one after another until `isEnough`; no prefetching, because nearly always one page is enough. */
async function readPages(
	first: number,
	fetchPage: FetchPage,
	isEnough: IsEnough,
): Promise<{ reading: Reading; stopped?: Stopped }> {
	const reading: Reading = {
		first,
		pages: [],
		records: [],
		isWhole: true,
		isComplete: false,
		isAll: false,
	};
	const seen = new Set<string>();
	let hasJoined = false;
	for (let withoutNews = 0; withoutNews < MOST_WITHOUT_NEWS;) {
		const page = await fetchPage(first + reading.pages.length).catch(onlyStopped);
		if (page instanceof Stopped) return { reading, stopped: page };
		const { records, hasMore } = page;
		const news = records.filter((record) => !seen.has(idOf(record)));
		for (const record of news) {
			seen.add(idOf(record));
			reading.records.push(record);
		}
		reading.pages.push(page);
		// Between two pages that share a member, none is missed.
		const isShared = news.length < records.length;
		if (hasJoined && !isShared) reading.isWhole = false;
		hasJoined ||= isShared;
		// Without the header, the listing goes on until a page brings nothing new.
		const isEnd = hasMore === undefined ? news.length === 0 : !hasMore;
		if (isEnd || isEnough(page, reading)) {
			return { reading: { ...reading, isComplete: true, isAll: isEnd } };
		}
		withoutNews = news.length > 0 ? 0 : withoutNews + 1;
	}
	throw new Failure('The listing of members does not end', 'Tell the operators of the community.');
}

function onlyStopped(error: unknown): Stopped {
	if (error instanceof Stopped) return error;
	throw error;
}

// Stops after a number of unknown members, as if the time was over.
function stopAfter(most: number, { known }: Cursor, fetchPage: FetchPage): FetchPage {
	const ids = new Set(known.map(([id]) => memberOf(id)));
	let unknown = 0;
	return async (number) => {
		if (unknown >= most) throw new Stopped();
		const page = await fetchPage(number);
		unknown += page.records.filter((record) => !ids.has(idOf(record))).length;
		return page;
	};
}

// By join time; within one instant, and without times, in the reverse order of the listing.
function oldestFirst(found: IDataObject[]): IDataObject[] {
	const later = (one: IDataObject, other: IDataObject) =>
		(joinedAt(one) ?? NaN) - (joinedAt(other) ?? NaN) || 0;
	return found.reverse().sort(later);
}
