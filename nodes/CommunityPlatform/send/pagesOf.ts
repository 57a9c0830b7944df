import type { IDataObject } from 'n8n-workflow';
import { MAX_PAGE_SIZE } from '../../shared/api';
import type { ApiRequest } from '../../shared/exchange/request';
import { askForPage } from '../../shared/paging/askForPage';
import type { Walk } from '../../shared/paging/page';
import { walkPages } from '../../shared/paging/pages';
import type { Caller } from './caller';

/** How much of a listing is wanted; `window` is the most pages in flight, as many as the run's settings allow unless given. */
type Wanted = Pick<Walk, 'limit' | 'atLimit' | 'adviceIfStuck'> & Partial<Pick<Walk, 'window'>>;

/**
 * Paginates a listing of the API. What a listing's length was the last time is kept for the run after.
 *
 * @param request the listing; page and page_size are added
 * @param idField the field that identifies a record
 * @param wanted a `window` of 1 where the caller may stop at any page
 */
export function pagesOf(
	caller: Caller,
	request: ApiRequest,
	idField: string,
	wanted: Wanted,
): AsyncGenerator<IDataObject[]> {
	const pageSize = Math.min(wanted.limit, MAX_PAGE_SIZE);
	const { sizes } = caller.api.state.listings;
	const sized = { ...request, qs: { ...request.qs, page_size: pageSize } };
	return walkPages({
		pagesBefore: sizes.of(sized),
		atEnd: (pages) => sizes.note(sized, pages),
		pageSize,
		window: caller.api.settings.maxRequestsAtOnce,
		...wanted,
		idField,
		fetchPage: async (page, withdrawn) =>
			await askForPage(
				async (asked) => await caller.send(asked, withdrawn),
				request,
				page,
				pageSize,
			),
	});
}
