import type { IDataObject } from 'n8n-workflow';
import { MAX_PAGE_SIZE } from '../../../shared/transport';
import { pages } from '../../../shared/pagination';
import type { RecordType } from '../../../shared/records/types';
import type { ApiRequest } from '../../../shared/transport/request';
import { Failure } from '../../../shared/transport/failure';
import { badValue } from '../../input/values';
import type { ItemContext, Strategy } from '../itemContext';
import { recordShaper } from '../output';
import { readEach } from '../readEach';

const ADVICE_IF_STUCK =
	'Set a "Limit" instead of "Return All" to get the records before that point, and tell the operators of the community.';

/** Paginates a listing to its end or up to the limit; with "Include Details", reads each record. */
export const listing: Strategy = {
	async send(item) {
		const { notes, operation, input } = item;
		const listed = await listedBy(item);
		notes.listings++;
		if (listed.length === 0) notes.empty++;
		for (const hint of operation.hints?.(input) ?? []) notes.ofOperation.add(hint);
		const { detail } = operation;
		if (detail === undefined || input.values.includeDetails !== true) {
			return shaped(listed, recordShaper(item));
		}
		return shaped(await readEach(item, listed, detail), recordShaper(item, detail.record));
	},
};

async function listedBy(item: ItemContext): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const limit = limitOf(item);
	const type = item.operation.record as RecordType;
	const concurrency = item.api.settings.maxRequestsAtOnce;
	const adviceIfStuck = limit === Infinity ? ADVICE_IF_STUCK : undefined;
	// A record can be in several parts, e.g. a member whose status changes meanwhile.
	const seen = new Set<string>();
	let isWhole = true;
	for (const part of partsOf(item)) {
		const left = limit - records.length;
		isWhole = false;
		if (left === 0) break;
		const wanted = { limit: left, concurrency, adviceIfStuck, seen };
		for await (const page of pages(item, part, type, wanted)) {
			item.notes.pages++;
			// Not push(...records): a listing can be longer than an argument list may be.
			for (const record of page.records) records.push(record);
			isWhole = page.isEnd;
		}
	}
	if (!isWhole) item.notes.atLimit++;
	return records;
}

function shaped(
	records: Array<IDataObject | Failure>,
	shape: (record: IDataObject) => IDataObject,
): Array<IDataObject | Failure> {
	return records.map((record) => (record instanceof Failure ? record : shape(record)));
}

function partsOf({ request, operation: { inParts, inTurn } }: ItemContext): ApiRequest[] {
	const { qs } = request;
	if (inTurn !== undefined && qs?.[inTurn.field] === 'all') {
		return inTurn.values.map((value) => ({ ...request, qs: { ...qs, [inTurn.field]: value } }));
	}
	if (inParts === undefined) return [request];
	const values = String(qs?.[inParts]).split(',');
	const parts: ApiRequest[] = [];
	// One page for each part, so that a part is one request. URLs are limited to some 8,000 characters, in many proxies
	// to fewer.
	for (let start = 0; start < values.length; start += MAX_PAGE_SIZE) {
		const part = values.slice(start, start + MAX_PAGE_SIZE).join(',');
		parts.push({ ...request, qs: { ...qs, [inParts]: part } });
	}
	return parts;
}

function limitOf({ input: { values, labels, argumentFor } }: ItemContext): number {
	if (values.returnAll === true) return Infinity;
	if (values.limit === undefined) {
		const orAll = argumentFor ? '' : ', or turn on "Return All"';
		throw badValue(labels.limit, 'is empty', `Give a number of at least 1${orAll}.`);
	}
	return values.limit as number;
}
