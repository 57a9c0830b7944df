import type { IDataObject } from 'n8n-workflow';
import { Failure, isGone } from '../../shared/failure';
import { untilCancelled, type Cancellation } from '../../shared/async/cancel';
import { recordLocks, type Lock } from '../../shared/async/lock';
import { user } from '../../shared/records/types';
import { trimmed } from '../../shared/text';
import { Cancelled, READ } from '../../shared/transport';
import type { Api, ApiRequest, Expected, HttpAnswer } from '../../shared/transport';
import { badValue } from '../../shared/values';
import type { Input } from '../actions/field';
import { toNumberIfExact } from '../input/identifiers';
import type { Draft } from '../input/reading';
import type { Community } from '../people/community';
import type { Names } from '../people/listed';
import type { Prepared, Run } from './run';
import { isWrittenSince, noteWrite } from './writes';

/** The records of an item, with a Failure instead of each that failed. */
export type Records = Array<IDataObject | Failure>;

/** How an operation is carried out for one item. */
export type Strategy = (item: Item) => Promise<Records>;

/** One of n8n's items on its way: its input, its community, and the requests that it sends. */
export class Item {
	readonly input: Input;
	readonly api: Api;
	/** The address by which its member was named. */
	readonly email?: string;
	/** What names its member, if it is not the ID. */
	readonly memberName?: string;
	roleNames?: Names;
	/** What it has changed so far. `unknown`: an answer was lost; `before`: an earlier try of the execution did it. */
	done: 'none' | 'unknown' | 'made' | 'before' = 'none';
	/** A change that an earlier try sent and whose answer was lost, with the item that it would have had. */
	lost?: { json?: IDataObject };
	private readonly locks: Lock[] = [];
	private built?: ApiRequest;
	private ownKey?: string;

	constructor(
		readonly run: Run,
		/** The position among n8n's input items. */
		readonly index: number,
		readonly draft: Draft,
		readonly community: Community,
	) {
		this.input = draft.input;
		this.api = community.api;
		const references = draft.lookUps.flatMap(({ lookUp }) => lookUp.references);
		for (const each of references) community.seek(each);
		const named = references.find(({ kind, by }) => kind === 'user' && by !== 'id');
		this.memberName = named?.text;
		this.email = named?.by === 'email' ? named.text : undefined;
	}

	/** The request of the operation. Throws a Failure if an ID in the path has no value. */
	get request(): ApiRequest {
		return (this.built ??= requestOf(this.run.prepared, this.input));
	}

	get isDryRun(): boolean {
		return this.input.values.dryRun === true;
	}

	get skipsUnchanged(): boolean {
		const { skipUnchanged, onlyChanged } = this.input.values;
		return skipUnchanged === true || onlyChanged === true;
	}

	/** Whether the current record has to be read first. A model gets the values that were replaced, to restore them. */
	get needsRecord(): boolean {
		return this.isDryRun || this.skipsUnchanged || this.run.isTool;
	}

	get hasChanged(): boolean {
		return this.done === 'made' || this.done === 'before';
	}

	/** The IDs of the record, for answers without one. */
	get identifiers(): IDataObject {
		const { operation, target } = this.run.prepared;
		const ofItem = operation.acknowledged?.identifiers?.(this.input);
		if (ofItem || !target?.idField) return ofItem ?? {};
		const id = this.input.values[target.field.name];
		const named = target.idField === 'msid' && this.email !== undefined;
		const email = named && (this.community.people.seen(id).record?.email ?? this.email);
		return { [target.idField]: toNumberIfExact(id), ...(named && { email }) };
	}

	/** Sends a request, see `call`. Throws an Error if a dry run is about to change something. */
	async send(request: ApiRequest, cancelled?: Cancellation): Promise<HttpAnswer> {
		if (request.effect === 'reads') return await this.api.send(request, cancelled);
		if (this.isDryRun) throw new Error('A dry run must not change anything');
		const sending = this.api.send(request, cancelled);
		const answer = await sending.catch((error: unknown) => {
			const failure = error instanceof Cancelled ? error.cause : error;
			// Anything but a Failure was thrown after an answer came.
			const isUncertain = failure instanceof Failure ? failure.details.isUncertain : failure;
			if (isUncertain && !this.hasChanged) this.done = 'unknown';
			if (isUncertain) noteWrite(this.keyIn(request.path));
			throw error;
		});
		noteWrite(this.keyIn(request.path));
		if (this.done !== 'before') this.done = 'made';
		return answer;
	}

