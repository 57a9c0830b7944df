import type { IDataObject } from 'n8n-workflow';
import { MAX_PAGE_SIZE, Stopped } from '../shared/api';
import { walkPages, type Page } from '../shared/paging/pages';
import { user } from '../shared/records/types';
import { lookAcross } from './borders';
import type { Cursor, Search, Step, Stretch } from './cursor';
import {
	advance,
	isStartComplete,
	reaches,
	recognizes,
	settledBy,
	startAt,
	withFloor,
} from './cursor';
import type { FetchPage } from './listing';
import { fullIdOf, joinedAt } from './member';
import { locate, note } from './search';

/** Pages read in one piece, at most; what lies between a piece and the known members is never left out. */
const PIECE = 10;

/** Pages in the smallest piece that shows a border. */
const LEAST = 2;

/** How often one poll reads a piece, at most, until nobody can have been missed. */
const MOST_READINGS = 10;

/** The most members handed over by one poll, so that its items fit into memory. */
const MOST_AT_ONCE = 10_000;

/**
 * Where a new trigger begins: from now on. One page tells, unless more than fill it joined in the same
 * instant as the newest one.
 */
export async function start(source: string, fetchPage: FetchPage): Promise<Cursor> {
	const read = async () => {
		const stretch = await readFrom(1, fetchPage, (_page, all) => isStartComplete(all));
		return await gapless(stretch, fetchPage, () => false);
	};
	const first = await read();
	let cursor = startAt(source, first, first.isAll);
	const { floor } = cursor;
	for (let readings = 2; cursor.lookBack; readings++) {
		// Whoever was missed before, because others left, was there before the trigger as well.
		const anybody = { ...cursor, floor: null };
		({ cursor } = advance(anybody, await read(), readings === MOST_READINGS));
	}
	return withFloor(cursor, floor);
}

/**
 * Finds the members who joined since the last poll, the oldest first.
 *
 * The listing begins with the newest, so after a long outage it is read in pieces from the bottom up:
 * the page where the known members begin is found by halving, and each piece goes from some pages
 * above it down to it, fewer where the API is slow. When the time is up, those of the pieces read so far
 * are handed over, and the next poll goes on from there.
 *
 * Each piece is read from top to bottom, so somebody who joins meanwhile only moves others to a page
 * that is still to come. Somebody who leaves may move others to a page that was read already, which a
 * look across each border shows (see {@link lookAcross}). Where there was no time for that, or the API
 * has no page that shows it, the piece is read again until it is the same twice, by the next polls if need
 * be.
 *
 * @param hasTime asked after each piece with somebody new in it: whether another one may be read
 * @param mostPages how many pages there is time for
 * @returns `stopped` when the time was over before a piece was read; the cursor then tells the next poll
 * where to go on looking for the known members
 * @throws Failure when the API cannot answer. Nothing is lost, because the caller keeps its cursor
 */
export async function drain(
	cursor: Cursor,
	fetchPage: FetchPage,
	hasTime: () => boolean,
	mostPages = () => PIECE,
): Promise<{ found: IDataObject[]; cursor: Cursor; stopped?: Stopped }> {
	const found: IDataObject[] = [];
	const search: Search = { above: 0, ...cursor.search };
	let current = cursor;
	try {
		for await (const step of steps(cursor, fetchPage, mostPages, search)) {
			current = step.cursor;
			for (const record of step.fresh) found.push(record);
			if (found.length >= MOST_AT_ONCE || (step.fresh.length > 0 && !hasTime())) break;
		}
	} catch (error) {
		const stopped = onlyStopped(error);
		return { found, cursor: search.above > 0 ? { ...cursor, search } : cursor, stopped };
	}
	return { found: oldestFirst(found, current), cursor: current };
}

/** The newest member; undefined where there is nobody. A page may be empty though others follow. */
export async function newest(fetchPage: FetchPage): Promise<IDataObject | undefined> {
	const { records } = await readFrom(1, fetchPage, () => true);
	return records[0];
}

/** Whether the listing belongs to the community that the cursor was made in (see {@link recognizes}). */
export async function isSameListing(cursor: Cursor, fetchPage: FetchPage): Promise<boolean> {
	const first = await fetchPage(1);
	if (recognizes(cursor, first.records)) return true;
	if (reaches(cursor, first)) return false;
	// More than a page may have joined since: those who are known begin further down.
	const border = await locate(cursor, fetchPage, { above: 1 });
	for (const page of [border, border - 1, border + 1]) {
		if (recognizes(cursor, (await fetchPage(page)).records)) return true;
	}
	return false;
}

interface ReadPages extends Stretch {
	/** The number of the first page. */
	first: number;
	isAll: boolean;
}

