import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import {
	Failure,
	NOTHING_CHANGED,
	asFailure,
	isGone,
	sentences,
	shortened,
	toItemJson,
	toNodeError,
} from '../../shared/failure';
import { withoutMarkup } from '../../shared/text';
import { Cancelled } from '../../shared/transport';
import { isWriting } from '../actions/operation';
import { hintsForModel, toToolError } from '../tool/output';
import type { RunContext } from './context';

const FOR_THE_OTHERS =
	"To process the other items, open Settings and set 'On Error' to 'Continue (using error output)'.";

const LEAVE_OUT = "To leave out members who are not found, add the option 'If Not Found'.";

/** Collects the output of a run's items in their order. */
export class Results {
	private readonly outputs: Array<INodeExecutionData[] | undefined> = [];
	private readonly failedItems = new Set<INodeExecutionData>();
	/** Whether an item failed because nobody has the name of its member. */
	private hasUnknownMember = false;
	private failed?: { at: number; error: unknown; isUncertain: boolean };

	constructor(private readonly run: RunContext) {}

	/** Adds the records of an item, with a Failure instead of each that failed. */
	give(at: number, records: Array<IDataObject | Failure>, hasChanged: boolean): void {
		if (hasChanged) this.run.summary.applied++;
		this.outputs[at] = records.map((record) =>
			record instanceof Failure ? this.failedItem(at, record) : this.outputOf(at, record),
		);
	}

	/** Adds the failure of an item. If set to stop, it ends the run. `isUncertain`: it may have changed something. */
	fail(at: number, error: unknown, isUncertain = false): void {
		const { isContinuing, isTool, prepared, summary } = this.run;
		if (isUncertain) summary.uncertain++;
		// Cancelled, or stopped by the failure of another item, which will be thrown.
		if (error instanceof Cancelled) return;
		// If a tool throws, n8n makes each attempt of "Retry On Fail" a separate run, which would create the record again.
		const isLostCreate = isUncertain && prepared.operation.request.method === 'POST';
		if (isContinuing || (isTool && isLostCreate)) {
			this.outputs[at] = [this.failedItem(at, asFailure(error))];
			return;
		}
		this.run.cancellation.cancel();
		if (!this.failed || at < this.failed.at) this.failed = { at, error, isUncertain };
	}

	/**
	 * @param hints for a model, which sees only items; each is paired with the last item, because n8n requires that
	 * @returns the items of the output, in the order of the input (docs/decisions.md, E6)
	 * @throws NodeApiError, or n8n's own error, for the first item that failed, if the node is set to stop
	 */
	output(hints: string[]): INodeExecutionData[] {
		const { functions, count, isTool } = this.run;
		if (this.failed) {
			const { error, at, isUncertain } = this.failed;
			const { concernsEveryItem } = asFailure(error).details;
			const form = {
				changed: this.whatChanged(isUncertain, concernsEveryItem),
				isNamed: count > 1 && !(concernsEveryItem && this.outputs.length === 0),
				isOnly: count === 1,
			};
			const toError = isTool ? toToolError : toNodeError;
			throw toError(error, functions.getNode(), at, form);
		}
		const all = this.outputs.flatMap((each) => each ?? []);
		// A table needs the same columns for each of them.
		if (this.run.prepared.operation.acknowledged?.member)
			fillKeys(all.filter((item) => !this.failedItems.has(item)));
		if (!isTool) return all;
		const shown = hintsForModel(hints, this.run.summary, count);
		return [...all, ...shown.map((hint) => this.outputOf(count - 1, { hint }))];
	}

	/** The hint about failed items, because n8n's table shows reasons only in its last columns. Empty if none failed. */
	hintOfFailed(output: INodeExecutionData[]): string {
		const { functions, prepared, summary } = this.run;
		const failed = output.filter((item) => this.failedItems.has(item));
		if (failed.length === 0) return '';
		const isApart = functions.getNode().onError === 'continueErrorOutput';
		const where = isApart ? 'See the Error Branch' : "See the column 'error'";
		const reason = shortened(withoutMarkup(String(failed[0].json.error))).replace(/\.$/, '');
		const isUnchanged = isWriting(prepared.operation) && summary.uncertain === 0;
		const items = output.length === 1 ? 'item' : 'items';
		return [
			`${failed.length} of ${output.length} ${items} failed. ${where}. First reason: ${reason}.`,
			// Only a dry run continues anyway.
			!functions.continueOnFail() &&
				sentences(
					"Without 'Dry Run', the node would stop there.",
					prepared.operation.leavesOut && this.hasUnknownMember ? LEAVE_OUT : undefined,
					FOR_THE_OTHERS,
				),
			functions.continueOnFail() && isUnchanged && 'These items changed nothing.',
		]
			.filter(Boolean)
			.join(' ');
	}

	/** What was changed before a failure ended the run. "Nothing" only if every answer was a refusal. */
	private whatChanged(isUncertain: boolean, concernsEveryItem?: boolean): string[] {
		const { count, prepared, summary } = this.run;
		if (!isWriting(prepared.operation)) return [];
		const { applied, uncertain } = summary;
		const others = uncertain - Number(isUncertain);
		// Items that needed no change are also done.
		const done = this.outputs.filter((each) => each !== undefined).length;
		const hasRest = done + others < count - 1;
		const isUnchanged = applied === 0 && uncertain === 0;
		return [
			isUnchanged && NOTHING_CHANGED,
			applied > 0 && `Items already applied: ${applied}.`,
			others > 0 && `Items that may also have been applied: ${others}.`,
			hasRest && !isUnchanged && 'The other items were not processed.',
			hasRest && !concernsEveryItem && FOR_THE_OTHERS,
		].filter((sentence) => typeof sentence === 'string');
	}

	private failedItem(at: number, failure: Failure): INodeExecutionData {
		const { functions } = this.run;
		this.hasUnknownMember ||= failure.details.notFound === 'user' || isGone(failure);
		const json = toItemJson(failure, functions);
		// The same first columns as in the other rows of a dry run.
		const isRow = this.run.isDryRun(at) && functions.getNode().onError !== 'continueErrorOutput';
		const row = { action: 'fail', change: failure.message, dry_run: true, ...json };
		const item = this.outputOf(at, isRow ? row : json);
		this.failedItems.add(item);
		return item;
	}

	private outputOf(at: number, json: IDataObject): INodeExecutionData {
		return { json, pairedItem: { item: at } };
	}
}

/** Gives all items the same fields, null where one has no value. */
function fillKeys(items: INodeExecutionData[]): void {
	const keys = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
	for (const item of items) {
		if (Object.keys(item.json).length === keys.length) continue;
		item.json = Object.fromEntries(keys.map((key) => [key, item.json[key] ?? null]));
	}
}
