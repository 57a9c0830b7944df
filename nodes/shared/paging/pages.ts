import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failures/failure';
import { Stop } from '../pacing';
import { Prefetch } from './prefetch';

const MOST_PAGES_WITHOUT_NEWS = 10;

/** One page of a listing; `hasMore` is undefined when the answer did not carry the header. */
export interface Page {
	records: IDataObject[];
	hasMore?: boolean;
}

/** How to walk a listing. */
export interface Walk {
	/**
	 * Asks for one page, counted from 1 (api/README.md, "Limits"). When `withdrawn` is stopped, the walk has
	 * ended without it, and it need not be sent any more.
	 */
	fetchPage(page: number, withdrawn: Stop): Promise<Page>;
	/** Records asked for on each page; the same for the whole walk, because changing it moves the borders. */
	pageSize: number;
	/** The most records wanted; Infinity for all. */
	limit: number;
	/** The most pages on their way at once. */
	window: number;
	/** How many pages the same listing had the last time, where that is known. */
	pagesBefore?: number;
	/** Told how many pages there were, once has_more has said that there are no more. */
	atEnd?(pages: number): void;
	/** Called when the walk ends at the limit although there are more records. */
	atLimit?(): void;
	/** What the user can do where a listing does not advance; unless told, only others can do something. */
	adviceIfStuck?: string;
	/** The field that identifies a record. */
	idField: string;
}

/**
 * Walks a listing and gives its records page by page, in order, each once: a record that slides over
 * a page border because another one was added meanwhile is not given twice. The first page of a listing
 * that is not known is asked for alone; then further ones are asked for ahead, see {@link Prefetch}.
 *
 * The header has_more decides whether the listing goes on (api/openapi.yaml): short and empty pages both
 * continue. Where an answer lacks it, the listing goes on until a page brings nothing new, one page at a time.
 *
 * @yields the records of one page, never more than `limit` in all; pages without any are left out
 * @throws Failure when the listing never advances: the same page again, or ten pages in a row that are
 * empty or hold only what was given already
 */
export async function* walkPages(walk: Walk): AsyncGenerator<IDataObject[]> {
	const withdrawn = new Stop();
	try {
		yield* walkUntil(withdrawn, walk);
	} finally {
		withdrawn.stop();
	}
}

async function* walkUntil(withdrawn: Stop, walk: Walk): AsyncGenerator<IDataObject[]> {
	const prefetch = new Prefetch(walk, withdrawn);
	const seen = new Set<unknown>();
	const stall = new StallWatch(walk.idField, walk.adviceIfStuck);
	let left = walk.limit;
	while (left > 0) {
		const page = await prefetch.take(left);
		const fresh = page.records.filter(({ [walk.idField]: id }) => {
			// Without an identifier nothing can be told apart.
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
		if (left === 0 && (!isEnd || records.length < fresh.length)) walk.atLimit?.();
		if (isEnd) {
			if (page.hasMore === false) walk.atEnd?.(prefetch.taken);
			return;
		}
		if (left > 0) stall.check(page.records, fresh.length);
	}
}

class StallWatch {
	private withoutNews = 0;
	private last = '';

	constructor(
		private readonly idField: string,
		private readonly advice = 'Tell the operators of the community.',
	) {}

	check(records: IDataObject[], news: number): void {
		// Compared as a whole only where there is no identifier: counters in a record change on their own.
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
