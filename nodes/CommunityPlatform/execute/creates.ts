import type { IDataObject } from 'n8n-workflow';
import { Failure, asFailure, isGone, type FailureDetails } from '../../shared/failure';
import { fingerprint } from '../../shared/text';
import { identifierOf } from '../../shared/records/identity';
import { withIdentifier } from '../../shared/records/output';
import type { RecordType } from '../../shared/records/types';
import { Cancelled, isRecord, type HttpAnswer } from '../../shared/transport';
import { toNumberIfExact } from '../input/identifiers';
import type { Item } from './item';

const LOOK_FIRST =
	'The record may already exist from an earlier attempt, so the node did not send it again. Check your community. If the record is missing, run this item again in a new execution.';

/** What became of a create: the record, by its identifier if the API showed it, or the failure of a lost answer. */
interface Created {
	/** The fingerprint of what was sent. */
	sent: string;
	id?: string;
	lost?: { message: string; details: FailureDetails };
}

/** What the item of a change has said of it. */
interface Changed {
	sent: string;
	facts: IDataObject;
	isLost?: boolean;
}

// What a later try, which finds the change made, could not say.
const FACTS = ['changed', 'previous_role_id', 'previous_role_name'];

/**
 * Sends the create of an item, once in an execution: with "Retry On Fail" and "Retry", n8n runs a node again for all items.
 * What was created is kept in its context of the node, which outlives both (docs/decisions.md, E37). Gives the answer, or
 * {@link createdBefore}; throws a Failure where an earlier try may have created the record.
 */
export async function createOnce(item: Item): Promise<HttpAnswer> {
	const before = await createdBefore(item);
	if (before) return before;
	const { created, key, sent } = keptFor(item);
	const lost = created[key]?.lost;
	// Whatever is to be sent now: a text with the time in it is another one in each try.
	if (lost) {
		item.mayHaveChanged = true;
		throw new Failure(lost.message, LOOK_FIRST, { ...lost.details, concernsEveryItem: false });
	}
	const answer = await item.send(item.request).catch((error: unknown) => {
		const { message, details } = asFailure(error instanceof Cancelled ? error.cause : error);
		if (item.mayHaveChanged) created[key] = { sent, lost: { message, details } };
		throw error;
	});
	const { body } = answer;
	const record = recordOf(item);
	created[key] = { sent, id: isRecord(body) ? identifierOf(body, record) : undefined };
	if (isRecord(body) && record.compositeId) item.directory.members.noteCreated(body);
	return answer;
}

/**
 * Returns the record that an earlier try of this execution created for an item, read again; undefined if none did. If it
 * cannot be found, or its identifier was not shown, an acknowledgement.
 */
export async function createdBefore(item: Item): Promise<HttpAnswer | undefined> {
	const { created, key, sent } = keptFor(item);
	const known = created[key];
	if (known?.sent !== sent || known.lost) return undefined;
	item.hasChanged = true;
	const { id } = known;
	if (id === undefined) return { statusCode: 204, headers: {}, body: '' };
	const path = `${item.request.path}/${encodeURIComponent(id)}`;
	const expects = { record: recordOf(item), id };
	return await item.send({ method: 'GET', path, expects }).catch((error: unknown) => {
		if (!(error instanceof Failure)) throw error;
		// It may have to be approved first.
		const [idField] = withIdentifier(expects.record, []);
		const body = { success: true, [idField]: toNumberIfExact(id) };
		if (isGone(error)) return { statusCode: 200, headers: {}, body };
		const advice = `An earlier attempt created the record ${id}, so the node did not create it again. ${error.advice}`;
		throw error.with({ advice });
	});
}

/** Whether the answer of the create was lost in an earlier try of this execution, so that the record may exist. */
export function wasLost(item: Item): boolean {
	const { created, key } = keptFor(item);
	return created[key]?.lost !== undefined;
}

/** Returns what an earlier try of this execution has said of the change of an item, or would have if it got an answer. */
export function changedBefore(item: Item): Changed | undefined {
	// Most often the first try: a fingerprint of each of thousands of items takes time.
	if (!contextOf(item).changed) return undefined;
	const { changed, key, sent } = keptFor(item);
	return changed[key]?.sent === sent ? changed[key] : undefined;
}

/** Keeps what the item of a change would have said, if its answer was lost: the next try may find the change made. */
export function keepLostChange(item: Item): void {
	if (!item.mayHaveChanged || changedBefore(item)) return;
	const facts = { ...(item.skipsUnchanged && { changed: true }), ...item.facts };
	keepChange(item, { facts, isLost: true });
}

/** Returns the item of a change as an earlier try has told it, or keeps what it tells for later tries. */
export function asToldBefore(item: Item, json: IDataObject): IDataObject {
	const before = changedBefore(item);
	// If this try found something to change, the lost one has not made it.
	if (before && !(before.isLost && json.changed === true)) return { ...json, ...before.facts };
	if (!item.hasChanged || !('changed' in json)) return json;
	const facts = FACTS.filter((name) => name in json).map((name) => [name, json[name]]);
	keepChange(item, { facts: Object.fromEntries(facts) as IDataObject });
	return json;
}

function keepChange(item: Item, told: Omit<Changed, 'sent'>): void {
	contextOf(item).changed ??= {};
	const { changed, key, sent } = keptFor(item);
	changed[key] = { sent, ...told };
}

function keptFor(item: Item) {
	const { run, index, api } = item;
	const { path, body } = item.request;
	const context = contextOf(item);
	return {
		created: (context.created ??= {}),
		changed: context.changed ?? {},
		// In a loop, each run of the node creates records of its own.
		key: `${run.runIndex} ${index}`,
		sent: fingerprint({ to: api.address, path, body }),
	};
}

interface Context {
	created?: Partial<Record<string, Created>>;
	changed?: Partial<Record<string, Changed>>;
}

// n8n's own Agents run a tool without an execution: nothing outlives the call.
function contextOf({ run }: Item): Context {
	try {
		return run.functions.getContext('node');
	} catch {
		return {};
	}
}

// Every create answers with a record.
function recordOf({ run }: Item): RecordType {
	return run.prepared.operation.record as RecordType;
}
