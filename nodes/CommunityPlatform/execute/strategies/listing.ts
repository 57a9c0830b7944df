import { deepCopy, type IDataObject } from 'n8n-workflow';
import { Failure, asFailure, isGone } from '../../../shared/failure';
import { isInAnotherOrder, pages, SharedPages, type NewRecords } from '../../../shared/pagination';
import { identifierOf, recordKey } from '../../../shared/records/identity';
import { userList, type RecordType } from '../../../shared/records/types';
import { toTime, trimmed } from '../../../shared/text';
import { MAX_PAGE_SIZE, Cancelled } from '../../../shared/transport';
import type { ListingFilter, ListingRules } from '../../actions/operation';
import { badValue } from '../../input/values';
import { dispatchAll } from '../dispatch';
import type { Item, Strategy } from '../item';
import { recordShaper } from '../shape';

type Records = Array<IDataObject | Failure>;
type Comparers = NonNullable<ListingFilter['comparers']>;

/** Lists records up to a limit, and reads each one with "Include Details". */
export function listing(rules: ListingRules): Strategy {
	return {
		async send(item) {
			const { summary, prepared } = item.run;
			const type = prepared.operation.record as RecordType;
			const detail = item.input.values.includeDetails === true ? rules.detail : undefined;
			const records = await onceInRun(item, async () => {
				const found = await recordsOf(item, rules, type, limitOf(item));
				return detail ? await readEach(item, found, detail) : found;
			});
			summary.listings++;
			if (records.length === 0) summary.empty++;
			const shape = recordShaper(item, detail);
			return records.map((each) => (each instanceof Failure ? each : shape(each)));
		},
	};
}

