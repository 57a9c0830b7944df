import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { Failure, asFailure, shortened, toItemJson, toNodeError } from '../../shared/failure';
import type { KeyedLock, Stop } from '../../shared/limiter';
import { Cancelled } from '../../shared/transport';
import { isWriting, type Operation } from '../actions/operation';
import type { ItemParameters, Parameter, ReadItem } from '../input/readInput';

/** An operation, prepared once for all runs. */
export interface Task {
	operation: Operation;
	read(given: ItemParameters): ReadItem;
	/** The parameters that are sent in the body. */
	bodyFields: Parameter[];
}

/** What an item may know of its run. */
export interface Work {
	task: Task;
	functions: IExecuteFunctions | IExecutePaginationFunctions;
	/** The indexes of the input items in n8n. */
	items: number[];
	summary: RunSummary;
	/** Once stopped, no request is sent. Requests in flight are finished, unless n8n cancels the run. */
	stop: Stop;
	/** By community: creates are sent one after another, in the order of the items. */
	creates: KeyedLock;
	isTool: boolean;
	/** Whether a failed record becomes a failed item instead of ending the run. */
	isContinuing: boolean;
	/** How often n8n ran the node in this execution before, as in a loop; a try of "Retry On Fail" does not count. */
	runIndex: number;
}

/** What a run did: its items add to it, and what the user is told of the run is read from it. */
export class RunSummary {
	/** Items that changed something. */
	applied = 0;
	/** Failed items that may have changed something. */
	uncertain = 0;
	/** Items whose listing ended at its limit although there may be more records. */
	atLimit = 0;
	listings = 0;
	empty = 0;
	/** Items that asked for the same list as one before. */
	repeated = 0;
	/** Items of a dry run, by action. */
	readonly planned = { create: 0, update: 0, none: 0 };
	/** Labels of fields that a dry run would set and the API does not show. */
	readonly notShown = new Set<string>();
	/** Items for which "Skip Unchanged" sent nothing. */
	unchanged = 0;
	hadTheRole = 0;
	/** How the role of the API key's owner changed, by names of roles. */
	ownRole?: { from: string; to: string };
	readonly ofOperation = new Set<string>();
	/** Labels of fields that an update did not set, because their expressions had no result. */
	readonly gaveNothing = new Set<string>();
	/** Labels of fields that an update may have cleared, because the API does not show them. */
	readonly cleared = new Set<string>();
	/** For each API, a sentence about retries and pauses, if there were any. */
	readonly throttled: Array<string | undefined> = [];
	/** How many members were read because of their email addresses. */
	searched = 0;

	/** The hints beside the output: what happened and what to do; none if there is nothing to report. */
	hints(total: number, operation: Operation): string[] {
		const { notShown, ownRole, gaveNothing, cleared } = this;
		const { create, update, none } = this.planned;
		const planned = create + update + none;
		const owner = ({ from, to }: NonNullable<RunSummary['ownRole']>) =>
			asText(planned ? `'${from}' would become '${to}'` : `it was '${from}' and is now '${to}'`);
		const lost = planned ? 'would be cleared if they are set' : 'may have been cleared';
		return [
			...this.throttled,
			this.atLimit > 0 && "There may be more than 'Limit' allows: raise it to get more.",
			this.listings > 0 &&
				this.empty === this.listings &&
				'Nothing was found: there is none, or none that fits what was asked for.',
			this.repeated > 0 &&
				"Several items asked for the same list, so the output holds it for each of them. To get it once, open Settings and turn on 'Execute Once'.",
			planned ? this.plannedInWords(total) : this.appliedInWords(total, operation),
			ownRole && `The owner of this API key is among those whose role changes: ${owner(ownRole)}.`,
			notShown.size > 0 &&
				`The API does not show ${quotedList(notShown)}: the current value is not known, and "from" is null.`,
			this.searched > 0 &&
				`${this.searched} members were read to look for email addresses, because the API has no search by them. A later run finds at once who was seen.`,
			...this.ofOperation,
			gaveNothing.size > 0 &&
				`The expression in ${quotedList(gaveNothing)} gave nothing for at least one item, so the node did not set it there: the field is empty in the input, or has another name.`,
			cleared.size > 0 &&
				`${quotedList(cleared)} ${lost}: the API does not show them, so the node cannot keep them. Give them as well to set them.`,
		].filter((hint) => typeof hint === 'string');
	}

	private appliedInWords(total: number, { upsertOf, request }: Operation): string | undefined {
		const { applied, unchanged, hadTheRole } = this;
		if (total === 1 && unchanged === 1) return 'It needed no change: nothing was sent.';
		if (total === 1 || applied + unchanged === 0) return undefined;
		const same = unchanged > 0 ? ` ${unchanged} needed no change.` : '';
		const had = hadTheRole > 0 ? ` ${hadTheRole} had the role already.` : '';
		const created = request.method === 'POST' ? 'created' : 'updated';
		const done = upsertOf ? 'created or updated' : created;
		return `${applied - hadTheRole} of ${total} ${done}.${same}${had}`;
	}

	private plannedInWords(total: number): string {
		const { create, update } = this.planned;
		const parts: string[] = [];
		if (create > 0) parts.push(`${create} of ${total} would be created`);
		if (create === 0) parts.push(`${update} of ${total} would be updated`);
		else if (update > 0) parts.push(`${update} would be updated`);
		return `Dry run: nothing was changed. ${parts.join(', ')}.`;
	}
}

