import { Failure, asFailure, isGone, type FailureDetails } from '../../shared/failure';
import { fingerprint } from '../../shared/text';
import { identifierOf } from '../../shared/records/identity';
import { withIdentifier } from '../../shared/records/output';
import type { RecordType } from '../../shared/records/types';
import { Cancelled, isRecord, type HttpAnswer } from '../../shared/transport';
import { toNumberIfExact } from '../input/identifiers';
import type { Item } from './item';

const LOOK_FIRST =
	"The record may already exist from an earlier attempt, so the node did not send it again. Look for it in your community. If it is not there, start a new execution with only this item, because 'Retry' does not send it again.";

/** The outcome of a create: the ID of the record if the API returned one, or the failure if the answer was lost. */
interface Created {
	/** The fingerprint of the request. */
	sent: string;
	id?: string;
	lost?: { message: string; details: FailureDetails };
}

/**
 * Sends the create of an item, once in an execution: with "Retry On Fail" and "Retry", n8n runs a node again for all
 * items. The outcome is kept in its context of the node, which outlives both (docs/decisions.md, E37). Returns the
 * answer, or {@link createdBefore}. Throws a Failure if an earlier attempt may have created the record.
 */
export async function createOnce(item: Item): Promise<HttpAnswer> {
	const before = await createdBefore(item);
	if (before) return before;
	const created = (contextOf(item).created ??= {});
	const key = keyOf(item);
	const sent = fingerprintOf(item);
	const lost = created[key]?.lost;
	// This holds for any content, because a text with the time in it differs in each attempt.
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
 * Returns the record that an earlier attempt of this execution created for an item, read again. Undefined if none did.
 * If it cannot be found or its ID is not known, returns an acknowledgement.
 */
export async function createdBefore(item: Item): Promise<HttpAnswer | undefined> {
	const known = contextOf(item).created?.[keyOf(item)];
	if (!known || known.lost || known.sent !== fingerprintOf(item)) return undefined;
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
		const advice = `An earlier attempt created record ${id}, so the node did not create it again. ${error.advice}`;
		throw error.with({ advice });
	});
}

/** Whether an earlier attempt of this execution lost the answer of the create, so that the record may exist. */
export function wasLost(item: Item): boolean {
	return contextOf(item).created?.[keyOf(item)]?.lost !== undefined;
}

// In a loop, each run of the node creates its own records.
function keyOf({ run, index }: Item): string {
	return `${run.runIndex} ${index}`;
}

// Only for an item that an earlier attempt knows, because this takes time.
function fingerprintOf({ api, request: { path, body } }: Item): string {
	return fingerprint({ to: api.address, path, body });
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
	return run.prepared.operation.record as RecordType;
}
