import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { HttpAnswer } from '../../shared/transport/answer';
import type { Api, CallingFunctions } from '../../shared/transport';
import { Stopped, addressKey, call } from '../../shared/transport';
import type { Failure } from '../../shared/transport/failure';
import type { ApiRequest } from '../../shared/transport/request';
import type { Stop, Lock } from '../../shared/limiter';
import { KeyedLock, untilStopped } from '../../shared/limiter';
import type { Input } from '../input/input';
import type { Operation } from '../actions/operation';
import type { Caller } from './caller';
import type { Notes } from './hints';
import type { RoleNames } from './roleNames';

// One for the process: whichever run writes a record.
const locks = new KeyedLock();

/** An item that is ready to be sent: input complete and checked, credential read. */
export interface PreparedItem {
	input: Input;
	/** What the user has set under "Request Options". */
	http: Partial<IHttpRequestOptions>;
	api: Api;
	/** Set if the output has names of roles. */
	roleNames?: RoleNames;
}

/** What the items of one run share. */
export interface Shared {
	functions: CallingFunctions;
	/** One lock for each community: creates are sent one after another, in the order of the items. */
	creates: KeyedLock;
	notes: Notes;
	/** Whether the node goes on after a failure. */
	isContinuing: boolean;
}

/** What a strategy gets of one item: its request, and what it needs to send it. */
export class ItemContext implements Caller {
	private readonly locks: Lock[] = [];
	private isApplied = false;

	/** @param request the operation's request with the item's parameters */
	constructor(
		private readonly shared: Shared,
		readonly operation: Operation,
		private readonly item: PreparedItem,
		readonly request: ApiRequest,
	) {}

	get api(): Api {
		return this.item.api;
	}

	get input(): Input {
		return this.item.input;
	}

	get roleNames(): RoleNames | undefined {
		return this.item.roleNames;
	}

	/** Whether to show what would change instead of changing it. */
	get isDryRun(): boolean {
		return this.input.values.dryRun === true;
	}

	/** Whether to send only what differs. */
	get skipsUnchanged(): boolean {
		return this.input.values.skipUnchanged === true;
	}

	/** Whether the present record has to be read first. */
	get isCompared(): boolean {
		return this.isDryRun || this.skipsUnchanged;
	}

	/** Whether something was changed for this item. */
	get hasChanged(): boolean {
		return this.isApplied;
	}

	/** What the hints after the run rest on. */
	get notes(): Notes {
		return this.shared.notes;
	}

	/** Whether a failed record becomes a failed item instead of ending the run. */
	get isContinuing(): boolean {
		return this.shared.isContinuing;
	}

	/**
	 * Sends a request for this item, see {@link call}.
	 *
	 * @throws Error when a dry run is about to change something
	 */
	async send(request: ApiRequest, withdrawn?: Stop): Promise<HttpAnswer> {
		const isWrite = request.repeat !== 'safe';
		if (isWrite && this.isDryRun) throw new Error('A dry run sends nothing that changes anything');
		const answer = await call(this.shared.functions, this.api, request, this.item.http, withdrawn);
		this.isApplied ||= isWrite;
		return answer;
	}

	/** Notes that a request without an answer was carried out. */
	noteApplied(): void {
		this.isApplied = true;
	}

	/** Asks for the lock of this run's creates, which keeps the order of the items. */
	lockCreates(): Lock {
		return this.keep(this.shared.creates.acquire(this.api.baseUrl));
	}

	/** Asks for the lock of one record of the API, so that writes to it never overlap. */
	lockRecord(record: string): Lock {
		return this.keep(locks.acquire(`${addressKey(this.api.baseUrl)} ${record}`));
	}

	/**
	 * Waits until a lock is held.
	 *
	 * @throws Stopped when the run is stopped first
	 */
	async waitFor(lock: Lock): Promise<void> {
		if (lock.ready) await untilStopped(lock.ready, this.api.stop);
		if (this.api.stop.isStopped) throw new Stopped();
	}

	/** Releases all locks of this item, so that the items behind it continue. */
	releaseLocks(): void {
		for (const lock of this.locks) lock.release();
	}

	private keep(lock: Lock): Lock {
		this.locks.push(lock);
		return lock;
	}
}

/** How the requests of an operation are sent. */
export interface Strategy {
	/** The strategy for one run, where its items share something. */
	forRun?(items: ReadonlyArray<PreparedItem | undefined>): Strategy;
	/** Checks what this strategy needs, before anything is sent; throws a Failure. */
	check?(operation: Operation, input: Input): void;
	/** Carries out the operation; gives the item's records, with a Failure in place of each that failed. */
	send(item: ItemContext): Promise<Array<IDataObject | Failure>>;
}