	/** Reads a record, by default the one in this item's request. `call` checks that it is the expected one. */
	async fetch(
		expects: Expected,
		{ path, identifiers }: Pick<ApiRequest, 'path' | 'identifiers'> = this.request,
		cancelled?: Cancellation,
	): Promise<IDataObject> {
		const request = { ...READ, path, identifiers, expects };
		return (await this.send(request, cancelled)).body as IDataObject;
	}

	/** Whether the API has no such member. Only a read shows it, because a change that answers 404 may miss another record. */
	async isMissing(msid: string): Promise<boolean> {
		const path = `/users/${encodeURIComponent(msid)}`;
		return await this.fetch({ record: user, id: msid }, { path }).then(() => false, isGone);
	}

	/** Requests the lock of creates: of the same record, or else of all in this run, which keeps the order of the items. */
	lockCreates(): Lock {
		const id = this.run.prepared.operation.createsOne?.(this.input);
		if (id !== undefined) return this.lockRecord({ kind: 'new', id });
		return this.track(this.run.creates.acquire(this.api.address));
	}

	/** Requests the lock of a record, by default the one in the path. Synchronous, so it keeps the order of the calls. */
	lockRecord(record?: RecordKey): Lock {
		return this.track(recordLocks.acquire(record ? this.keyOf(record) : this.key));
	}

	/** The key of the lock of the record in the path. */
	get key(): string {
		return (this.ownKey ??= this.keyOf(recordIn(this.request.path)));
	}

	/** The key of a record's lock. */
	keyOf({ kind, id }: RecordKey): string {
		return `${this.api.address} ${kind} ${id}`;
	}

	/** Whether this process has changed the record in the path after a time (by `performance.now`). */
	isWrittenSince(time: number): boolean {
		return isWrittenSince(this.key, time);
	}

	/**
	 * Waits for a lock. Undefined if it is held already, because promises are costly in runs of thousands of items. Rejects
	 * with Cancelled if the run is cancelled before.
	 */
	waitFor({ ready }: Lock): Promise<void> | undefined {
		return ready && this.untilHeld(ready);
	}

	private async untilHeld(ready: Promise<void>): Promise<void> {
		const { cancellation } = this.api;
		await untilCancelled(ready, cancellation);
		if (cancellation.isCancelled) throw new Cancelled();
	}

	releaseLocks(): void {
		for (const lock of this.locks) lock.release();
	}

	private keyIn(path: string): string {
		return path === this.request.path ? this.key : this.keyOf(recordIn(path));
	}

	private track(lock: Lock): Lock {
		this.locks.push(lock);
		return lock;
	}
}

interface RecordKey {
	kind: string;
	id: string;
}

/** The kind and the ID of the record that a path names: of an msid the user_id, which every form of a member has. */
export function recordIn(path: string): RecordKey {
	const [, kind = '', id = ''] = /^\/([^/]*)\/?([^/.]*)/.exec(path) ?? [];
	return { kind, id };
}

function requestOf({ operation, target, formats }: Prepared, input: Input): ApiRequest {
	const { request, effect, record, strategy, adviceIfTaken } = operation;
	const { values, body, qs, sendLabels, identifiers } = input;
	const id = target && trimmed(values[target.field.name]);
	const ofRecord: Expected = record ? { record, id } : 'acknowledgement';
	return {
		method: request.method,
		effect,
		path: filledPath(request.url, input),
		// Assigning is many times faster in V8 than spreading into a literal, and a batch has thousands of requests.
		body: request.body ? Object.assign({}, request.body, body) : body,
		qs,
		expects: record && strategy?.name === 'listing' ? { list: record } : ofRecord,
		labels: sendLabels,
		formats,
		identifiers,
		adviceIfTaken,
	};
}

/**
 * Fills in the IDs of a path, e.g. `/tags/{tagId}`. An empty ID is refused, because it would lead to another endpoint,
 * such as the list `/users/`.
 */
function filledPath(template: string, { values, labels }: Input): string {
	return template.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
		const segment = trimmed(values[name]);
		if (['', 'undefined', 'null', 'NaN'].includes(segment)) {
			throw badValue(labels[name], 'is empty', `Enter a value in '${labels[name]}'.`);
		}
		// An msid has a dot and possibly more. It stays one segment of the path.
		return encodeURIComponent(segment);
	});
}
