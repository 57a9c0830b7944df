import type { IDataObject } from 'n8n-workflow';
import { Failure, asFailure, isGone, type FailureDetails } from '../../shared/failure';
import { fingerprint } from '../../shared/text';
import { identifierOf } from '../../shared/records/identity';
import { withIdentifier } from '../../shared/records/output';
import type { RecordType } from '../../shared/records/types';
import { Cancelled, isRecord, type HttpAnswer } from '../../shared/transport';
import { toNumberIfExact } from '../input/identifiers';
import type { Item } from './item';
import type { RunContext } from './context';

const LOOK_FIRST =
	"The record may already exist from an earlier attempt, so the node did not send it again. Look for it in your community. If it is not there, start a new execution with only this item, because 'Retry' does not send it again.";

/** What an attempt of the execution did for an item. */
interface Done {
	/** The fingerprint of the request. */
	sent: string;
	/** The ID of the record that was created, if the API returned one. */
	id?: string;
	/** The create whose answer was lost. `sentAt` is in milliseconds since 1970. */
	lost?: { message: string; details: FailureDetails; sentAt: number };
	/** The output item of a change that the API only acknowledges. */
	json?: IDataObject;
}

/**
 * Sends the create of an item, once in an execution: with "Retry On Fail" and "Retry", n8n runs a node again for all
 * items. The outcome is kept in its context of the node, which outlives both (docs/decisions.md, E37). Returns the
 * answer, or {@link createdBefore}. Throws a Failure if an earlier attempt may have created the record.
 */
export async function createOnce(item: Item): Promise<HttpAnswer> {
	const before = await createdBefore(item);
	if (before) return before;
	const created = (contextOf(item.run).created ??= {});
	const key = keyOf(item);
	const sent = fingerprintOf(item);
	const lost = created[key]?.lost;
	// This holds for any content, because a text with the time in it differs in each attempt.
	if (lost) {
		item.mayHaveChanged = true;
		throw new Failure(lost.message, LOOK_FIRST, { ...lost.details, concernsEveryItem: false });
	}
	const sentAt = Date.now();
	const answer = await item.send(item.request).catch((error: unknown) => {
		const { message, details } = asFailure(error instanceof Cancelled ? error.cause : error);
		if (item.mayHaveChanged) created[key] = { sent, lost: { message, details, sentAt } };
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
	const known = contextOf(item.run).created?.[keyOf(item)];
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

/**
 * Returns when an earlier attempt of this execution sent the create whose answer was lost, so that the record may exist.
 * In milliseconds since 1970, undefined if none was lost.
 */
export function lostAt(item: Item): number | undefined {
	return contextOf(item.run).created?.[keyOf(item)]?.lost?.sentAt;
}

/** Returns the change that an earlier attempt of this execution made for an item. Undefined if it made none. */
export function changedBefore(item: Item): Done | undefined {
	const known = contextOf(item.run).changed?.[keyOf(item)];
	return known && known.sent === fingerprintOf(item) ? known : undefined;
}

/** Keeps a change, so that a later attempt of this execution neither decides nor sends it again. */
export function rememberChange(item: Item, json?: IDataObject): void {
	const changed = (contextOf(item.run).changed ??= {});
	changed[keyOf(item)] = { sent: fingerprintOf(item), json };
}

/** Forgets the changes of a run that no later attempt repeats, so that n8n does not save them with the execution. */
export function forgetChanges(run: RunContext): void {
	delete contextOf(run).changed;
}

// In a loop, each run of the node creates its own records.
function keyOf({ run, index }: Item): string {
	return `${run.runIndex} ${index}`;
}

function fingerprintOf({ api, request: { path, body } }: Item): string {
	return fingerprint({ to: api.address, path, body });
}

interface Context {
	created?: Partial<Record<string, Done>>;
	changed?: Partial<Record<string, Done>>;
}

// n8n's own Agents run a tool without an execution: nothing outlives the call.
function contextOf({ functions }: RunContext): Context {
	try {
		return functions.getContext('node');
	} catch {
		return {};
	}
}

// Every create answers with a record.
function recordOf({ run }: Item): RecordType {
	return run.prepared.operation.record as RecordType;
}