const TO_GET_THE_OTHERS =
	"To get the others, open Settings and set 'On Error' to 'Continue (using error output)'.";

/** Collects the output of a run's items in their order. */
export class Results {
	private readonly outputs: Array<INodeExecutionData[] | undefined> = [];
	private readonly failedItems = new Set<INodeExecutionData>();
	private failed?: { at: number; error: unknown; isUncertain: boolean };

	constructor(private readonly run: Work) {}

	/** Adds the records of an item, with a Failure in place of each that failed. */
	give(at: number, records: Array<IDataObject | Failure>, hasChanged: boolean): void {
		if (hasChanged) this.run.summary.applied++;
		this.outputs[at] = records.map((record) =>
			record instanceof Failure ? this.failedItem(at, record) : this.outputOf(at, record),
		);
	}

	/** Adds the failure of an item; stops the run if the node is set to stop. `isUncertain`: it may have changed something. */
	fail(at: number, error: unknown, isUncertain = false): void {
		const { isContinuing, isTool, task, summary } = this.run;
		if (isUncertain) summary.uncertain++;
		// Cancelled, or stopped by the failure of another item, which will be thrown.
		if (error instanceof Cancelled) return;
		// Of a tool that throws, n8n makes each try of "Retry On Fail" a run of its own, which would create the record again.
		const isLostCreate = isUncertain && task.operation.request.method === 'POST';
		if (isContinuing || (isTool && isLostCreate)) {
			this.outputs[at] = [this.failedItem(at, asFailure(error))];
			return;
		}
		this.run.stop.stop();
		if (!this.failed || at < this.failed.at) this.failed = { at, error, isUncertain };
	}

	/**
	 * @param hints for a model, which sees only items; each is paired with the last one, because n8n requires a pairing
	 * @returns the items of the output, in the order of the input (docs/decisions.md, E6)
	 * @throws NodeApiError, or n8n's own error, for the first item that failed, if the node is set to stop
	 */
	output(hints: string[]): INodeExecutionData[] {
		const { functions, items, isTool } = this.run;
		if (this.failed) {
			const { error, at, isUncertain } = this.failed;
			const { concernsEveryItem } = asFailure(error).details;
			throw toNodeError(error, functions.getNode(), items[at], {
				changed: this.whatChanged(isUncertain, concernsEveryItem),
				isNamed: items.length > 1 && !(concernsEveryItem && this.outputs.length === 0),
				isTool,
			});
		}
		const told = isTool ? hints.map((hint) => this.outputOf(items.length - 1, { hint })) : [];
		return [...this.outputs.flatMap((each) => each ?? []), ...told];
	}

	/** The hint about failed items, because n8n's table shows the reasons only in its last columns; empty if there are none. */
	hintOfFailed(output: INodeExecutionData[]): string {
		const { functions, task, summary } = this.run;
		const failed = output.filter((item) => this.failedItems.has(item));
		if (failed.length === 0) return '';
		const isApart = functions.getNode().onError === 'continueErrorOutput';
		const where = isApart ? 'see the Error Branch' : 'see the column error';
		const reason = shortened(asText(String(failed[0].json.error))).replace(/\.$/, '');
		const isUnchanged = isWriting(task.operation) && summary.uncertain === 0;
		const items = output.length === 1 ? 'item' : 'items';
		return [
			`${failed.length} of ${output.length} ${items} failed: ${where}. The first reason: ${reason}.`,
			// Only a dry run goes on all the same.
			!functions.continueOnFail() && `A real run would stop there. ${TO_GET_THE_OTHERS}`,
			functions.continueOnFail() && isUnchanged && 'Nothing was changed for them.',
		]
			.filter(Boolean)
			.join(' ');
	}

	/** What was changed by the time a failure ended the run: "nothing" only if every answer was a refusal. */
	private whatChanged(isUncertain: boolean, concernsEveryItem?: boolean): string[] {
		const { items, task, summary } = this.run;
		if (!isWriting(task.operation)) return [];
		const { applied, uncertain } = summary;
		const others = uncertain - Number(isUncertain);
		const hasRest = applied + others < items.length - 1;
		const isUnchanged = applied === 0 && uncertain === 0;
		return [
			isUnchanged && 'Nothing was changed.',
			applied > 0 && `Items already applied: ${applied}.`,
			others > 0 && `Items that may have been applied as well: ${others}.`,
			hasRest && !isUnchanged && 'The rest was not carried out.',
			hasRest && !concernsEveryItem && TO_GET_THE_OTHERS,
		].filter((sentence) => typeof sentence === 'string');
	}

	private failedItem(at: number, failure: Failure): INodeExecutionData {
		const item = this.outputOf(at, toItemJson(failure, this.run.functions));
		this.failedItems.add(item);
		return item;
	}

	private outputOf(at: number, json: IDataObject): INodeExecutionData {
		return { json, pairedItem: { item: this.run.items[at] } };
	}
}

/** A text for a hint: n8n shows hints as HTML, and what the API gave may hold any sign. */
function asText(given: string): string {
	return given.replace(/[<>&]/g, ' ');
}

function quotedList(labels: Set<string>): string {
	return [...labels].map((label) => `'${label}'`).join(', ');
}
