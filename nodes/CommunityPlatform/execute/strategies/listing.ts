import type { IDataObject } from 'n8n-workflow';
import { Stop } from '../../../shared/limiter';
import { pages } from '../../../shared/pagination';
import { identifierOf } from '../../../shared/records/identity';
import type { RecordType } from '../../../shared/records/types';
import { MAX_PAGE_SIZE, Stopped, Failure, asFailure } from '../../../shared/transport';
import type { ApiRequest } from '../../../shared/transport';
import type { Operation } from '../../actions/operation';
import { badValue } from '../../input/values';
import { dispatch } from '../dispatch';
import type { Item, Strategy } from '../item';
import { recordShaper } from '../output';
import { filledPath } from '../request';

type Detail = NonNullable<Operation['detail']>;

// For records that were listed a moment ago and are gone.
const GONE = [404, 410];

const ADVICE_IF_STUCK =
	'Set a "Limit" instead of "Return All" to get the records before that point, and tell the operators of the community.';

/** Paginates a listing to its end or up to the limit; with "Include Details", reads each record. */
export const listing: Strategy = {
	async send(item) {
		const { notes, input } = item;
		const { detail, hints } = item.task.operation;
		const listed = await recordsOf(item);
		notes.listings++;
		if (listed.length === 0) notes.empty++;
		for (const hint of hints?.(input) ?? []) notes.ofOperation.add(hint);
		if (!detail || input.values.includeDetails !== true) return listed.map(recordShaper(item));
		const shape = recordShaper(item, detail.record);
		const read = await readEach(item, listed, detail);
		return read.map((each) => (each instanceof Failure ? each : shape(each)));
	},
};

async function recordsOf(item: Item): Promise<IDataObject[]> {
	const { limit, returnAll } = item.input.values;
	if (returnAll !== true && limit === undefined) {
		const advice = 'Give a number of at least 1, or turn on "Return All".';
		throw badValue(item.input.labels.limit, 'is empty', advice);
	}
	const most = returnAll === true ? Infinity : (limit as number);
	const type = item.task.operation.record as RecordType;
	const concurrency = item.api.settings.maxRequestsAtOnce;
	const adviceIfStuck = returnAll === true ? ADVICE_IF_STUCK : undefined;
	const records: IDataObject[] = [];
	// A record can be in several parts, e.g. a member whose status changes meanwhile.
	const seen = new Set<string>();
	let isWhole = true;
	for (const part of partsOf(item)) {
		isWhole = false;
		const left = most - records.length;
		if (left === 0) break;
		for await (const page of pages(item, part, type, {
			...{ limit: left, concurrency, adviceIfStuck, seen },
		})) {
			// Not push(...records): a listing can be longer than an argument list may be.
			for (const record of page.records) records.push(record);
			isWhole = page.isEnd;
		}
	}
	if (!isWhole) item.notes.atLimit++;
	return records;
}

function partsOf({ request, task: { operation } }: Item): ApiRequest[] {
	const { splitInto, oneRequestPerValue } = operation;
	const { qs } = request;
	const part = (field: string, value: unknown) => ({ ...request, qs: { ...qs, [field]: value } });
	if (oneRequestPerValue && qs?.[oneRequestPerValue.field] === 'all') {
		const { field, values } = oneRequestPerValue;
		return values.map((value) => part(field, value) as ApiRequest);
	}
	if (!splitInto) return [request];
	const values = String(qs?.[splitInto]).split(',');
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
 * Reads each record of a listing, as many at once as the limiter allows.
 *
 * @returns the records, in the same order; if the node continues, a Failure in place of each that could not be read
 * @throws the first failure, if the node stops; requests that were not answered by then are withdrawn
 */
async function readEach(
	item: Item,
	listed: IDataObject[],
	{ url, record: type }: Detail,
): Promise<Array<IDataObject | Failure>> {
	const read: Array<IDataObject | Failure> = [];
	const stop = new Stop();
	let cause: unknown;
	await dispatch(listed.length, stop, async (index) => {
		const id = identifierOf(listed[index], type);
		try {
			const path = filledPath(url, { id }, withoutId);
			const expects = { record: type, id };
			const request = { method: 'GET', repeat: 'safe', path, expects } as const;
			read[index] = (await item.send(request, stop)).body as IDataObject;
		} catch (error) {
			if (stop.isStopped) return;
			const failure = error instanceof Stopped ? error : failureOf(error, id);
			if (item.isContinuing && failure instanceof Failure) {
				read[index] = failure;
				return;
			}
			cause = failure;
			stop.stop();
		}
	});
	if (cause !== undefined) throw cause;
	return read;
}

function withoutId(): Failure {
	return new Failure(
		'The list does not show the identifier of a member',
		'Check that the owner of the API key may view members, or turn "Include Details" off.',
	);
}

function failureOf(error: unknown, id: string | undefined): Failure {
	const { message, advice, details } = asFailure(error);
	if (id === undefined) return new Failure(message, advice, details);
	const whatToDo = GONE.includes(details.httpCode ?? 0)
		? `The member ${id} is in the list, but was not found a moment later, or this key may not see the member.`
		: `${advice} This is about the member ${id}.`;
	return new Failure(message, whatToDo, { ...details, msid: id });
}
