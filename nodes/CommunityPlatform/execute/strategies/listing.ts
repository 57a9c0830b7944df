import { deepCopy, type IDataObject } from 'n8n-workflow';
import { Failure, asFailure, isGone } from '../../../shared/failure';
import { isInAnotherOrder, pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import { userList, type RecordType } from '../../../shared/records/types';
import { toTime, trimmed } from '../../../shared/text';
import { MAX_PAGE_SIZE, Cancelled } from '../../../shared/transport';
import type { ListingFilter } from '../../actions/operation';
import { badValue } from '../../input/values';
import { dispatchAll } from '../dispatch';
import type { Item, Strategy } from '../item';
import { recordShaper } from '../shape';

type Records = Array<IDataObject | Failure>;
type Orders = NonNullable<ListingFilter['orders']>;

/** Paginates a listing to its end or up to the limit; with "Include Details", reads each record. */
export const listing: Strategy = {
	async send(item) {
		const { summary, task } = item.run;
		const { record, listing: rules } = task.operation;
		const detail = item.input.values.includeDetails === true ? rules?.detail : undefined;
		const records = await onceInRun(item, async () => {
			const found = await listed(item, record as RecordType, limitOf(item));
			return detail ? await readEach(item, found, detail) : found;
		});
		summary.listings++;
		if (records.length === 0) summary.empty++;
		const shape = recordShaper(item, detail);
		return records.map((each) => (each instanceof Failure ? each : shape(each)));
	},
};

/** Counts a listing of users after its filters, in all and by role. */
export const count: Strategy = {
	async send(item) {
		const records = await onceInRun(item, async () => await listed(item, userList, Infinity));
		const names = await item.directory.namesIfShown('role');
		// A Map, because a role can have the name of a property that every object has.
		const byRole = new Map<string, number>();
		for (const { role_id: id } of records as IDataObject[]) {
			const role = names?.get(trimmed(id)) ?? (trimmed(id) || 'unknown');
			byRole.set(role, (byRole.get(role) ?? 0) + 1);
		}
		return [{ count: records.length, by_role: Object.fromEntries(byRole) }];
	},
};

/** What several items of a run ask for alike is read once; each gets records of its own. */
async function onceInRun(item: Item, read: () => Promise<Records>): Promise<Records> {
	const { listings } = item.directory;
	const key = JSON.stringify([item.request.path, item.request.qs, item.input.values]);
	const before = listings.get(key);
	const reading = before ?? read();
	listings.set(key, reading);
	const records = await reading;
	if (!before) return records;
	item.run.summary.repeated++;
	return records.map((each) => (each instanceof Failure ? each : deepCopy(each)));
}

function limitOf({ input: { values, labels } }: Item): number {
	const { limit, returnAll } = values;
	if (returnAll === true) return Infinity;
	if (limit !== undefined) return limit as number;
	const advice = "Give a number of at least 1 in 'Limit'.";
	throw badValue(labels.limit, 'is empty', advice);
}

/** At most `most` records of a listing, each once, after the filters that the API does not have. */
async function listed(item: Item, type: RecordType, most: number): Promise<IDataObject[]> {
	const { request, run } = item;
	const { queries, filter: filterOf } = run.task.operation.listing ?? {};
	const filter = filterOf?.(item.input) ?? {};
	const { readIn = {}, orders = [] } = filter;
	const qs: IDataObject = { ...request.qs, ...readIn };
	const isSorted = Object.keys(readIn).some((key) => (request.qs?.[key] ?? qs[key]) !== qs[key]);
	// A record can be in several, e.g. a member whose status changes meanwhile.
	const seen = new Set<string>();
	const parts: IDataObject[][] = [];
	// What is sorted has to be read whole, and what is merged as far as it may be needed.
	let left = isSorted ? Infinity : most;
	let isWhole = true;
	for (const each of queries?.(qs) ?? [qs]) {
		if (left <= 0) {
			isWhole = false;
			break;
		}
		const read = await readQuery(item, each, type, left, filter, seen);
		parts.push(isSorted ? read.records.sort(orders[0]) : read.records);
		if (orders.length === 0) left -= read.records.length;
		isWhole &&= read.isWhole;
	}
	const records = inOneList(parts, orders);
	if (records.length < most) filter.requireShown?.();
	if (!isWhole || records.length > most) run.summary.atLimit++;
	return records.slice(0, most);
}

// Each part keeps its order. How the API compares, e.g. names, is not documented, but shows in the parts.
function inOneList(parts: IDataObject[][], orders: Orders): IDataObject[] {
	const isKept = (compare: Orders[number]) =>
		parts.every((part) => part.every((each, at) => at === 0 || compare(part[at - 1], each) <= 0));
	const compare = orders.find(isKept) ?? orders.at(0);
	return compare ? parts.reduce((one, other) => merged(one, other, compare), []) : parts.flat();
}

function merged(one: IDataObject[], other: IDataObject[], compare: Orders[number]): IDataObject[] {
	const all: IDataObject[] = [];
	let at = 0;
	for (const record of one) {
		while (at < other.length && compare(other[at], record) < 0) all.push(other[at++]);
		all.push(record);
	}
	return all.concat(other.slice(at));
}

async function readQuery(
	item: Item,
	qs: IDataObject,
	type: RecordType,
	most: number,
	{ keeps, isBehind }: ListingFilter,
	seen: Set<string>,
): Promise<{ records: IDataObject[]; isWhole: boolean }> {
	const limit = keeps ? Infinity : most;
	const wanted = { limit, isPrefetching: item.api.settings.maxRequestsAtOnce > 1, seen };
	const records: IDataObject[] = [];
	const times: number[] = [];
	let behind = 0;
	let isWhole = false;
	for await (const page of pages(item, { ...item.request, qs }, type, wanted)) {
		for (const [at, record] of page.records.entries()) {
			if (isBehind) times.push(toTime(record.created_at));
			behind = isBehind?.(record) ? behind + 1 : 0;
			if (keeps?.(record) === false) continue;
			records.push(record);
			const isLast = page.isEnd && at === page.records.length - 1;
			if (records.length === most) return { records, isWhole: isLast };
		}
		isWhole = page.isEnd;
		// Members who were approved late may be listed above newer ones, but not a whole page of them.
		if (isWhole || behind < MAX_PAGE_SIZE) continue;
		if (isInAnotherOrder(times)) throw unordered();
		return { records, isWhole: true };
	}
	return { records, isWhole };
}

function unordered(): Failure {
	return new Failure(
		'The listing of members is not in the order that was asked for, the newest first',
		"Take 'Joined After' out of the filters, and tell the operators of the community.",
	);
}

/** Reads each record of a listing; if the node is set to stop, the first Failure is thrown and ends the other requests. */
async function readEach(item: Item, listed: IDataObject[], type: RecordType): Promise<Records> {
	const read: Records = [];
	await dispatchAll(listed.length, async (index, withdrawn) => {
		const id = identifierOf(listed[index], type);
		try {
			if (id === undefined) throw withoutId();
			const path = `${item.request.path}/${encodeURIComponent(id)}`;
			read[index] = await item.read({ record: type, id }, { path }, withdrawn);
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
	const advice = isGone(failure)
		? `The member ${id} is in the list, but was not found a moment later, or this key may not see the member.`
		: `${failure.advice} This is about the member ${id}.`;
	return failure.with({ advice, msid: id });
}
