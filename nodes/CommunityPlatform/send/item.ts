import type { IDataObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';
import type { HttpAnswer } from '../../shared/answer';
import type { Api, CallingFunctions } from '../../shared/call';
import { call, Stopped } from '../../shared/call';
import type { RecordType } from '../../shared/records';
import type { ApiRequest } from '../../shared/request';
import type { Stop } from '../../shared/stop';
import type { Turn, Turns } from '../../shared/turns';
import { untilStopped } from '../../shared/wait';
import type { Input } from '../input/readInput';
import type { Notes } from './hints';

/** What an operation needs beyond its routing. */
export interface Operation {
	/** Its parameters, as in the description. */
	fields: INodeProperties[];
	/** The kind of record it answers with; absent where the API only acknowledges. */
	record?: RecordType;
	/** The query field whose list is too long for one URL, so that it is asked for in parts. */
	inParts?: string;
	/** Checks that concern several parameters together; throws a Failure. */
	check?(input: Input): void;
	/** What was acted on, for answers that do not name it. */
	identify?(input: Input): IDataObject;
}

/** What the items of one run have in common. */
export interface Shared {
	functions: CallingFunctions;
	api: Api;
	/** Creates go one after another, in the order of the items. */
	creates: Turns;
	notes: Notes;
}

/** One input item on its way to the API, its parameters checked. */
export class Item {
	private readonly turns: Turn[] = [];

	/**
	 * @param shared what it has in common with the other items of its run
	 * @param http what the user has set under "Request Options"
	 * @param request what the operation's routing describes, identifiers filled in
	 */
	constructor(
		private readonly shared: Shared,
		private readonly http: Partial<IHttpRequestOptions>,
		readonly operation: Operation,
		readonly input: Input,
		readonly request: ApiRequest,
	) {}

	get api(): Api {
		return this.shared.api;
	}

	/** What the user is told in the end. */
	get notes(): Notes {
		return this.shared.notes;
	}

	/** Sends a request on behalf of this item, see {@link call}. */
	async send(request: ApiRequest, withdrawn?: Stop): Promise<HttpAnswer> {
		return await call(this.shared.functions, this.api, request, this.http, withdrawn);
	}

	/** Takes a place in the queue of this run's creates, which keep the order of the items. */
	queueToCreate(): Turn {
		return this.keep(this.shared.creates.enter('create'));
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

/** A way of sending: carries out the item's operation and gives the records it becomes. */
export type Way = (item: Item) => Promise<IDataObject[]>;
