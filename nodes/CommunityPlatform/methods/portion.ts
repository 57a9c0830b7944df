import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import type { Api } from '../../shared/transport';
import { listingsOf } from '../../shared/transport/listings';
import { MAX_PAGE_SIZE, Stopped, call, openApi, toHttpSettings } from '../../shared/transport';
import { isIdentified } from '../../shared/records/identity';
import { requestPage } from '../../shared/paging/requestPage';
import { asFailure, toNodeApiError } from '../../shared/transport/failure';
import type { ApiRequest } from '../../shared/transport/request';
import type { CallSettings } from '../../shared/transport/api';
import { Patience } from './patience';
import type { PickerListing, PageSource } from './pickerPages';
import { PickerPages } from './pickerPages';

// A person waits for a picker, so it gives up sooner than a workflow would.
const SETTINGS: CallSettings = { maxRequestsAtOnce: 5, maxRetries: 2 };
// The editor asks for more only when its list can be scrolled, so a filter continues until the list is full; it stops
// after 100 requests when matches are rare.
const ENOUGH_ITEMS = 25;
const MOST_REQUESTS = 100;

/**
 * One portion of a picker's list. Without a filter the listings come one after another; a filter looks
 * through all of them at once, so that those behind a long one are found, too.
 *
 * @param listings in the order in which they are shown
 * @param filter what the user typed; matched word by word unless the API has filtered
 * @param paginationToken the position to continue from, as returned with the previous portion
 * @returns the entries, and a token while there may be more, also when the time was up
 * @throws NodeApiError with advice; when the API asks for a pause and there is nothing to show, with the seconds until
 * its end
 */
export async function searchListings(
	functions: ILoadOptionsFunctions,
	listings: PickerListing[],
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const patience = new Patience();
	try {
		const api = await openApi(functions, SETTINGS, patience.sending);
		void patience.watch(api.limiter);
		const sourceOf = sources(functions, api, patience);
		const typed = filter.trim().toLowerCase();
		const isOpened = typed === '' && paginationToken === undefined;
		const starts = startsOf(paginationToken);
		const listed = listings
			.filter(({ key = '' }) => starts?.has(key) ?? true)
			.map((listing) => {
				const from = starts?.get(listing.key ?? '') ?? 1;
				return new PickerPages(listing, from, sourceOf(listing, isOpened), (item) =>
					matches(item, listing.isFiltered ? '' : typed),
				);
			});
		return await portionOf(listed, typed !== '', patience);
	} catch (error) {
		throw toNodeApiError(asFailure(error), functions.getNode());
	} finally {
		patience.end();
	}
}

async function portionOf(
	listed: PickerPages[],
	areAllSearched: boolean,
	patience: Patience,
): Promise<INodeListSearchResult> {
	for (;;) {
		const open = listed.filter(({ isOver }) => !isOver);
		const results = eachOnce(listed.flatMap(({ found }) => found));
		const isHalted = open.some((pages) => pages.isHalted);
		if (open.length === 0) return { results };
		if (isHalted || results.length >= ENOUGH_ITEMS) {
			const isNothingRead = !listed.some(({ hasRead }) => hasRead);
			if (results.length === 0 && (patience.isPaused || isNothingRead)) throw patience.failure;
			return { results, paginationToken: open.map(({ token }) => token).join() };
		}
		const next = areAllSearched ? open : open.slice(0, 1);
		await Promise.all(next.map(async (pages) => await pages.step()));
	}
}

function sources(
	functions: ILoadOptionsFunctions,
	api: Api,
	patience: Patience,
): (listing: PickerListing, isReloaded: boolean) => PageSource {
	// The node's request options apply to its pickers, too.
	const settings = toHttpSettings(functions.getCurrentNodeParameter('requestOptions'));
	const send = async (request: ApiRequest) => await call(functions, api, request, settings);
	let asked = 0;
	return ({ path, qs, type, toItem }, isReloaded) => ({
		cached: listingsOf(api).pages.listing(JSON.stringify([path, qs]), isReloaded),
		waitFor: async (begin) => await patience.waitFor(begin),
		ask: async (number) => {
			if (++asked > MOST_REQUESTS) throw new Stopped();
			const request: ApiRequest = {
				method: 'GET',
				repeat: 'safe',
				path,
				qs,
				expects: { list: type },
			};
			const page = await requestPage(send, request, number, MAX_PAGE_SIZE);
			// A record without a name or a value cannot be chosen.
			const records = page.records.filter((record) => isIdentified(record, type));
			return {
				...page,
				records: records.map((record) => ({ ...toItem(record) })),
			};
		},
	});
}

/**
 * Whether an entry of a list has every word that was typed, in its name or its value, without the @ in front of a
 * handle.
 */
export function matches({ name, value }: INodeListSearchItems, typed: string): boolean {
	const text = `${name} ${value}`.toLowerCase();
	const words = typed.toLowerCase().split(/\s+/);
	return words.every((word) => text.includes(word.replace(/^@/, '')));
}

// A member whose status changes between two requests is on two lists.
function eachOnce(items: INodeListSearchItems[]): INodeListSearchItems[] {
	const known = new Map<unknown, INodeListSearchItems>();
	for (const item of items) if (!known.has(item.value)) known.set(item.value, item);
	return [...known.values()];
}

// A token has the listings that have not ended, each with its page: "3", or "4:2,6:1".
function startsOf(token?: string): Map<string, number> | undefined {
	if (token === undefined) return undefined;
	const starts = token.split(',').map((start) => start.split(':').reverse());
	return new Map(starts.map(([page, key = '']) => [key, Number(page) || 1]));
}
