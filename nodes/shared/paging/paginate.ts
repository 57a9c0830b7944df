import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../transport/failure';
import { Stop } from '../limiter';
import type { Pagination } from './page';
import { Prefetch } from './prefetch';

const MOST_PAGES_WITHOUT_NEWS = 10;

/**
 * Paginates a listing: gives its records page by page, in order, without duplicates. A record that moves to the next
 * page because another one was added is given once. Pages are prefetched, see {@link Prefetch}.
 *
 * The header has_more decides whether the listing goes on (docs/decisions.md, A4). Where an answer lacks it, the
 * listing goes on until a page brings nothing new, one page at a time.
 *
 * @yields the records of one page, never more than `limit` in total; pages without new records are left out
 * @throws Failure when the listing never advances: the same page again, or ten pages in a row without a new record
 */
export async function* paginate(pagination: Pagination): AsyncGenerator<IDataObject[]> {
	const withdrawn = new Stop();
	try {
		yield* paginateUntil(withdrawn, pagination);
	} finally {
		withdrawn.stop();
	}
}

async function* paginateUntil(
	withdrawn: Stop,
	pagination: Pagination,
): AsyncGenerator<IDataObject[]> {
	const prefetch = new Prefetch(pagination, withdrawn);
	const { seen = new Set<unknown>() } = pagination;
	const stall = new StallWatch(pagination.idField, pagination.adviceIfStuck);
	let left = pagination.limit;
	while (left > 0) {
		const page = await prefetch.take(left);
		const fresh = page.records.filter(({ [pagination.idField]: id }) => {
			// Records without an identifier cannot be compared.
			if (id === undefined || id === null) return true;
			const isKnown = seen.has(id);
			seen.add(id);
			return !isKnown;
		});
		const records = fresh.slice(0, left);
		left -= records.length;
		const isEnd = !(page.hasMore ?? fresh.length > 0);
		if (isEnd) withdrawn.stop();
		else await prefetch.goOn(page, left);
		if (records.length > 0) yield records;
		if (left === 0 && (!isEnd || records.length < fresh.length)) pagination.atLimit?.();
		if (isEnd) {
			if (page.hasMore === false) pagination.atEnd?.(prefetch.taken);
			return;
		}
		if (left > 0) stall.check(page.records, fresh.length);
	}
}

/** Detects a listing that never advances. */
class StallWatch {
	private withoutNews = 0;
	private last = '';

	constructor(
		private readonly idField: string,
		private readonly advice = 'Tell the operators of the community.',
	) {}

	check(records: IDataObject[], news: number): void {
		// By identifier where there is one, because counters in a record change by themselves.
		const text = JSON.stringify(records.map((record) => record[this.idField] ?? record));
		if (text === this.last) {
			throw new Failure(
				'The listing does not advance: the API gave the same page again',
				this.advice,
			);
		}
		if (records.length > 0) this.last = text;
		this.withoutNews = news > 0 ? 0 : this.withoutNews + 1;
		if (this.withoutNews < MOST_PAGES_WITHOUT_NEWS) return;
		throw new Failure(
			`The listing does not advance: ${this.withoutNews} pages in a row without a new record, each announcing more`,
			this.advice,
		);
	}
}
