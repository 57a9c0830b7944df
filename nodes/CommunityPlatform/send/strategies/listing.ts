import type { IDataObject } from 'n8n-workflow';
import { MAX_PAGE_SIZE } from '../../../shared/api';
import type { ApiRequest } from '../../../shared/exchange/request';
import { badValue } from '../../operation/values';
import type { ItemContext, Strategy } from '../itemContext';
import { recordShaper } from '../output';
import { pagesOf } from '../pagesOf';

const ADVICE_IF_STUCK =
	'Set a "Limit" instead of "Return All" to get the records before that point, and tell the operators of the community.';

/** Paginates a listing, to its end or up to the limit. */
export const listing: Strategy = {
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
function partsOf({ request, operation: { inParts } }: ItemContext): ApiRequest[] {
	if (inParts === undefined) return [request];
	const values = String(request.qs?.[inParts]).split(',');
	const parts: ApiRequest[] = [];
	for (let start = 0; start < values.length; start += MAX_PAGE_SIZE) {
		const part = values.slice(start, start + MAX_PAGE_SIZE).join(',');
		parts.push({ ...request, qs: { ...request.qs, [inParts]: part } });
	}
	return parts;
}

function limitOf({ input: { values, labels } }: ItemContext): number {
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
