import type { IDataObject } from 'n8n-workflow';
import { MAX_PAGE_SIZE } from '../shared/api';
import { Failure } from '../shared/failure';
import { walkPages, type Page } from '../shared/pages';
import { user } from '../shared/records';
import type { Cursor } from './cursor';
import { advance, isStartComplete, reaches, startAt } from './cursor';

/** Pages read in one piece; what lies between a piece and the known members is never left out. */
const PIECE = 10;

/** The most members handed over by one poll, so that its items fit into memory. */
const MOST_AT_ONCE = 10_000;

const LAST_PAGE = 1_000_000;

/** Gives one page of the members, the newest first, counted from 1. */
export type FetchPage = (page: number) => Promise<Required<Page>>;

/** Where a new trigger begins: from now on. */
export async function start(source: string, fetchPage: FetchPage): Promise<Cursor> {
	const { records, isAll } = await readFrom(1, fetchPage, (_page, all) => isStartComplete(all));
	return startAt(source, records, isAll);
}

/**
 * Finds the members who joined since the last poll, the oldest first.
 *
 * The listing begins with the newest, so after a long outage it is read in pieces from the bottom up:
 * the page where the known members begin is found by halving, and each piece goes from some pages
 * above it down to it. When the time is up, those of the pieces read so far are handed over, and the
 * next poll goes on from there.
 *
 * Each piece is read from top to bottom, so somebody who joins meanwhile only moves others to a page
 * that is still to come.
 *
 * @param hasTime whether another piece may be read; the first one always is
 * @throws Failure when the API cannot answer; nothing is lost, because the caller keeps its cursor
 */
export async function drain(
	cursor: Cursor,
	fetchPage: FetchPage,
	hasTime: () => boolean,
): Promise<{ found: IDataObject[]; cursor: Cursor }> {
	const found: IDataObject[] = [];
	let current = cursor;
	let top = 1;
	// Nearly always the first page is enough, and then it is the only request.
	let piece = await readDown(1, current, fetchPage, PIECE);
	if (!piece.isComplete) {
		top = pieceAbove(await locate(current, fetchPage));
		piece = await readDown(top, current, fetchPage);
	}
	for (;;) {
		const step = advance(current, piece.records);
		current = step.cursor;
		for (const record of step.fresh) found.push(record);
		if (top === 1 || !hasTime() || found.length >= MOST_AT_ONCE) break;
		top = pieceAbove(top);
		piece = await readDown(top, current, fetchPage);
	}
	return { found, cursor: current };
}

function pieceAbove(page: number): number {
	return Math.max(1, page - PIECE + 1);
}

async function readDown(
	top: number,
	cursor: Cursor,
	fetchPage: FetchPage,
	mostPages = Infinity,
): Promise<{ records: IDataObject[]; isComplete: boolean }> {
	let isComplete = false;
	let pages = 0;
	const { records } = await readFrom(top, fetchPage, (page) => {
		isComplete = reaches(cursor, page);
		return isComplete || ++pages === mostPages;
	});
	return { records, isComplete };
}

async function readFrom(
	first: number,
	fetchPage: FetchPage,
	isEnough: (page: Required<Page>, all: IDataObject[]) => boolean,
): Promise<{ records: IDataObject[]; isAll: boolean }> {
	const all: IDataObject[] = [];
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
			return fetched;
		},
	});
	for await (const records of pages) {
		for (const record of records) all.push(record);
		if (isEnough({ records, hasMore }, all)) break;
	}
	return { records: all, isAll: !hasMore };
}

/** The first page that reaches what is known, found by doubling and then halving. */
async function locate(cursor: Cursor, fetchPage: FetchPage): Promise<number> {
	let above = PIECE;
	let below = 2 * PIECE;
	while (!reaches(cursor, await fetchPage(below))) {
		above = below;
		below *= 2;
		if (below > LAST_PAGE) {
			throw new Failure(
				'The listing of members does not end',
				'Tell the operators of the community.',
			);
		}
	}
	while (below - above > 1) {
		const middle = Math.floor((above + below) / 2);
		if (reaches(cursor, await fetchPage(middle))) below = middle;
		else above = middle;
	}
	return below;
}
