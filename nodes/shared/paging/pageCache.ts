import type { Page } from './pages';

// Long enough to type a name letter by letter, short enough that what has changed shows soon.
const KEPT_MS = 30_000;
// Together at most 50,000 records.
const MOST_LISTINGS = 10;
const MOST_PAGES = 100;

interface Kept {
	page: Promise<Page>;
	askedAt: number;
	/** Whether somebody has waited for it to the end. */
	isRead: boolean;
}

/**
 * The pages of listings that were asked for a moment ago, so that looking through them again costs no
 * request: half a minute, the first hundred pages of the ten listings that came last.
 */
export class PageCache {
	private readonly listings = new Map<string, CachedListing>();

	/** @param now milliseconds that never go back */
	constructor(private readonly now: () => number) {}

	/**
	 * @param key what is listed, and for whom: what a caller may see depends on the API key
	 * @param anew whether what was read before is to be asked for again
	 */
	listing(key: string, anew = false): CachedListing {
		for (const [other, listing] of this.listings) listing.forget(anew && other === key);
		const listing = this.listings.get(key) ?? new CachedListing(this.now);
		// Behind the others, so that it is the last one to go.
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
	 * A page as it was asked for a moment ago, or else now. Those who want the same page at once share
	 * the request.
	 *
	 * @param number of the page, from 1
	 * @param ask gets it from the API; what it throws is not kept
	 */
	async get(number: number, ask: () => Promise<Page>): Promise<Page> {
		const kept = this.fresh(number);
		// Whoever asked for it may have been stopped.
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

	/** Notes that a page has reached the one who wanted it. */
	read(number: number): void {
		const kept = this.pages.get(number);
		if (kept) kept.isRead = true;
	}

	/** Whether all pages up to this one can be had without a request. */
	hasUpTo(number: number): boolean {
		for (let page = 1; page <= number; page++) if (!this.fresh(page)?.isRead) return false;
		return true;
	}

	/**
	 * Forgets what is too old.
	 *
	 * @param isAnew whether to forget also what was read; what is still on its way is news
	 */
	forget(isAnew: boolean): void {
		for (const [number, { isRead }] of this.pages) {
			if (!this.fresh(number) || (isAnew && isRead)) this.pages.delete(number);
		}
	}

	private fresh(number: number): Kept | undefined {
		const kept = this.pages.get(number);
		return kept && this.now() - kept.askedAt < KEPT_MS ? kept : undefined;
	}
}
