import type { ApiRequest } from '../exchange/request';

const MOST_LISTINGS = 100;

/** How many pages listings had the last time, so that the same one again asks for few in vain. */
export class ListingSizes {
	private readonly pages = new Map<string, number>();

	/**
	 * @param listing the request without the page: its path, filters, order and page size tell one from another
	 * @returns undefined where it is not known, or had a single page
	 */
	of(listing: ApiRequest): number | undefined {
		return this.pages.get(keyOf(listing));
	}

	/** Notes how many pages a listing has; of the many that there may be, the latest are kept. */
	note(listing: ApiRequest, pages: number): void {
		const key = keyOf(listing);
		this.pages.delete(key);
		if (pages > 1) this.pages.set(key, pages);
		const [oldest] = this.pages.keys();
		if (this.pages.size > MOST_LISTINGS) this.pages.delete(oldest);
	}
}

function keyOf({ path, qs }: ApiRequest): string {
	return JSON.stringify([path, qs]);
}
