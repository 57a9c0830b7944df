import type { Stop } from '../limiter';
import type { Page, Pagination } from './page';

/**
 * Prefetches the pages of a listing: requests pages before they are wanted, as many at a time as concurrency allows,
 * and gives them in order. Prefetching finds the end only by overshooting it, so the pages requested are bounded by
 * those that are known to exist:
 *
 * - In a listing of unknown length, their number doubles with each round trip, so that never more than half of the
 *   requests are in vain.
 * - Where the length of an earlier run is known, its last page is probed along with the first one: if it is still
 *   there, so is every page in between. Its records are requested again in their turn, because by then a record may
 *   have moved to it from the page before.
 */
export class Prefetch {
	/** Pages that were taken so far. */
	taken = 0;
	/** Requested and not yet taken; the next one first. */
	private readonly inFlight: Array<Promise<Page>>;
	private readonly isLengthKept?: Promise<boolean>;
	/** Pages that exist: those that were taken, and one more while the listing goes on. */
	private existing = 1;
	/** Whether has_more said that there is more; without the header, only a page tells whether another one follows. */
	private isAnnounced = false;

	/** @param withdrawn stopped when no further page is wanted */
	constructor(
		private readonly pagination: Pagination,
		private readonly withdrawn: Stop,
	) {
		const { pagesBefore = 0, pageSize, limit, concurrency } = pagination;
		this.inFlight = [this.request(1)];
		const isWanted = pagesBefore > 1 && pagesBefore * pageSize <= limit;
		if (isWanted && concurrency > 1) this.isLengthKept = this.probe(pagesBefore);
	}

	/**
	 * The next page, once it is there.
	 *
	 * @param left records that are still wanted, at least 1
	 * @throws what fetching it throws
	 */
	async take(left: number): Promise<Page> {
		this.prefetch(left);
		const page = await this.inFlight[0];
		this.inFlight.shift();
		this.taken++;
		return page;
	}

	/**
	 * Notes that the listing goes on after a page, and requests further ones.
	 *
	 * @param page the one taken last
	 * @param left records that are still wanted
	 */
	async goOn(page: Page, left: number): Promise<void> {
		this.isAnnounced = page.hasMore === true;
		this.existing = Math.max(this.existing, this.taken + 1);
		if (this.taken === 1 && (await this.isLengthKept)) {
			this.existing = this.pagination.pagesBefore as number;
		}
		// In flight while the caller works on this page; with one page at a time, this may be the last one wanted.
		if (this.pagination.concurrency > 1) this.prefetch(left);
	}

	private prefetch(left: number): void {
		const { pageSize, concurrency } = this.pagination;
		// What is in flight may fill the limit.
		const wanted = this.taken + Math.ceil(left / pageSize);
		const last = Math.min(wanted, this.isAnnounced ? this.mostRequested : this.taken + 1);
		while (this.taken + this.inFlight.length < last && this.inFlight.length < concurrency) {
			this.inFlight.push(this.request(this.taken + this.inFlight.length + 1));
		}
	}

	/** How many pages may have been requested by now, so that at most half of the requests are in vain. */
	private get mostRequested(): number {
		const { existing } = this;
		const { pagesBefore = 0 } = this.pagination;
		if (existing === 1) return 1;
		// Beyond its earlier length, a listing that has grown is like an unknown one; the probe counts, too.
		return existing <= pagesBefore
			? Math.min(2 * existing - 1, pagesBefore)
			: 2 * existing - pagesBefore;
	}

	private async probe(page: number): Promise<boolean> {
		return await this.request(page).then(
			({ records }) => records.length > 0,
			() => false,
		);
	}

	// A prefetched page may fail after the listing has ended without it; an unhandled rejection would end n8n's process.
	private request(page: number): Promise<Page> {
		const requested = this.pagination.fetchPage(page, this.withdrawn);
		requested.catch(() => {});
		return requested;
	}
}
