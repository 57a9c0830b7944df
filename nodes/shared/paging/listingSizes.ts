import type { ApiRequest } from '../transport/request';

/** The parts of a request that identify a listing: its path, filters, order and page size. */
type Listing = Pick<ApiRequest, 'path' | 'qs'>;

const MOST_LISTINGS = 100;

/** How many pages listings had the last time, so that prefetching requests few pages in vain. */
export class ListingSizes {
	private readonly pages = new Map<string, number>();

	/**
	 * @param listing the request without the page
	 * @returns undefined where the listing is not known, or had a single page
	 */
	of(listing: Listing): number | undefined {
		return this.pages.get(keyOf(listing));
	}

	/** Notes how many pages a listing has; the least recently noted ones are dropped. */
	note(listing: Listing, pages: number): void {
		const key = keyOf(listing);
		this.pages.delete(key);
		if (pages > 1) this.pages.set(key, pages);
		const [oldest] = this.pages.keys();
		if (this.pages.size > MOST_LISTINGS) this.pages.delete(oldest);
	}
}

function keyOf({ path, qs }: Listing): string {
	return JSON.stringify([path, qs]);
}
