import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { MAX_PAGE_SIZE, Stopped } from '../../shared/transport';
import { Failure, isDeclined } from '../../shared/transport/failure';
import type { CachedListing } from '../../shared/paging/pageCache';
import type { Page } from '../../shared/paging/page';
import type { RecordType } from '../../shared/records/types';
import { paginate } from '../../shared/paging/paginate';

// "By ID" is a mode of every parameter that has a picker.
const NO_LIST =
	'Choose "By ID" instead of "From List" and enter the ID, and tell the operators of the community.';

/** A listing that a picker shows. */
export interface PickerListing {
	/** Identifies it among the listings of a picker in a pagination token; a single one needs no name. */
	key?: string;
	path: string;
	qs?: IDataObject;
	/** The kind of record that is listed. */
	type: RecordType;
	toItem(record: IDataObject): INodeListSearchItems;
	/** Whether the API itself has filtered. */
	isFiltered?: boolean;
	/** Whether the picker works without it, for a caller who may not list it. */
	isOptional?: boolean;
}

/** How to fetch the pages of a listing. */
export interface PageSource {
	cached: CachedListing;
	/** Asks the API for a page. */
	ask(page: number): Promise<Page>;
	/** Waits for a page, as long as there is time. */
	waitFor(begin: () => Promise<Page>): Promise<Page>;
}

/** Paginates a listing for a picker, as far as each portion needs. */
export class PickerPages {
	/** The entries found so far. */
	readonly found: INodeListSearchItems[] = [];
	/** Whether the listing has no further page. */
	isOver = false;
	/** Whether it had to stop for now. */
	isHalted = false;
	/** The next page. */
	next: number;
	private readonly pages: AsyncGenerator<IDataObject[]>;
	private refusal: unknown;

	/**
	 * @param from the page to begin with
	 * @param isWanted whether an entry belongs in the list
	 */
	constructor(
		readonly listing: PickerListing,
		private readonly from: number,
		private readonly source: PageSource,
		private readonly isWanted: (item: INodeListSearchItems) => boolean,
	) {
		this.next = from;
		// Cached pages of earlier portions are read again, so that an entry is not shown twice and a listing that does
		// not advance is noticed.
		const first = source.cached.hasUpTo(from - 1) ? 1 : from;
		this.pages = paginate({
			pageSize: MAX_PAGE_SIZE,
			limit: Infinity,
			concurrency: 1,
			idField: 'value',
			fetchPage: async (number) => await this.fetch(first + number - 1),
		});
	}

	/** Whether a page has arrived. */
	get hasRead(): boolean {
		return this.next > this.from;
	}

	/** The position of the next portion, for the pagination token. */
	get token(): string {
		const { key } = this.listing;
		return key === undefined ? String(this.next) : `${key}:${this.next}`;
	}

	/**
	 * Reads the next page of the listing.
	 *
	 * @throws Failure when the API refuses, or gives pages without an end
	 */
	async step(): Promise<void> {
		const step = await this.pages.next().catch((error: unknown) => this.endBy(error));
		if (!step) return;
		if (step.done) this.isOver = true;
		// An earlier portion has shown the pages before.
		else if (this.hasRead) this.keep(step.value as unknown as INodeListSearchItems[]);
	}

	private keep(items: INodeListSearchItems[]): void {
		for (const item of items) if (this.isWanted(item)) this.found.push(item);
	}

	private endBy(error: unknown): void {
		if (error instanceof Stopped) this.isHalted = true;
		else if (this.isRefused(error)) this.isOver = true;
		else if (error === this.refusal || !(error instanceof Failure)) throw error;
		else throw new Failure(error.message, NO_LIST);
	}

	private async fetch(number: number): Promise<Page> {
		const { cached, ask, waitFor } = this.source;
		const get = async () => await cached.get(number, async () => await ask(number));
		const page = await waitFor(get).catch((error: unknown) => {
			this.refusal = error;
			throw error;
		});
		cached.read(number);
		this.next = Math.max(this.from, number + 1);
		this.isOver = page.hasMore === false;
		return page;
	}

	private isRefused(error: unknown): boolean {
		return this.listing.isOptional === true && error instanceof Failure && isDeclined(error);
	}
}
