import { Failure, asFailure, type FailureDetails } from '../../shared/failure';
import { fingerprint } from '../../shared/text';
import { identifierOf } from '../../shared/records/identity';
import type { RecordType } from '../../shared/records/types';
import { Cancelled, isRecord, type HttpAnswer } from '../../shared/transport';
import type { Item } from './item';

const LOOK_FIRST =
	'The record may have been created all the same in an earlier try, so it was not sent again: look in the community first, then run this row in a new execution.';

/** What became of a create: the record, by its identifier if the API showed it, or the failure of a lost answer. */
interface Created {
	/** The fingerprint of what was sent. */
	sent: string;
	id?: string;
	lost?: { message: string; details: FailureDetails };
}

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
	const id = isRecord(body) ? identifierOf(body, recordOf(item)) : undefined;
	created[key] = { sent, id };
	return answer;
}

/**
 * The record that an earlier try of this execution created for an item, read again; undefined if none did. Where the
 * API had not shown its identifier, an acknowledgement.
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
		const advice = `${error.advice} An earlier try has created the record ${id}: it is not created again.`;
		throw error.with({ advice });
	});
}

function keptFor(item: Item) {
	const { run, index, api } = item;
	const { path, body } = item.request;
	return {
		created: (contextOf(item).created ??= {}),
		// In a loop, each run of the node creates records of its own.
		key: `${run.runIndex} ${index}`,
		sent: fingerprint({ to: api.address, path, body }),
	};
}

// n8n's own Agents run a tool without an execution: nothing outlives the call.
function contextOf({ run }: Item): { created?: Partial<Record<string, Created>> } {
	try {
		return run.functions.getContext('node');
	} catch {
		return {};
	}
}

// Every create answers with a record.
function recordOf({ run }: Item): RecordType {
	return run.task.operation.record as RecordType;
}
