import type { IDataObject } from 'n8n-workflow';
import { Stop } from './limiter';
import { recordKey } from './records/identity';
import type { RecordType } from './records/types';
import type { HttpAnswer, ApiRequest, Sender } from './transport';
import { answeredAt, MAX_PAGE_SIZE } from './transport';
import { Failure } from './failure';

// Of a listing that is slow, pages beyond the end cost the community work for nothing (docs/decisions.md, A32).
const MOST_AHEAD = 2;
const MOST_WITHOUT_NEWS = 10;
const NO_NEWS = `${MOST_WITHOUT_NEWS} pages in a row without a new record, each announcing more`;
const SAME_PAGE = 'the API gave the same page again';

export type Listing = Omit<ApiRequest, 'method' | 'expects'>;

export interface Wanted {
	limit?: number;
	/** The page to begin with, 1 by default. */
	from?: number;
	/** Whether up to two pages are requested before they are wanted. */
	isPrefetching?: boolean;
	/** Records that were given before, by another listing: {@link recordKey} of each; those of this one are added. */
	seen?: Set<string>;
}

/** The records of one page that were not given before; none, if it has only such. */
export interface NewRecords {
	records: IDataObject[];
	/** Whether these are all records that are left; otherwise the listing goes on, or was cut off by the limit. */
	isEnd: boolean;
	/** When the page was answered, by the clock of the API. */
	answeredAt: number;
}

/**
 * Paginates a listing (docs/decisions.md, A4 and A5): gives its records page by page, each once, or always if it has no
 * identifier. Prefetching finds the end only by overshooting it, so it requests at most two pages that may not exist.
 *
 * @yields as many pages as the limit needs, the last one with `isEnd` unless the limit was reached before
 * @throws Failure when the listing never advances: the same page again, or ten pages in a row without a new record
 */
export async function* pages(
	sender: Sender,
	listing: Listing,
	type: RecordType,
	{ limit = Infinity, from = 1, isPrefetching = false, seen = new Set() }: Wanted = {},
): AsyncGenerator<NewRecords> {
	const pageSize = Math.min(limit, MAX_PAGE_SIZE);
	const withdrawn = new Stop();
	const inFlight: Array<Promise<HttpAnswer>> = [];
	let left = limit;
	let next = from;
	let before = '';
	let withoutNews = 0;
	const requestUpTo = (most: number) => {
		const wanted = Math.min(most, Math.ceil(left / pageSize));
		while (inFlight.length < wanted) {
			const qs = { ...listing.qs, page: next + inFlight.length, page_size: pageSize };
			const request = { ...listing, method: 'GET', qs } as const;
			const page = sender.send({ ...request, expects: { list: type } }, withdrawn);
			// It may fail after the listing has ended without it; an unhandled rejection would end n8n's process.
			page.catch(() => {});
			inFlight.push(page);
		}
	};
	try {
		for (;;) {
			requestUpTo(1);
			const answer = await inFlight[0];
			void inFlight.shift();
			next++;
			// No content means no records.
			const page = Array.isArray(answer.body) ? (answer.body as IDataObject[]) : [];
			const isMore = hasMore(answer);
			const keys = page.map((record) => recordKey(record, type));
			// By identifier where there is one, because counters in a record change by themselves.
			const text = JSON.stringify(keys.map((key, index) => key ?? page[index]));
			const isRepeated = text === before;
			// Of records without an identifier, only a whole page can be known to be the same.
			const isOver = isMore === undefined && isRepeated;
			const fresh = isOver ? [] : page.filter((_, index) => isNew(keys[index], seen));
			const isNews = fresh.length > 0 && !isRepeated;
			const isLast = !(isMore ?? isNews);
			const records = fresh.slice(0, left);
			left -= records.length;
			if (isLast) withdrawn.stop();
			else if (isPrefetching) requestUpTo(isMore ? 1 + MOST_AHEAD : 1);
			const isEnd = isLast && records.length === fresh.length;
			yield { records, isEnd, answeredAt: answeredAt(answer) };
			if (isLast || left === 0) return;
			if (page.length > 0) before = text;
			withoutNews = isNews ? 0 : withoutNews + 1;
			if (isRepeated && fresh.length === 0) throw stuck(SAME_PAGE);
			if (withoutNews === MOST_WITHOUT_NEWS) throw stuck(NO_NEWS);
		}
	} finally {
		withdrawn.stop();
	}
}

function isNew(key: string | undefined, seen: Set<string>): boolean {
	if (key === undefined) return true;
	const isKnown = seen.has(key);
	seen.add(key);
	return !isKnown;
}

function stuck(what: string): Failure {
	return new Failure(
		`The listing does not advance: ${what}`,
		'Tell the operators of the community.',
	);
}

/** Whether pages follow, by the header `has_more`, even if sent twice; undefined without (docs/decisions.md, A4). */
export function hasMore(answer: HttpAnswer): boolean | undefined {
	const parts = String(answer.headers.has_more ?? '')
		.toLowerCase()
		.split(/[\s,]+/)
		.filter((part) => part !== '');
	if (parts.length === 0) return undefined;
	return parts.some((part) => !['0', 'false', 'no'].includes(part));
}

/**
 * Whether join times disprove the order that was asked for, the newest first (docs/decisions.md, A25). A member who was
 * approved is listed where the API wants; in another order, times rise about as often as they fall.
 */
export function isInAnotherOrder(times: number[]): boolean {
	const rises = times.filter((time, index) => time > times[index - 1]).length;
	const falls = times.filter((time, index) => time < times[index - 1]).length;
	return rises > 1 && rises * 2 > falls;
}
