import type {
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import type { HttpAnswer } from '../../shared/answer';
import type { Api } from '../../shared/call';
import { call, Stopped } from '../../shared/call';
import type { RecordType } from '../../shared/records';
import type { ApiRequest } from '../../shared/request';
import type { Stop } from '../../shared/stop';
import type { Turn } from '../../shared/turns';
import { untilStopped } from '../../shared/wait';
import type { Input } from '../input/readInput';
import type { Run } from './run';

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

/** One input item on its way to the API, its parameters checked. */
export class Item {
	private readonly turns: Turn[] = [];

	/**
	 * @param functions n8n's functions for this item
	 * @param base HTTP options that n8n computed for the node (proxy, time-out, certificates)
	 * @param request what the operation's routing describes, identifiers filled in
	 */
	constructor(
		private readonly functions: IExecutePaginationFunctions,
		private readonly base: Partial<IHttpRequestOptions>,
		private readonly run: Run,
		readonly api: Api,
		readonly operation: Operation,
		readonly input: Input,
		readonly request: ApiRequest,
	) {}

	/** Sends a request on behalf of this item, see {@link call}. */
	async send(request: ApiRequest, withdrawn?: Stop): Promise<HttpAnswer> {
		return await call(this.functions, this.api, request, this.base, withdrawn);
	}

	/** Takes a place in the queue of this run's creates, which keep the order of the items. */
	queueToCreate(): Turn {
		return this.keep(this.run.turns.enter('create'));
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
		await untilStopped(turn.ready, this.api.stop);
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
