import type {
	IDataObject,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { hasMore } from '../../shared/answer';
import { MAX_PAGE_SIZE } from '../../shared/api';
import { call, openApi } from '../../shared/call';
import { asFailure, toNodeApiError } from '../../shared/raise';
import { recordsOf } from '../../shared/recordsOf';
import type { CallSettings } from '../../shared/settings';

// A picker is waited for by a person: give up sooner than a workflow would.
const SETTINGS: CallSettings = { maxRequestsAtOnce: 5, maxRetries: 2, offered: ['Timeout'] };
// The editor asks for more only when its list can be scrolled, so a filter goes on until it has a
// listful, but not for ever on a community that hardly has a match.
const ENOUGH_ITEMS = 25;
const MOST_PAGES_AT_ONCE = 100;

/** A listing that a picker shows. */
export interface PickerListing {
	path: string;
	qs?: IDataObject;
	toItem(record: IDataObject): INodeListSearchItems;
	/** Set when the API itself has filtered. */
	isFiltered?: boolean;
}

/**
 * One portion of a picker's list.
 *
 * @param listing what is listed
 * @param filter what the user typed; matched against name and value unless the API has filtered
 * @param paginationToken the page to go on with, as given by the portion before
 * @throws NodeApiError with our advice
 */
export async function searchListing(
	functions: ILoadOptionsFunctions,
	listing: PickerListing,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	try {
		const api = await openApi(functions, SETTINGS);
		const wanted = listing.isFiltered ? '' : filter.trim().toLowerCase();
		const results: INodeListSearchItems[] = [];
		const first = Number(paginationToken ?? 1);
		for (let page = first; page < first + MOST_PAGES_AT_ONCE; page++) {
			const qs = { ...listing.qs, page, page_size: MAX_PAGE_SIZE };
			const request = { method: 'GET' as const, path: listing.path, qs };
			const answer = await call(functions, api, request, httpOptions(functions));
			const items = recordsOf(answer, request).map(listing.toItem);
			results.push(
				...items.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
			);
			if (!hasMore(answer)) return { results };
			if (results.length >= ENOUGH_ITEMS) return { results, paginationToken: String(page + 1) };
		}
		return { results, paginationToken: String(first + MOST_PAGES_AT_ONCE) };
	} catch (error) {
		throw toNodeApiError(asFailure(error), functions.getNode());
	}
}

// What the user set under "Request Options" holds for the pickers too.
function httpOptions(functions: ILoadOptionsFunctions): Partial<IHttpRequestOptions> {
	const options = (functions.getCurrentNodeParameter('requestOptions') ?? {}) as IDataObject;
	return { skipSslCertificateValidation: options.allowUnauthorizedCerts === true };
}
