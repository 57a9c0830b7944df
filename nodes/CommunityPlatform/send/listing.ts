import type { IDataObject } from 'n8n-workflow';
import { MAX_PAGE_SIZE } from '../../shared/api';
import { askForPage } from '../../shared/askForPage';
import { Failure } from '../../shared/failure';
import { walkPages } from '../../shared/pages';
import type { ApiRequest } from '../../shared/request';
import { badValue } from '../input/values';
import type { Item } from './item';
import { sending } from './sending';
import { shapeRecord } from './shape';

// n8n's engine passes an item's records on as the arguments of one call, which ends in "Maximum call
// stack size exceeded" at 124,000 on Node 20 and at 126,000 on Node 24.
const MOST_RECORDS = 110_000;

/** As many pages as it takes to return all records, or up to the limit. */
export const sendListing = sending(async (item) => {
	const records: IDataObject[] = [];
	const limit = limitOf(item);
	for (const part of partsOf(item)) {
		if (records.length >= limit) break;
		for await (const page of pagesOf(item, part, limit - records.length)) {
			if (records.length + page.length > MOST_RECORDS) throw tooMany();
			// Not spread into push(): a listing can be longer than an argument list may be.
			for (const record of page) records.push(shapeRecord(record, item));
		}
	}
	return records;
});

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
 * Walks a listing of the API on behalf of an item.
 *
 * @param request the listing; page and page_size are added
 * @param limit the most records wanted; Infinity for all
 */
export function pagesOf(
	item: Item,
	request: ApiRequest,
	limit: number,
): AsyncGenerator<IDataObject[]> {
	const pageSize = Math.min(limit, MAX_PAGE_SIZE);
	const { listingSizes } = item.api.state;
	const listing = { ...request, qs: { ...request.qs, page_size: pageSize } };
	return walkPages({
		pagesBefore: listingSizes.of(listing),
		atEnd: (pages) => listingSizes.note(listing, pages),
		pageSize,
		limit,
		window: item.api.settings.maxRequestsAtOnce,
		idField: item.operation.record?.idField ?? '',
		fetchPage: async (page, over) =>
			await askForPage(async (asked) => await item.send(asked, over), request, page, pageSize),
	});
}

function tooMany(): Failure {
	const most = MOST_RECORDS.toLocaleString('en');
	return new Failure(
		`The listing has more than ${most} records, more than n8n can take from one item`,
		`Set a "Limit" of at most ${most}, or list in parts, e.g. with a filter and one input item for each of its values.`,
	);
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
