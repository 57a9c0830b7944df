import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { HttpAnswer } from '../../shared/exchange/answer';
import type { Api, CallingFunctions } from '../../shared/api';
import { Stopped, call } from '../../shared/api';
import type { Failure } from '../../shared/failures/failure';
import type { ApiRequest } from '../../shared/exchange/request';
import type { Stop, Lock, KeyedLock } from '../../shared/pacing';
import { untilStopped } from '../../shared/pacing';
import type { Input } from '../operation/input';
import type { Operation } from '../operation/operation';
import type { Caller } from './caller';
import type { Notes } from './hints';
import type { RoleNames } from './roleNames';

/** An item that can be sent: its input complete and checked, its credential read. */
export interface PreparedItem {
	input: Input;
	/** What the user has set under "Request Options". */
	http: Partial<IHttpRequestOptions>;
	api: Api;
	/** Set where the output is to have names of roles. */
	roleNames?: RoleNames;
}

/** What the items of one run have in common. */
export interface Shared {
	functions: CallingFunctions;
	/** Creates are sent one after another in each community, in the order of the items. */
	creates: KeyedLock;
	notes: Notes;
	/** Whether the node goes on after a failure. */
	isContinuing: boolean;
}

/** What a strategy has of one item: its request, and what it needs to send it. */
export class ItemContext implements Caller {
	private readonly turns: Lock[] = [];
	private isApplied = false;

	/**
	 * @param request the operation's, with what the user gave
	 */
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

	/** Whether what is there has to be known before anything is sent. */
	get isCompared(): boolean {
		return this.isDryRun || this.skipsUnchanged;
	}

	/** Whether something was changed for this item. */
	get hasChanged(): boolean {
		return this.isApplied;
	}

	/** What the user is told after the run. */
	get notes(): Notes {
		return this.shared.notes;
	}

	/** Whether a record that fails becomes a failed item, instead of ending the run. */
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

	/** Queues for this run's creates, which keep the order of the items. */
	queueToCreate(): Lock {
		return this.keep(this.shared.creates.acquire(this.api.baseUrl));
	}

	/** Queues for one record of the API; writes to it never overlap. */
	queueToWrite(record: string): Lock {
		return this.keep(this.api.state.turns.acquire(record));
	}

	/**
	 * Waits for a turn.
	 *
	 * @throws Stopped when the run is stopped before
	 */
	async waitFor(turn: Lock): Promise<void> {
		if (turn.ready) await untilStopped(turn.ready, this.api.stop);
		if (this.api.stop.isStopped) throw new Stopped();
	}

	/** Gives up all turns of this item, so that the items behind it go on. */
	leaveTurns(): void {
		for (const turn of this.turns) turn.release();
	}

	private keep(turn: Lock): Lock {
		this.turns.push(turn);
		return turn;
	}
}

/** How the requests of an operation are sent. */
export interface Strategy {
	/** The same for the items of one run, where they have something in common. */
	forRun?(items: ReadonlyArray<PreparedItem | undefined>): Strategy;
	/** Checks what this strategy needs, before anything is sent; throws a Failure. */
	check?(operation: Operation, input: Input): void;
	/** Carries out the operation and gives the records that the item becomes, a Failure in place of one that failed. */
	send(item: ItemContext): Promise<Array<IDataObject | Failure>>;
}
