import { deepCopy, type IDataObject } from 'n8n-workflow';
import { Failure, asFailure, isGone } from '../../shared/failure';
import { newRecordsIn, pages } from '../../shared/pagination';
import { identifierOf } from '../../shared/records/identity';
import { userList, type RecordType } from '../../shared/records/types';
import { trimmed } from '../../shared/text';
import { MAX_PAGE_SIZE, Cancelled } from '../../shared/transport';
import { badValue } from '../../shared/values';
import type { ListingFilter, ListingRules } from '../actions/operation';
import type { Item, Records } from '../run/item';
import { dispatchAll } from '../../shared/async/pace';
import { recordShaper } from '../run/shape';

/** Lists records up to a limit, and reads each one with "Include Details". */
export async function listing(item: Item): Promise<Records> {
	const { run, input } = item;
	const type = run.prepared.operation.record as RecordType;
	const detail = input.values.includeDetails === true ? rulesOf(item).detail : undefined;
	const records = await onceInRun(item, async () => {
		const found = await recordsOf(item, type, limitOf(item));
		return detail ? await fetchEach(item, found, detail) : found;
	});
	run.notes.add('listed', records.length === 0 ? 'empty' : '');
	const shape = recordShaper(item, detail);
	return records.map((each) => (each instanceof Failure ? each : shape(each)));
}

/** Counts the members that the filters keep, in total and by role. */
export async function count(item: Item): Promise<Records> {
	const records = await onceInRun(item, async () => await recordsOf(item, userList, Infinity));
	const names = await item.community.roleNames();
	// A Map, because a role can have the name of a property that every object has.
	const byRole = new Map<string, number>();
	for (const { role_id: id } of records as IDataObject[]) {
		const role = names?.get(trimmed(id)) ?? (trimmed(id) || 'unknown');
		byRole.set(role, (byRole.get(role) ?? 0) + 1);
	}
	return [{ count: records.length, by_role: Object.fromEntries(byRole) }];
}

function rulesOf({ run }: Item): ListingRules {
	return run.prepared.operation.strategy as ListingRules;
}

/** If several items of a run request the same list, it is read once. Each gets its own records. */
async function onceInRun(item: Item, fetch: () => Promise<Records>): Promise<Records> {
	const { once } = item.community;
	const key = JSON.stringify([item.request.path, item.request.qs, item.input.values]);
	const isRepeated = once.has(key);
	const records = await once.get(key, fetch);
	if (!isRepeated) return records;
	item.run.notes.add('repeated');
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
async function recordsOf(item: Item, type: RecordType, most: number): Promise<IDataObject[]> {
	const { queries = (qs: IDataObject) => [qs], filter: filterOf } = rulesOf(item);
	const filter = filterOf?.(item.input) ?? {};
	// A member whose status has just changed is in two lists.
	const seen = new Set<string>();
	let records: IDataObject[] = [];
	let isWhole = true;
	for (const qs of queries({ ...item.request.qs, ...filter.order })) {
		const left = most - records.length;
		const read = left > 0 && (await recordsOfQuery(item, qs, type, left, filter, seen));
		if (read) records = records.concat(read.records);
		isWhole &&= read && read.isWhole;
	}
	if (records.length < most) filter.requireReturned?.();
	if (!isWhole || records.length > most) item.run.notes.add('atLimit');
	return records.slice(0, most);
}

/** Returns the records of one query that the filter keeps, and whether no other can follow. */
async function recordsOfQuery(
	item: Item,
	qs: IDataObject,
	type: RecordType,
	most: number,
	{ matches, isOlderThanWanted = () => false }: ListingFilter,
	seen: Set<string>,
): Promise<{ records: IDataObject[]; isWhole: boolean }> {
	let records: IDataObject[] = [];
	let olderInARow = 0;
	const { api, community, request } = item;
	const limit = matches ? Infinity : most;
	const isPrefetching = api.settings.maxRequestsAtOnce > 1;
	const open = () => pages(api, { ...request, qs }, type, { limit, isPrefetching });
	// Other items may read the same list, and keep what their own filters want.
	for await (const page of community.pages.of(JSON.stringify([request.path, qs, limit]), open)) {
		const fresh = newRecordsIn(page.records, type, seen);
		const wanted = matches ? fresh.filter(matches) : fresh;
		records = records.concat(page.isCopy ? wanted.map((each) => deepCopy(each)) : wanted);
		for (const each of page.records) olderInARow = isOlderThanWanted(each) ? olderInARow + 1 : 0;
		// Members who were approved late may be listed above newer ones, but not a whole page of them.
		const isEnd = page.isEnd || olderInARow >= MAX_PAGE_SIZE;
		if (isEnd || records.length >= most) return { records, isWhole: isEnd };
	}
	return { records, isWhole: false };
}

/** Reads each record of a listing. If the node is set to stop, the first Failure ends the other requests. */
async function fetchEach(item: Item, listed: IDataObject[], type: RecordType): Promise<Records> {
	const read: Records = [];
	await dispatchAll(listed.length, async (index, cancelled) => {
		const id = identifierOf(listed[index], type);
		try {
			if (id === undefined) {
				throw new Failure(
					'The list contains a member without an ID',
					"Turn off 'Include Details', or use the API key of a member who can see the IDs of members.",
				);
			}
			const path = `${item.request.path}/${encodeURIComponent(id)}`;
			read[index] = await item.fetch({ record: type, id }, { path }, cancelled);
		} catch (error) {
			const failure = error instanceof Cancelled ? error : failureOfMember(error, id);
			if (!item.run.isContinuing || failure instanceof Cancelled) throw failure;
			read[index] = failure;
		}
	});
	return read;
}

function failureOfMember(error: unknown, id: string | undefined): Failure {
	const failure = asFailure(error);
	if (id === undefined) return failure;
	const advice = isGone(failure)
		? `Run this again. Member ${id} is in the list, but has just left or is hidden from the owner of the API key.`
		: `${failure.advice} This concerns member ${id}.`;
	return failure.with({ advice, msid: id });
}
