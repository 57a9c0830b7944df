import type { IDataObject } from 'n8n-workflow';
import { Cancellation } from './limiter/cancel';
import { recordKey } from './records/identity';
import type { RecordType } from './records/types';
import type { HttpAnswer, ApiRequest, Sender } from './transport';
import { answeredAt, MAX_PAGE_SIZE } from './transport';
import { Failure } from './failure';

// A page requested beyond the end of a slow listing is wasted work for the community (docs/sending.md, "Pagination").
const MAX_AHEAD = 2;
const MAX_WITHOUT_NEWS = 10;

export type ListRequest = Omit<ApiRequest, 'method' | 'expects'>;

export interface Wanted {
	limit?: number;
	/** The page to begin with, 1 by default. */
	from?: number;
	/** Whether up to two pages are requested before they are needed. */
	isPrefetching?: boolean;
	/** The {@link recordKey} of each record that another listing returned. Those of this listing are added. */
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
 * Paginates a listing (docs/decisions.md, A4 and A5): yields its records page by page, each once, unless it has no ID.
 * Yields as many pages as the limit needs, the last one with `isEnd` unless the limit was reached before. Throws a
 * Failure if the listing never advances: the same page again, or ten pages in a row without a new record.
 */
export async function* pages(
	sender: Sender,
	listing: ListRequest,
	type: RecordType,
	{ limit = Infinity, from = 1, isPrefetching = false, seen = new Set() }: Wanted = {},
): AsyncGenerator<NewRecords> {
	const pageSize = Math.min(limit, MAX_PAGE_SIZE);
	const requests = new PageRequests(sender, listing, type, pageSize, from);
	const progress = new Progress(type, seen);
	let left = limit;
	try {
		for (;;) {
			const answer = await requests.next();
			const { fresh, isLast, isAnnounced } = progress.of(answer);
			const records = fresh.slice(0, left);
			left -= records.length;
			const pagesLeft = isLast ? 0 : Math.ceil(left / pageSize);
			const ahead = isAnnounced ? 1 + MAX_AHEAD : 1;
			if (isPrefetching) requests.request(Math.min(ahead, pagesLeft));
			if (isLast) requests.cancel();
			const isEnd = isLast && records.length === fresh.length;
			yield { records, isEnd, answeredAt: answeredAt(answer) };
			if (isLast || left === 0) return;
			progress.check();
		}
	} finally {
		requests.cancel();
	}
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
			const request = { ...listing, method: 'GET', qs, expects: { list: type } } as const;
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

/** Tracks what is new on each page of a listing, and whether the listing advances. */
class Progress {
	private before = '';
	private withoutNews = 0;
	private isSamePage = false;

	/** @param seen the {@link recordKey} of each record returned before; new ones are added */
	constructor(
		private readonly type: RecordType,
		private readonly seen: Set<string>,
	) {}

	/** Returns the new records of a page, whether it is the last one, and whether it announces more. */
	of(answer: HttpAnswer): { fresh: IDataObject[]; isLast: boolean; isAnnounced: boolean } {
		// No content means no records.
		const page = Array.isArray(answer.body) ? (answer.body as IDataObject[]) : [];
		const isMore = hasMore(answer);
		const keys = page.map((record) => recordKey(record, this.type));
		// Compares IDs if there are any, because counters in a record can change.
		const text = JSON.stringify(keys.map((key, index) => key ?? page[index]));
		const isRepeated = text === this.before;
		// Without IDs, only whole pages can be compared.
		const isOver = isMore === undefined && isRepeated;
		const fresh = isOver ? [] : page.filter((_, index) => this.isNew(keys[index]));
		const isNews = fresh.length > 0 && !isRepeated;
		if (page.length > 0) this.before = text;
		this.withoutNews = isNews ? 0 : this.withoutNews + 1;
		this.isSamePage = isRepeated && fresh.length === 0;
		return { fresh, isLast: !(isMore ?? isNews), isAnnounced: isMore === true };
	}

	/** Throws a Failure if the listing no longer advances. */
	check(): void {
		if (this.isSamePage) throw stuck('The community returned the same page of the list again');
		if (this.withoutNews < MAX_WITHOUT_NEWS) return;
		throw stuck(`The last ${MAX_WITHOUT_NEWS} pages of the list had no new record`);
	}

	private isNew(key: string | undefined): boolean {
		if (key === undefined) return true;
		const isKnown = this.seen.has(key);
		this.seen.add(key);
		return !isKnown;
	}
}

function stuck(reason: string): Failure {
	return new Failure(
		reason,
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
