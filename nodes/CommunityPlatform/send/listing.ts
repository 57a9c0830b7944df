import type { IDataObject } from 'n8n-workflow';
import { MAX_PAGE_SIZE } from '../../shared/api';
import { askForPage } from '../../shared/paging/askForPage';
import type { Walk } from '../../shared/paging/page';
import { walkPages } from '../../shared/paging/pages';
import type { ApiRequest } from '../../shared/exchange/request';
import { badValue } from '../operation/values';
import type { Caller, Item, Way } from './item';
import { recordShaper } from './shape';

const ADVICE_IF_STUCK =
	'Set a "Limit" instead of "Return All" to get the records before that point, and tell the operators of the community.';

/** As many pages as it takes to return all records, or up to the limit. */
export const listing: Way = {
	async send(item) {
		const records: IDataObject[] = [];
		const limit = limitOf(item);
		const { notes } = item;
		const shape = recordShaper(item);
		let isCutOff = false;
		const atLimit = () => {
			isCutOff = true;
		};
		for (const part of partsOf(item)) {
			if (records.length >= limit) {
				atLimit();
				break;
			}
			for await (const page of pagesOf(item, part, item.operation.record?.idField ?? '', {
				limit: limit - records.length,
				atLimit,
				adviceIfStuck: ADVICE_IF_STUCK,
			})) {
				// Not spread into push(): a listing can be longer than an argument list may be.
				for (const record of page) records.push(shape(record));
			}
		}
		notes.listings++;
		if (records.length === 0) notes.empty++;
		if (isCutOff) notes.atLimit++;
		return records;
	},
};

// As many as fit on a page, so that a part is one request: servers take some 8,000 characters, many
// proxies less.
function partsOf({ request, operation: { inParts } }: Item): ApiRequest[] {
	if (inParts === undefined) return [request];
	const values = String(request.qs?.[inParts]).split(',');
	const parts: ApiRequest[] = [];
	for (let start = 0; start < values.length; start += MAX_PAGE_SIZE) {
		const part = values.slice(start, start + MAX_PAGE_SIZE).join(',');
		parts.push({ ...request, qs: { ...request.qs, [inParts]: part } });
	}
	return parts;
}

/**
 * Walks a listing of the API.
 *
 * @param request the listing; page and page_size are added
 * @param idField the field that identifies a record
 * @param wanted the most records; what is called when there are more; and how many pages may be on their
 * way at once, as many as the item's settings allow unless told: one for who may stop at any page
 */
export function pagesOf(
	caller: Caller,
	request: ApiRequest,
	idField: string,
	wanted: Pick<Walk, 'limit' | 'atLimit' | 'adviceIfStuck'> & Partial<Pick<Walk, 'window'>>,
): AsyncGenerator<IDataObject[]> {
	const pageSize = Math.min(wanted.limit, MAX_PAGE_SIZE);
	const { sizes } = caller.api.state.listings;
	const walked = { ...request, qs: { ...request.qs, page_size: pageSize } };
	return walkPages({
		pagesBefore: sizes.of(walked),
		atEnd: (pages) => sizes.note(walked, pages),
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

function limitOf({ input: { values, labels } }: Item): number {
	if (values.returnAll === true) return Infinity;
	if (values.limit === undefined) {
		throw badValue(
			labels.limit,
			'is empty',
			'Give a number of at least 1, or turn on "Return All".',
		);
	}
	return values.limit as number;
}
