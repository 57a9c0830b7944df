import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { HttpAnswer } from '../../shared/exchange/answer';
import type { Api, CallingFunctions } from '../../shared/api';
import { Stopped, call } from '../../shared/api';
import type { ApiRequest } from '../../shared/exchange/request';
import type { Stop, Turn, Turns } from '../../shared/pacing';
import { untilStopped } from '../../shared/pacing';
import type { Input } from '../operation/readInput';
import type { Operation } from '../operation/operation';
import type { RoleNames } from './directory';
import type { Notes } from './hints';

/** Asks the API on behalf of a run. */
export interface Caller {
	api: Api;
	send(request: ApiRequest, withdrawn?: Stop): Promise<HttpAnswer>;
}

/** An item whose parameters can be used. */
export interface Ready {
	input: Input;
	/** What the user has set under "Request Options". */
	http: Partial<IHttpRequestOptions>;
	/** Set where the items are to name roles. */
	roleNames?: RoleNames;
	/** Set once the item's credential was read. */
	api?: Api;
}

/** What the items of one run have in common. */
export interface Shared {
	functions: CallingFunctions;
	/** Creates go one after another in each community, in the order of the items. */
	creates: Turns;
	notes: Notes;
}

/** One input item on its way to the API, its parameters checked. */
export class Item implements Caller {
	private readonly turns: Turn[] = [];

	/**
	 * @param shared what it has in common with the other items of its run
	 * @param api the one that its credential names
	 * @param request the operation's, with what the user gave
	 */
	constructor(
		private readonly shared: Shared,
		readonly api: Api,
		readonly operation: Operation,
		private readonly ready: Ready,
		readonly request: ApiRequest,
	) {}

	get input(): Input {
		return this.ready.input;
	}

	get roleNames(): RoleNames | undefined {
		return this.ready.roleNames;
	}

	/** What the user is told in the end. */
	get notes(): Notes {
		return this.shared.notes;
	}

	/** Sends a request on behalf of this item, see {@link call}. */
	async send(request: ApiRequest, withdrawn?: Stop): Promise<HttpAnswer> {
		return await call(this.shared.functions, this.api, request, this.ready.http, withdrawn);
	}

	/** Takes a place in the queue of this run's creates, which keep the order of the items. */
	queueToCreate(): Turn {
		return this.keep(this.shared.creates.enter(this.api.baseUrl));
	}

	/** Takes a place in the queue for one record of the API; writes to it never overlap. */
	queueToWrite(record: string): Turn {
		return this.keep(this.api.state.turns.enter(record));
	}

	/**
	 * Waits for a turn.
	 *
	 * @throws Stopped when the run ends before it comes
	 */
	async waitFor(turn: Turn): Promise<void> {
		if (turn.ready) await untilStopped(turn.ready, this.api.stop);
		if (this.api.stop.isStopped) throw new Stopped();
	}

	/** Lets everyone go who waits for this item. */
	leaveTurns(): void {
		for (const turn of this.turns) turn.leave();
	}

	private keep(turn: Turn): Turn {
		this.turns.push(turn);
		return turn;
	}
}

/** A way of sending. */
export interface Way {
	/** Checks before anything is sent what this way needs; throws a Failure. */
	check?(operation: Operation, input: Input): void;
	/** Carries out the item's operation and gives the records it becomes. */
	send(item: Item): Promise<IDataObject[]>;
}
