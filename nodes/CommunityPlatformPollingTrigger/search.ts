import { Failure } from '../shared/failures/failure';
import { reaches, type Cursor, type Search } from './cursor';
import type { FetchPage } from './listing';

const LAST_PAGE = 1_000_000;

/** Takes note of whether a page of the listing reaches what is known. */
export function note(search: Search, page: number, isReached: boolean): void {
	if (isReached) {
		search.below = page;
		return;
	}
	search.above = Math.max(search.above, page);
	// More joined since it was found.
	if (search.below !== undefined && search.below <= search.above) delete search.below;
}

/**
 * The first page that reaches what is known, found by doubling and then halving.
 *
 * @param search how far that was found out; kept up to date, so that whoever is stopped can go on
 * @throws Failure when the listing does not end, and what `fetchPage` throws
 */
export async function locate(
	cursor: Cursor,
	fetchPage: FetchPage,
	search: Search,
): Promise<number> {
	for (;;) {
		const { above, below } = search;
		if (below !== undefined && below - above <= 1) return below;
		const page = below === undefined ? 2 * above : Math.floor((above + below) / 2);
		if (page > LAST_PAGE) {
			throw new Failure(
				'The listing of members does not end',
				'Tell the operators of the community.',
			);
		}
		note(search, page, reaches(cursor, await fetchPage(page)));
	}
}
