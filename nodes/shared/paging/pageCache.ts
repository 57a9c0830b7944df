import type { Page } from './page';

// Long enough to type a name letter by letter, short enough that changes show soon.
const KEPT_MS = 30_000;
// Together at most 50,000 records.
const MOST_LISTINGS = 10;
const MOST_PAGES = 100;

interface Kept {
	page: Promise<Page>;
	askedAt: number;
	/** Whether a caller has received it. */
	isRead: boolean;
}

/**
 * A cache of pages, so that searching a listing again costs no request: for half a minute, the first hundred pages
 * of the ten most recent listings.
 */
export class PageCache {
	private readonly listings = new Map<string, CachedListing>();

	/** @param now milliseconds that never go back */
	constructor(private readonly now: () => number) {}

	/**
	 * @param key the listing, and its caller: what a caller may see depends on the API key
	 * @param isReloaded whether pages that were received are to be requested again
	 */
	listing(key: string, isReloaded = false): CachedListing {
		for (const [other, listing] of this.listings) listing.forget(isReloaded && other === key);
		const listing = this.listings.get(key) ?? new CachedListing(this.now);
		// The most recent one is at the end, so that it is dropped last.
		this.listings.delete(key);
		this.listings.set(key, listing);
		for (const [oldest] of this.listings) {
			if (this.listings.size > MOST_LISTINGS) this.listings.delete(oldest);
		}
		return listing;
	}
}

/** The pages of one listing. */
export class CachedListing {
	private readonly pages = new Map<number, Kept>();

	constructor(private readonly now: () => number) {}

	/**
	 * A page from the cache, or from the API. Callers that want the same page at once share the request.
	 *
	 * @param number of the page, from 1
	 * @param ask requests it from the API; what it throws is not cached
	 */
	async get(number: number, ask: () => Promise<Page>): Promise<Page> {
		const kept = this.fresh(number);
		// The caller that requested it may have been cancelled.
		if (kept) return await kept.page.catch(async () => await this.get(number, ask));
		const page = ask();
		if (number > MOST_PAGES) return await page;
		const asked: Kept = { page, askedAt: this.now(), isRead: false };
		this.pages.set(number, asked);
		page.catch(() => {
			if (this.pages.get(number) === asked) this.pages.delete(number);
		});
		return await page;
	}

	/** Notes that a caller has received a page. */
	read(number: number): void {
		const kept = this.pages.get(number);
		if (kept) kept.isRead = true;
	}

	/** Whether all pages up to this one are cached. */
	hasUpTo(number: number): boolean {
		for (let page = 1; page <= number; page++) if (!this.fresh(page)?.isRead) return false;
		return true;
	}

	/**
	 * Drops expired pages.
	 *
	 * @param isReloaded whether to drop also pages that were received; those in flight are recent
	 */
	forget(isReloaded: boolean): void {
		for (const [number, { isRead }] of this.pages) {
			if (!this.fresh(number) || (isReloaded && isRead)) this.pages.delete(number);
		}
	}

	private fresh(number: number): Kept | undefined {
		const kept = this.pages.get(number);
		return kept && this.now() - kept.askedAt < KEPT_MS ? kept : undefined;
	}
}
