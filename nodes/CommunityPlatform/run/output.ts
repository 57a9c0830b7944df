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
import { toToolError } from '../tool/result';
import type { Records } from './item';
import type { Run } from './run';
import { changedItems, doneFor } from './tries';

const FOR_THE_OTHERS =
	"To process the other items, open Settings and set 'On Error' to 'Continue (using error output)'.";

const LEAVE_OUT = "To skip members who are not found, add the option 'If Not Found'.";

/** The output of a run: what became of each item, in the order of the input. */
export class Output {
	private readonly outputs: Array<INodeExecutionData[] | undefined> = [];
	private readonly failedItems = new Set<INodeExecutionData>();
	/** Whether an item failed because nobody has the name of its member. */
	private hasUnknownMember = false;
	/** The first item that failed, if a failure ends the run. */
	private failed?: { at: number; error: unknown };

	constructor(private readonly run: Run) {}

	/** Adds the records of an item. */
	add(at: number, records: Records): void {
		this.outputs[at] = records.map((record) =>
			record instanceof Failure ? this.failedItem(at, record) : itemOf(at, record),
		);
	}

	/** Adds the failure of an item. If set to stop, it ends the run. */
	fail(at: number, error: unknown): void {
		const { isContinuing, isTool, prepared, cancellation } = this.run;
		// Cancelled, or stopped by the failure of another item, which will be thrown.
		if (error instanceof Cancelled) return;
		// If a tool throws, n8n makes each try of "Retry On Fail" a separate run, which would create the record again.
		const { isUncertain } = asFailure(error).details;
		const isLostCreate = isUncertain && prepared.operation.effect === 'creates';
		if (isContinuing || (isTool && isLostCreate)) {
			this.outputs[at] = [this.failedItem(at, asFailure(error))];
			return;
		}
		cancellation.cancel();
		if (!this.failed || at < this.failed.at) this.failed = { at, error };
	}

	/**
	 * @returns the items of the output, in the order of the input (docs/decisions.md, E6)
	 * @throws NodeApiError, or n8n's own error, for the first item that failed, if the node is set to stop
	 */
	items(): INodeExecutionData[] {
		if (this.failed) throw this.errorOf(this.failed);
		const all = this.outputs.flatMap((each) => each ?? []);
		// A table needs the same columns for each of them.
		if (this.run.prepared.operation.acknowledged?.member)
			fillKeys(all.filter((item) => !this.failedItems.has(item)));
		return all;
	}

	/** The hint about failed items, because n8n's table shows reasons only in its last columns. */
	hintOfFailed(items: INodeExecutionData[]): string[] {
		const { functions, prepared } = this.run;
		const failed = items.filter((item) => this.failedItems.has(item));
		if (failed.length === 0) return [];
		const text = this.textOfFailed(failed, items.length);
		if (functions.continueOnFail()) {
			const isUnchanged =
				isWriting(prepared.operation) &&
				!failed.some((item) => doneFor(this.run, positionOf(item)));
			return [sentences(text, isUnchanged ? 'These items changed nothing.' : undefined)];
		}
		// Only a dry run continues anyway.
		const isLeftOut = prepared.operation.leavesOut && this.hasUnknownMember;
		const stops = "Without 'Dry Run', the node would stop there.";
		const rest = failed.length < items.length ? FOR_THE_OTHERS : undefined;
		return [sentences(text, stops, isLeftOut ? LEAVE_OUT : undefined, rest)];
	}

	private textOfFailed(failed: INodeExecutionData[], returned: number): string {
		const { functions, prepared, count } = this.run;
		const isApart = functions.getNode().onError === 'continueErrorOutput';
		const where = isApart ? 'See the Error Branch' : "See the column 'error'";
		const reason = shortened(withoutMarkup(String(failed[0].json.error))).replace(/\.$/, '');
		// Items that changed nothing may be left out.
		const total = isWriting(prepared.operation) ? count : returned;
		const noun = total === 1 ? 'item' : 'items';
		return `${failed.length} of ${total} ${noun} failed. ${where}. First reason: ${reason}.`;
	}

	private errorOf({ at, error }: NonNullable<Output['failed']>): Error {
		const { functions, count, isTool } = this.run;
		const { concernsEveryItem } = asFailure(error).details;
		const form = {
			changed: this.whatChanged(at, concernsEveryItem),
			isNamed: count > 1 && !(concernsEveryItem && this.outputs.length === 0),
			isOnly: count === 1,
		};
		return (isTool ? toToolError : toNodeError)(error, functions.getNode(), at, form);
	}

	/** What the tries of this execution changed before a failure ended the run. "Nothing" only if all answers were refusals. */
	private whatChanged(failedAt: number, concernsEveryItem?: boolean): string[] {
		const { count, prepared } = this.run;
		if (!isWriting(prepared.operation)) return [];
		const { certain, uncertain } = changedItems(this.run);
		const others = [...uncertain].filter((at) => at !== failedAt).length;
		// Items that needed no change are also done.
		const done = this.outputs.filter((each) => each !== undefined).length;
		const hasRest = done + others < count - 1;
		const isUnchanged = certain.size + uncertain.size === 0;
		return [
			isUnchanged && NOTHING_CHANGED,
			certain.size > 0 && `Items already applied: ${certain.size}.`,
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
		const row = { change: failure.message, action: 'fail', dry_run: true, ...json };
		const item = itemOf(at, isRow ? row : json);
		this.failedItems.add(item);
		return item;
	}
}

function positionOf({ pairedItem }: INodeExecutionData): number {
	return (pairedItem as { item: number }).item;
}

/** Makes n8n's item of a record. */
export function itemOf(at: number, json: IDataObject): INodeExecutionData {
	return { json, pairedItem: { item: at } };
}

/** Gives all items the same fields, null where one has no value. */
function fillKeys(items: INodeExecutionData[]): void {
	const keys = new Set<string>();
	for (const { json } of items) for (const key of Object.keys(json)) keys.add(key);
	for (const item of items) {
		if (Object.keys(item.json).length === keys.size) continue;
		item.json = Object.fromEntries([...keys].map((key) => [key, item.json[key] ?? null]));
	}
}
