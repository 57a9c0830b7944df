import type { IDataObject } from 'n8n-workflow';
import { MAX_PAGE_SIZE } from '../../shared/transport';
import { listingsOf } from '../../shared/transport/listings';
import type { ApiRequest } from '../../shared/transport/request';
import { requestPage } from '../../shared/paging/requestPage';
import type { Pagination } from '../../shared/paging/page';
import { paginate } from '../../shared/paging/paginate';
import type { Caller } from './caller';

/** How much of a listing is wanted. `concurrency` is the maximum of pages in flight; by the run's settings unless given. */
type Wanted = Pick<Pagination, 'limit' | 'atLimit' | 'adviceIfStuck' | 'seen'> &
	Partial<Pick<Pagination, 'concurrency'>>;

/**
 * Paginates a listing of the API. Its length is stored for the next run (see {@link ListingSizes}).
 *
 * @param request the listing; page and page_size are added
 * @param idField the field that identifies a record
 * @param wanted a `concurrency` of 1 where the caller may stop at any page
 */
export function pagesOf(
	caller: Caller,
	request: ApiRequest,
	idField: string,
	wanted: Wanted,
): AsyncGenerator<IDataObject[]> {
	const pageSize = Math.min(wanted.limit, MAX_PAGE_SIZE);
	const { sizes } = listingsOf(caller.api);
	const sized = { ...request, qs: { ...request.qs, page_size: pageSize } };
	return paginate({
		pagesBefore: sizes.of(sized),
		atEnd: (pages) => sizes.note(sized, pages),
		pageSize,
		concurrency: caller.api.settings.maxRequestsAtOnce,
		...wanted,
		idField,
		fetchPage: async (page, withdrawn) =>
			await requestPage(
				async (asked) => await caller.send(asked, withdrawn),
				request,
				page,
				pageSize,
			),
	});
}