/** Counts the members that the filters keep, in total and by role. */
export function count(rules: ListingRules): Strategy {
	return {
		async send(item) {
			const counting = async () => await recordsOf(item, rules, userList, Infinity);
			const records = await onceInRun(item, counting);
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
}

/** If several items of a run request the same list, it is read once. Each gets its own records. */
async function onceInRun(item: Item, read: () => Promise<Records>): Promise<Records> {
	const { lists } = item.directory;
	const key = JSON.stringify([item.request.path, item.request.qs, item.input.values]);
	const before = lists.get(key);
	const reading = before ?? read();
	lists.set(key, reading);
	const records = await reading;
	if (!before) return records;
	item.run.summary.repeated++;
	return records.map((each) => (each instanceof Failure ? each : deepCopy(each)));
}

function limitOf({ input: { values, labels } }: Item): number {
	const { limit, returnAll } = values;
	if (returnAll === true) return Infinity;
	if (limit !== undefined) return limit as number;
	const advice = "Enter a number of at least 1 in 'Limit'.";
	throw badValue(labels.limit, 'is empty', advice);
}

/** At most `most` records of a listing, each once, after the filters that the API does not have. */
async function recordsOf(
	item: Item,
	{ queries, filter: filterOf }: ListingRules,
	type: RecordType,
	most: number,
): Promise<IDataObject[]> {
	const { request, run } = item;
	const filter = filterOf?.(item.input) ?? {};
	const { order = {}, comparers = [] } = filter;
	const qs: IDataObject = { ...request.qs, ...order };
	const isSorted = Object.keys(order).some((key) => (request.qs?.[key] ?? qs[key]) !== qs[key]);
	// A record can be in several lists, e.g. a member whose status has just changed.
	const seen = new Set<string>();
	const parts: IDataObject[][] = [];
	// A list to sort is read to its end, a list to merge as far as it may be needed.
	let left = isSorted ? Infinity : most;
	let isWhole = true;
	for (const each of queries?.(qs) ?? [qs]) {
		if (left <= 0) {
			isWhole = false;
			break;
		}
		const read = await recordsOfQuery(item, each, type, left, filter, seen);
		parts.push(isSorted ? read.records.sort(comparers[0]) : read.records);
		if (comparers.length === 0) left -= read.records.length;
		isWhole &&= read.isWhole;
	}
	const records = inOneList(parts, comparers);
	if (records.length < most) filter.requireShown?.();
	if (!isWhole || records.length > most) run.summary.atLimit++;
	return records.slice(0, most);
}

/** Returns the records of one query that the filter keeps, and whether no other can follow. */
async function recordsOfQuery(
	item: Item,
	qs: IDataObject,
	type: RecordType,
	most: number,
	{ keeps, isOlderThanWanted }: ListingFilter,
	seen: Set<string>,
): Promise<{ records: IDataObject[]; isWhole: boolean }> {
	const listed = keeps
		? wholeList(item, qs, type)
		: pages(item, { ...item.request, qs }, type, { ...prefetching(item), limit: most, seen });
	let records: IDataObject[] = [];
	for await (const page of isOlderThanWanted ? untilTooOld(listed, isOlderThanWanted) : listed) {
		records = records.concat(keeps ? page.records.filter(keeps).filter(isNew) : page.records);
		if (page.isEnd || records.length >= most) {
			return { records: records.slice(0, most), isWhole: page.isEnd && records.length <= most };
		}
	}
	return { records, isWhole: false };

	function isNew(record: IDataObject): boolean {
		const key = recordKey(record, type);
		const isKnown = key !== undefined && seen.has(key);
		if (key !== undefined) seen.add(key);
		return !isKnown;
	}
}

const prefetching = ({ api }: Item) => ({ isPrefetching: api.settings.maxRequestsAtOnce > 1 });

/** The pages of a list that is filtered. If the run has several items, they share them. */
function wholeList(item: Item, qs: IDataObject, type: RecordType): AsyncIterable<NewRecords> {
	const { directory, request, run } = item;
	const list = () => pages(item, { ...request, qs }, type, prefetching(item));
	if (run.items.length === 1) return list();
	const key = JSON.stringify([request.path, qs]);
	const shared = directory.pages.get(key) ?? new SharedPages(list());
	directory.pages.set(key, shared);
	return shared;
}

/** Yields pages of members, newest first, until a whole page of members in a row is older than wanted. */
async function* untilTooOld(
	listed: AsyncIterable<NewRecords>,
	isTooOld: (record: IDataObject) => boolean,
): AsyncGenerator<NewRecords> {
	const times: number[] = [];
	let inARow = 0;
	for await (const page of listed) {
		for (const record of page.records) {
			times.push(toTime(record.created_at));
			inARow = isTooOld(record) ? inARow + 1 : 0;
		}
		// Members who were approved late may be listed above newer ones, but not a whole page of them.
		const isOver = !page.isEnd && inARow >= MAX_PAGE_SIZE;
		if (isOver && isInAnotherOrder(times)) throw unordered();
		yield { ...page, isEnd: page.isEnd || isOver };
		if (isOver) return;
	}
}

// Each part keeps its order. How the API compares names is not documented, but can be seen in the parts.
function inOneList(parts: IDataObject[][], comparers: Comparers): IDataObject[] {
	const isKept = (compare: Comparers[number]) =>
		parts.every((part) => part.every((each, at) => at === 0 || compare(part[at - 1], each) <= 0));
	const compare = comparers.find(isKept) ?? comparers.at(0);
	return compare
		? parts.reduce((one, other) => mergeSorted(one, other, compare), [])
		: parts.flat();
}

function mergeSorted(
	one: IDataObject[],
	other: IDataObject[],
	compare: Comparers[number],
): IDataObject[] {
	const all: IDataObject[] = [];
	let at = 0;
	for (const record of one) {
		while (at < other.length && compare(other[at], record) < 0) all.push(other[at++]);
		all.push(record);
	}
	return all.concat(other.slice(at));
}

function unordered(): Failure {
	return new Failure(
		'The community did not list the newest members first',
		"Remove 'Joined After' from the filters. Tell your community platform's support that their API ignores the requested order of members.",
	);
}

/** Reads each record of a listing. If the node is set to stop, the first Failure ends the other requests. */
async function readEach(item: Item, listed: IDataObject[], type: RecordType): Promise<Records> {
	const read: Records = [];
	await dispatchAll(listed.length, async (index, cancelled) => {
		const id = identifierOf(listed[index], type);
		try {
			if (id === undefined) throw withoutId();
			const path = `${item.request.path}/${encodeURIComponent(id)}`;
			read[index] = await item.read({ record: type, id }, { path }, cancelled);
		} catch (error) {
			const failure = error instanceof Cancelled ? error : failureOfMember(error, id);
			if (!item.run.isContinuing || failure instanceof Cancelled) throw failure;
			read[index] = failure;
		}
	});
	return read;
}

function withoutId(): Failure {
	return new Failure(
		'The list contains a member without an ID',
		"Turn off 'Include Details', or use the API key of a member who can see the IDs of members.",
	);
}

function failureOfMember(error: unknown, id: string | undefined): Failure {
	const failure = asFailure(error);
	if (id === undefined) return failure;
	const advice = isGone(failure)
		? `Run this again. Member ${id} is in the list, but has just left or is hidden from the owner of the API key.`
		: `${failure.advice} This concerns member ${id}.`;
	return failure.with({ advice, msid: id });
}
