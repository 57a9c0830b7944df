import { deepCopy, type IDataObject } from 'n8n-workflow';
import { Failure, asFailure, isGone } from '../../../shared/failure';
import { pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import { userList, type RecordType } from '../../../shared/records/types';
import { trimmed } from '../../../shared/text';
import { MAX_PAGE_SIZE, Cancelled } from '../../../shared/transport';
import type { ListingFilter, ListingRules } from '../../actions/operation';
import { badValue } from '../../../shared/values';
import { dispatchAll } from '../dispatch';
import type { Item } from '../item';
import { recordShaper } from '../shape';

type Records = Array<IDataObject | Failure>;

/** Lists records up to a limit, and reads each one with "Include Details". */
export async function listing(item: Item, rules: ListingRules): Promise<Records> {
	const { summary, prepared } = item.run;
	const type = prepared.operation.record as RecordType;
	const detail = item.input.values.includeDetails === true ? rules.detail : undefined;
	const records = await onceInRun(item, async () => {
		const found = await recordsOf(item, rules, type, limitOf(item));
		return detail ? await fetchEach(item, found, detail) : found;
	});
	summary.listings++;
	if (records.length === 0) summary.empty++;
	const shape = recordShaper(item, detail);
	return records.map((each) => (each instanceof Failure ? each : shape(each)));
}

/** Counts the members that the filters keep, in total and by role. */
export async function count(item: Item, rules: ListingRules): Promise<Records> {
	const counting = async () => await recordsOf(item, rules, userList, Infinity);
	const records = await onceInRun(item, counting);
	const names = await item.directory.namesIfListed('role');
	// A Map, because a role can have the name of a property that every object has.
	const byRole = new Map<string, number>();
	for (const { role_id: id } of records as IDataObject[]) {
		const role = names?.get(trimmed(id)) ?? (trimmed(id) || 'unknown');
		byRole.set(role, (byRole.get(role) ?? 0) + 1);
	}
	return [{ count: records.length, by_role: Object.fromEntries(byRole) }];
}

/** If several items of a run request the same list, it is read once. Each gets its own records. */
async function onceInRun(item: Item, fetch: () => Promise<Records>): Promise<Records> {
	const { lists } = item.directory;
	const key = JSON.stringify([item.request.path, item.request.qs, item.input.values]);
	const before = lists.get(key);
	const reading = before ?? fetch();
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
	const filter = filterOf?.(item.input) ?? {};
	const qs = { ...item.request.qs, ...filter.order };
	// A member whose status has just changed is in two lists.
	const seen = new Set<string>();
	let records: IDataObject[] = [];
	let isWhole = true;
	for (const each of queries?.(qs) ?? [qs]) {
		if (records.length >= most) {
			isWhole = false;
			break;
		}
		const read = await recordsOfQuery(item, each, type, most - records.length, { ...filter, seen });
		records = records.concat(read.records);
		isWhole &&= read.isWhole;
	}
	if (records.length < most) filter.requireReturned?.();
	if (!isWhole || records.length > most) item.run.summary.atLimit++;
	return records.slice(0, most);
}

/** Returns the records of one query that the filter keeps, and whether no other can follow. */
async function recordsOfQuery(
	item: Item,
	qs: IDataObject,
	type: RecordType,
	most: number,
	{ matches, isOlderThanWanted = () => false, seen }: ListingFilter & { seen: Set<string> },
): Promise<{ records: IDataObject[]; isWhole: boolean }> {
	const limit = matches ? Infinity : most;
	let records: IDataObject[] = [];
	let olderInARow = 0;
	const isPrefetching = item.api.settings.maxRequestsAtOnce > 1;
	const wanted = { limit, isPrefetching, seen };
	for await (const page of pages(item, { ...item.request, qs }, type, wanted)) {
		records = records.concat(matches ? page.records.filter(matches) : page.records);
		for (const each of page.records) olderInARow = isOlderThanWanted(each) ? olderInARow + 1 : 0;
		// Members who were approved late may be listed above newer ones, but not a whole page of them.
		const isEnd = page.isEnd || olderInARow >= MAX_PAGE_SIZE;
		if (isEnd) return { records, isWhole: true };
		if (records.length >= most) return { records, isWhole: false };
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
