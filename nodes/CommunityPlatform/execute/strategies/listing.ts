import type { IDataObject } from 'n8n-workflow';
import { pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import type { RecordType } from '../../../shared/records/types';
import { userList } from '../../../shared/records/types';
import { MAX_PAGE_SIZE, Cancelled, Failure, asFailure } from '../../../shared/transport';
import type { ApiRequest } from '../../../shared/transport';
import type { Operation, ListingFilter } from '../../actions/operation';
import { badValue } from '../../input/values';
import { dispatchAll } from '../dispatch';
import type { Item, Strategy } from '../item';
import { filledPath } from '../item';
import { recordShaper } from '../shape';

type Detail = NonNullable<Operation['detail']>;

// For records that were listed a moment ago and are gone.
const GONE = [404, 410];

/** Paginates a listing to its end or up to the limit; with "Include Details", reads each record. */
export const listing: Strategy = {
	async send(item) {
		const { summary, task } = item.run;
		const { detail, record } = task.operation;
		const records = await listed(item, record as RecordType, limitOf(item));
		summary.listings++;
		if (records.length === 0) summary.empty++;
		if (!detail || item.input.values.includeDetails !== true)
			return records.map(recordShaper(item));
		const shape = recordShaper(item, detail.record);
		const read = await readEach(item, records, detail);
		return read.map((each) => (each instanceof Failure ? each : shape(each)));
	},
};

/** Counts a listing of users after its filters, in all and by role. */
export const count: Strategy = {
	async send(item) {
		const records = await listed(item, userList, Infinity);
		const names = await item.names.roleNamesIfShown();
		// A Map, because a role can have the name of a property that every object has.
		const byRole = new Map<string, number>();
		for (const { role_id: id } of records) {
			const role = names?.get(String(id)) ?? String(id ?? 'unknown');
			byRole.set(role, (byRole.get(role) ?? 0) + 1);
		}
		return [{ count: records.length, by_role: Object.fromEntries(byRole) }];
	},
};

function limitOf({ input: { values, labels } }: Item): number {
	const { limit, returnAll } = values;
	if (returnAll === true) return Infinity;
	if (limit !== undefined) return limit as number;
	const advice = "Give a number of at least 1, or turn on 'Return All'.";
	throw badValue(labels.limit, 'is empty', advice);
}

/**
 * At most `most` records of a listing, each once, after the filters that the API does not have. Parts with one value
 * each are merged in the order of the listing before they are cut.
 */
async function listed(item: Item, type: RecordType, most: number): Promise<IDataObject[]> {
	const { operation } = item.run.task;
	const listingFilter = operation.listingFilter?.(item.input);
	const parts = partsOf(item, listingFilter?.qs);
	const isMerged = operation.oneRequestPerValue !== undefined && parts.length > 1;
	const records: IDataObject[] = [];
	// A record can be in several parts, e.g. a member whose status changes meanwhile.
	const seen = new Set<string>();
	let isWhole = true;
	for (const part of parts) {
		const left = listingFilter?.isReadInAnotherOrder
			? Infinity
			: isMerged
				? most
				: most - records.length;
		const read = left > 0 ? await readPart(item, part, type, left, listingFilter, seen) : undefined;
		// Not push(...records): a listing can be longer than an argument list may be.
		for (const record of read?.records ?? []) records.push(record);
		isWhole &&= read?.isWhole === true;
	}
	if (isMerged || listingFilter?.isReadInAnotherOrder) records.sort(listingFilter?.compare);
	if (!isWhole || records.length > most) item.run.summary.atLimit++;
	return records.slice(0, most);
}

async function readPart(
	item: Item,
	part: ApiRequest,
	type: RecordType,
	most: number,
	listingFilter: ListingFilter | undefined,
	seen: Set<string>,
): Promise<{ records: IDataObject[]; isWhole: boolean }> {
	const concurrency = item.api.settings.maxRequestsAtOnce;
	const limit = listingFilter?.isFiltering ? Infinity : most;
	const records: IDataObject[] = [];
	let isWhole = false;
	for await (const page of pages(item, part, type, { limit, concurrency, seen })) {
		const isBehindAll = page.records.map((record) => listingFilter?.isBehindAll?.(record) === true);
		for (const [at, record] of page.records.entries()) {
			if (isBehindAll[at] || listingFilter?.keeps(record) === false) continue;
			records.push(record);
			const isLast = page.isEnd && at === page.records.length - 1;
			if (records.length === most) return { records, isWhole: isLast };
		}
		isWhole = page.isEnd;
		// Who was approved later may be listed above newer ones, but not a whole page of them.
		if (isBehindAll.length > 0 && !isBehindAll.includes(false)) return { records, isWhole: true };
	}
	return { records, isWhole };
}

function partsOf({ request, run }: Item, order?: IDataObject): ApiRequest[] {
	const { splitInto, oneRequestPerValue } = run.task.operation;
	const qs: IDataObject = { ...request.qs, ...order };
	const part = (field: string, value: unknown) => ({ ...request, qs: { ...qs, [field]: value } });
	if (oneRequestPerValue && qs[oneRequestPerValue.field] === 'all') {
		const { field, values } = oneRequestPerValue;
		return values.map((value) => part(field, value) as ApiRequest);
	}
	if (!splitInto) return [{ ...request, qs }];
	const values = String(qs[splitInto]).split(',');
	const parts: ApiRequest[] = [];
	// One page for each part, so that a part is one request. URLs are limited to some 8,000 characters, in many proxies
	// to fewer.
	for (let start = 0; start < values.length; start += MAX_PAGE_SIZE) {
		const some = values.slice(start, start + MAX_PAGE_SIZE).join(',');
		parts.push(part(splitInto, some) as ApiRequest);
	}
	return parts;
}

/**
 * Reads each record of a listing. A Failure takes the place of one that could not be read; if the node is set to stop,
 * the first is thrown, and the requests that were not answered by then are withdrawn.
 */
async function readEach(
	item: Item,
	listed: IDataObject[],
	{ url, record: type }: Detail,
): Promise<Array<IDataObject | Failure>> {
	const read: Array<IDataObject | Failure> = [];
	await dispatchAll(listed.length, async (index, withdrawn) => {
		const id = identifierOf(listed[index], type);
		try {
			const path = filledPath(url, { id }, withoutId);
			const expects = { record: type, id };
			read[index] = await item.read(expects, { path }, withdrawn);
		} catch (error) {
			const failure = error instanceof Cancelled ? error : failureOf(error, id);
			if (!item.run.isContinuing || failure instanceof Cancelled) throw failure;
			read[index] = failure;
		}
	});
	return read;
}

function withoutId(): Failure {
	return new Failure(
		'The list does not show the identifier of a member',
		"Check that the owner of the API key may view members, or turn 'Include Details' off.",
	);
}

function failureOf(error: unknown, id: string | undefined): Failure {
	const failure = asFailure(error);
	if (id === undefined) return failure;
	const advice = GONE.includes(failure.details.httpCode ?? 0)
		? `The member ${id} is in the list, but was not found a moment later, or this key may not see the member.`
		: `${failure.advice} This is about the member ${id}.`;
	return failure.with({ advice, msid: id });
}
