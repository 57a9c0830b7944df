import type { IDataObject } from 'n8n-workflow';
import { Failure, asFailure, isGone, type FailureDetails } from '../../shared/failure';
import { identifierOf } from '../../shared/records/identity';
import { withIdentifier } from '../../shared/records/form';
import { fingerprint } from '../../shared/text';
import { Cancelled, READ, isRecord, type HttpAnswer } from '../../shared/transport';
import { toNumberIfExact } from '../input/identifiers';
import type { Item } from './item';
import type { Run } from './run';

/** How the advice of a failure begins if an earlier try did something for the item. */
export const EARLIER_TRY = 'An earlier try';

const LOOK_FIRST =
	"The record may already exist from an earlier try, so the node did not send it again. Look for it in your community. If it is not there, start a new execution with only this item, because 'Retry' does not send it again.";

/** What a try of the execution did for an item. */
interface Done {
	/** The fingerprint of the request. */
	sent: string;
	/** The ID of the record that was created, if the API returned one. */
	id?: string;
	/** The create whose answer was lost. `sentAt` is in milliseconds since 1970. */
	lost?: { message: string; details: FailureDetails; sentAt: number };
	/** The output item of a change that the API only acknowledges. */
	json?: IDataObject;
	/** Whether the answer to a change was lost, so that it may have been made. */
	isUncertain?: boolean;
}

/**
 * Sends the create of an item, once in an execution: with "Retry On Fail" and "Retry", n8n runs a node again for all
 * items. The outcome is kept in its context of the node, which outlives both (docs/decisions.md, E37). Returns the
 * answer, or {@link createdBefore}. Throws a Failure if an earlier try may have created the record.
 */
export async function createOnce(item: Item): Promise<HttpAnswer> {
	const before = await createdBefore(item);
	if (before) return before;
	const { lost } = entryOf(item, 'created') ?? {};
	// This holds for any content, because a text with the time in it differs in each try.
	if (lost) {
		item.done = 'unknown';
		throw new Failure(lost.message, LOOK_FIRST, { ...lost.details, concernsEveryItem: false });
	}
	const sentAt = Date.now();
	const answer = await item.send(item.request).catch((error: unknown) => {
		const { message, details } = asFailure(error instanceof Cancelled ? error.cause : error);
		if (item.done === 'unknown')
			recordEntry(item, 'created', { lost: { message, details, sentAt } });
		throw error;
	});
	const { body } = answer;
	const { record } = item.run.prepared.operation;
	const id = record && isRecord(body) ? identifierOf(body, record) : undefined;
	recordEntry(item, 'created', { id });
	if (record?.compositeId && isRecord(body)) item.community.people.noteCreated(body);
	return answer;
}

/**
 * Returns the record that an earlier try of this execution created for an item, read again. Undefined if none did.
 * If it cannot be found or its ID is not known, returns an acknowledgement.
 */
export async function createdBefore(item: Item): Promise<HttpAnswer | undefined> {
	const known = entryOf(item, 'created');
	if (!known || known.lost || known.sent !== fingerprintOf(item)) return undefined;
	item.done = 'made';
	const { id } = known;
	const { record } = item.run.prepared.operation;
	if (id === undefined || !record) return { statusCode: 204, headers: {}, body: '' };
	const path = `${item.request.path}/${encodeURIComponent(id)}`;
	const expects = { record, id };
	return await item.send({ ...READ, path, expects }).catch((error: unknown) => {
		if (!(error instanceof Failure)) throw error;
		// It may have to be approved first.
		const [idField] = withIdentifier(record, []);
		const body = { success: true, [idField]: toNumberIfExact(id) };
		if (isGone(error)) return { statusCode: 200, headers: {}, body };
		const advice = `${EARLIER_TRY} created record ${id}, so the node did not create it again. ${error.advice}`;
		throw error.with({ advice });
	});
}

/**
 * Returns when an earlier try of this execution sent the create whose answer was lost, so that the record may exist.
 * In milliseconds since 1970, undefined if none was lost.
 */
export function lostAt(item: Item): number | undefined {
	return entryOf(item, 'created')?.lost?.sentAt;
}

/**
 * Returns the change that an earlier try of this execution made, or may have made, for an item. Undefined if it sent none
 * or another one.
 */
export function changedBefore(item: Item): Done | undefined {
	const known = entryOf(item, 'changed');
	return known && known.sent === fingerprintOf(item) ? known : undefined;
}

/** Keeps what an item has changed, so that a later try of this execution tells it, and does not decide it again. */
export function rememberChange(item: Item, json?: IDataObject): void {
	// A create has its own entry.
	const created = entryOf(item, 'created');
	if (created && !created.lost) return;
	const isUncertain = item.done === 'unknown';
	recordEntry(item, 'changed', isUncertain ? { isUncertain, json: item.lost?.json } : { json });
}

/** Forgets the changes of a run that no later try repeats, so that n8n does not save them with the execution. */
export function forgetChanges(run: Run): void {
	delete (run.context as Context).changed;
}

/** The positions of the items that the tries of this execution have changed, and of those that they may have changed. */
export function changedItems(run: Run): { certain: Set<number>; uncertain: Set<number> } {
	const certain = new Set<number>();
	const uncertain = new Set<number>();
	for (const done of Object.values(run.context as Context)) {
		for (const [position, { lost, isUncertain } = {}] of Object.entries(done[run.index] ?? {}))
			(lost || isUncertain ? uncertain : certain).add(Number(position));
	}
	for (const position of certain) uncertain.delete(position);
	return { certain, uncertain };
}

/** What the tries of this execution did for an item. `unknown`: an answer was lost. Undefined if they changed nothing. */
export function doneFor(run: Run, position: number): 'made' | 'unknown' | undefined {
	const kept = Object.values(run.context as Context);
	const all = kept.flatMap((done) => done[run.index]?.[position] ?? []);
	if (all.length === 0) return undefined;
	return all.every(({ lost, isUncertain }) => lost ?? isUncertain) ? 'unknown' : 'made';
}

/**
 * Whether an item has no output if its member does not exist. Not if it has changed something, or may have, because
 * nothing else would tell it.
 */
export function mayLeaveOut({ run, index, input, done }: Item): boolean {
	return input.values.ifNotFound === 'leaveOut' && done === 'none' && !doneFor(run, index);
}

// By run of the node, because in a loop each creates its own records, and by item.
type Context = Partial<
	Record<'created' | 'changed', Partial<Record<number, Partial<Record<number, Done>>>>>
>;

function entryOf({ run, index }: Item, what: keyof Context): Done | undefined {
	return (run.context as Context)[what]?.[run.index]?.[index];
}

function recordEntry(item: Item, what: keyof Context, done: Omit<Done, 'sent'>): void {
	const { run, index } = item;
	const ofRuns = ((run.context as Context)[what] ??= {});
	const ofItems = (ofRuns[run.index] ??= {});
	ofItems[index] = Object.assign({ sent: fingerprintOf(item) }, done);
}

const LONGEST_KEPT = 200;

// A note about a change, which may contain the time, does not make it another one. Only a long request is hashed, because
// a batch has thousands of short ones.
function fingerprintOf({ run, api, request: { path, body = {} } }: Item): string {
	const { remark } = run.prepared;
	const sent = remark && remark in body ? { ...body, [remark]: undefined } : body;
	const text = `${api.address}${path} ${JSON.stringify(sent)}`;
	return text.length > LONGEST_KEPT ? fingerprint(text) : text;
}
