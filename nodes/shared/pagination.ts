import type { IDataObject } from 'n8n-workflow';
import { Cancellation } from './async/cancel';
import { identifierOf } from './records/identity';
import type { RecordType } from './records/types';
import type { HttpAnswer, ApiRequest, Sender } from './transport';
import { MAX_PAGE_SIZE, READ, answeredAt } from './transport';
import { Failure } from './failure';

// A page requested beyond the end of a slow listing is wasted work for the community (docs/sending.md, "Pagination").
const MAX_AHEAD = 2;
const MAX_PAGES_WITHOUT_NEW_RECORDS = 10;

export type ListRequest = Omit<ApiRequest, 'method' | 'effect' | 'expects'>;

export interface Wanted {
	limit?: number;
	/** The page to begin with, 1 by default. */
	from?: number;
	/** Whether up to two pages are requested before they are needed. */
	isPrefetching?: boolean;
	/** The {@link identifierOf} of each record that another listing returned. Those of this listing are added. */
	seen?: Set<string>;
}

/** The records of one page that no earlier page had. There may be none. */
export interface NewRecords {
	records: IDataObject[];
	/** Whether no records are left. Otherwise the listing continues, or the limit cut it off. */
	isEnd: boolean;
	/** When the page was answered, by the clock of the API. */
	answeredAt: number;
}

/**
 * Paginates a listing (docs/decisions.md, A4 and A5): yields its records page by page, each once. Yields as many pages as
 * the limit needs, the last one with `isEnd` unless the limit was reached before. Throws a Failure if ten pages in a row
 * have no new record.
 */
export async function* pages(
	sender: Sender,
	listing: ListRequest,
	type: RecordType,
	{ limit = Infinity, from = 1, isPrefetching = false, seen = new Set() }: Wanted = {},
): AsyncGenerator<NewRecords> {
	const pageSize = Math.min(limit, MAX_PAGE_SIZE);
	const requests = new PageRequests(sender, listing, type, pageSize, from);
	let left = limit;
	let pagesWithoutNewRecords = 0;
	try {
		for (;;) {
			const answer = await requests.next();
			const { fresh, hasNewRecords, isMore } = newRecordsOf(answer, type, seen);
			const isLast = !(isMore ?? hasNewRecords);
			const records = fresh.slice(0, left);
			left -= records.length;
			const pagesLeft = isLast ? 0 : Math.ceil(left / pageSize);
			if (isPrefetching) requests.request(Math.min(pagesAhead(isMore), pagesLeft));
			if (isLast) requests.cancel();
			const isEnd = isLast && records.length === fresh.length;
			yield { records, isEnd, answeredAt: answeredAt(answer) };
			if (isLast || left === 0) return;
			pagesWithoutNewRecords = hasNewRecords ? 0 : pagesWithoutNewRecords + 1;
			if (pagesWithoutNewRecords === MAX_PAGES_WITHOUT_NEW_RECORDS) throw neverEnds();
		}
	} finally {
		requests.cancel();
	}
}

// Without has_more, the next page may be beyond the end.
function pagesAhead(isMore?: boolean): number {
	return isMore ? 1 + MAX_AHEAD : 1;
}

/** The requests for the pages of a listing, some of them before the page is needed. */
class PageRequests {
	private readonly cancelled = new Cancellation();
	private readonly inFlight: Array<Promise<HttpAnswer>> = [];

	constructor(
		private readonly sender: Sender,
		private readonly listing: ListRequest,
		private readonly type: RecordType,
		private readonly pageSize: number,
		private page: number,
	) {}

	/** Starts requests until so many are under way. */
	request(count: number): void {
		const { sender, listing, type, pageSize, inFlight } = this;
		while (inFlight.length < count) {
			const qs = { ...listing.qs, page: this.page + inFlight.length, page_size: pageSize };
			const request = { ...listing, ...READ, qs, expects: { list: type } };
			const answer = sender.send(request, this.cancelled);
			// It may fail after the listing has ended, and an unhandled rejection would end n8n's process.
			answer.catch(() => {});
			inFlight.push(answer);
		}
	}

	async next(): Promise<HttpAnswer> {
		this.request(1);
		const answer = await this.inFlight[0];
		void this.inFlight.shift();
		this.page++;
		return answer;
	}

	cancel(): void {
		this.cancelled.cancel();
	}
}

/** Returns the new records of a page, whether any were not seen before, and whether pages follow, if the API says so. */
function newRecordsOf(answer: HttpAnswer, type: RecordType, seen: Set<string>) {
	// No content means no records.
	const page = Array.isArray(answer.body) ? (answer.body as IDataObject[]) : [];
	const { size: known } = seen;
	const found = newRecordsIn(page, type, seen);
	const hasNewRecords = seen.size > known;
	const isMore = hasMore(answer);
	// Without has_more, the same page again means the end.
	return { fresh: isMore === undefined && !hasNewRecords ? [] : found, hasNewRecords, isMore };
}

/**
 * Returns the records that are not `seen`, and adds them to it. Records with different msids are different members. A
 * record without an ID is always returned, because the API leaves out what the caller cannot see.
 */
export function newRecordsIn(
	records: IDataObject[],
	type: RecordType,
	seen: Set<string>,
): IDataObject[] {
	return records.filter((record) => {
		const id = identifierOf(record, type);
		return isNew(id ?? JSON.stringify(record), seen) || id === undefined;
	});
}

function isNew(key: string, seen: Set<string>): boolean {
	const { size } = seen;
	return seen.add(key).size > size;
}

function neverEnds(): Failure {
	return new Failure(
		`The last ${MAX_PAGES_WITHOUT_NEW_RECORDS} pages of the list had no new record`,
		"Report the operation and the time to your community platform's support, because this list never ends.",
	);
}

/** Whether pages follow, by the header `has_more`, even if sent twice. Otherwise undefined (docs/decisions.md, A4). */
function hasMore(answer: HttpAnswer): boolean | undefined {
	const parts = String(answer.headers.has_more ?? '')
		.toLowerCase()
		.split(/[\s,]+/)
		.filter((part) => part !== '');
	if (parts.length === 0) return undefined;
	return parts.some((part) => !['0', 'false', 'no'].includes(part));
}

/**
 * Whether join times disprove the requested order, newest first (docs/decisions.md, A25). The API may list an approved
 * member anywhere. In another order, times rise about as often as they fall.
 */
export function isInAnotherOrder(times: number[]): boolean {
	const rises = times.filter((time, index) => time > times[index - 1]).length;
	const falls = times.filter((time, index) => time < times[index - 1]).length;
	return rises > 1 && rises * 2 > falls;
}