type Piece = ReadPages & { isComplete: boolean };

async function* steps(
	cursor: Cursor,
	fetchPage: FetchPage,
	mostPages: () => number,
	search: Search,
): AsyncGenerator<Step> {
	const size = () => Math.min(PIECE, Math.max(LEAST, mostPages()));
	let current = cursor;
	let top = 1;
	let piece: Piece | undefined;
	// An earlier poll had no time for a piece; whether the API is as slow now is not known before it has answered.
	const isResumed = search.above > 0;
	// Nearly always the first page is enough, and then it is the only request.
	if (!isResumed) piece = await readDown(1, current, fetchPage, search, size);
	while (!piece?.isComplete) {
		const border = await locate(current, fetchPage, search);
		top = pieceAbove(border, isResumed ? LEAST : size());
		piece = await readDown(top, current, fetchPage, search, () => 2 * PIECE);
	}
	for (let readings = 1; piece; readings++) {
		const step = advance(current, piece);
		current = step.cursor;
		if (step.isCertain) Object.assign(search, { above: top - 1, below: top });
		// The next poll is not to look for them again either.
		const isToResume = isResumed && search.above > 0;
		yield isToResume ? { ...step, cursor: { ...current, search: { ...search } } } : step;
		if (step.isCertain) {
			if (top === 1) return;
			top = pieceAbove(top, size());
			readings = 0;
		} else if (readings === MOST_READINGS) {
			return;
		}
		piece = await readDown(top, current, fetchPage, search).catch(nothingMore);
	}
}

// What was read before the time was over is worth keeping.
function nothingMore(error: unknown): undefined {
	onlyStopped(error);
}

function onlyStopped(error: unknown): Stopped {
	if (error instanceof Stopped) return error;
	throw error;
}

// Whoever is found by reading again joined earlier than others found before. Within one instant, or
// without times, the cursor knows the order of the listing.
function oldestFirst(found: IDataObject[], { known }: Cursor): IDataObject[] {
	const places = new Map(known.map(([id], index) => [id, index]));
	const placeOf = (record: IDataObject) => places.get(fullIdOf(record)) ?? known.length;
	const byTime = (one: IDataObject, other: IDataObject) =>
		(joinedAt(one) ?? NaN) - (joinedAt(other) ?? NaN);
	return found.sort((one, other) => byTime(one, other) || placeOf(other) - placeOf(one));
}

function pieceAbove(page: number, pages: number): number {
	return Math.max(1, page - pages + 1);
}

async function readDown(
	top: number,
	cursor: Cursor,
	fetchPage: FetchPage,
	search: Search,
	mostPages = () => Infinity,
): Promise<Piece> {
	let isComplete = false;
	const stretch = await readFrom(top, fetchPage, (page, _all, number) => {
		isComplete = reaches(cursor, page);
		note(search, number, isComplete);
		return isComplete || number - top + 1 >= mostPages();
	});
	isComplete ||= stretch.isAll;
	const isSettled = settledBy(cursor, stretch.records);
	return { ...(isComplete ? await gapless(stretch, fetchPage, isSettled) : stretch), isComplete };
}

// Who was read before the time was over is handed over all the same, and read again.
async function gapless<T extends ReadPages>(
	stretch: T,
	fetchPage: FetchPage,
	isSettled: (record: IDataObject) => boolean,
): Promise<T> {
	const matters = (page: IDataObject[]) => !page.every(isSettled);
	try {
		const records = await lookAcross(stretch.first, stretch.pages, fetchPage, matters);
		return records ? { ...stretch, records, isGapless: true } : stretch;
	} catch (error) {
		nothingMore(error);
		return stretch;
	}
}

// Goes on until it is enough, which is asked after each page with somebody on it.
async function readFrom(
	first: number,
	fetchPage: FetchPage,
	isEnough: (page: Required<Page>, all: IDataObject[], number: number) => boolean,
): Promise<ReadPages> {
	const all: IDataObject[] = [];
	const read: IDataObject[][] = [];
	let hasMore = true;
	const pages = walkPages({
		pageSize: MAX_PAGE_SIZE,
		limit: Infinity,
		// One after another: a poll runs often, listing members is slow, and few pages are needed.
		window: 1,
		idField: user.idField,
		fetchPage: async (page) => {
			const fetched = await fetchPage(first + page - 1);
			({ hasMore } = fetched);
			read.push(fetched.records);
			return fetched;
		},
	});
	for await (const records of pages) {
		for (const record of records) all.push(record);
		if (isEnough({ records, hasMore }, all, first + read.length - 1)) break;
	}
	const isFromTop = first === 1;
	return { records: all, pages: read, isFromTop, isGapless: false, first, isAll: !hasMore };
}
