import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import {
	Cancelled,
	Failure,
	asFailure,
	shortened,
	toItemJson,
	toNodeError,
} from '../../shared/transport';
import { asText } from './hints';
import type { Work } from './task';

/** Collects the output of a run's items in their order. */
export class Results {
	/** How many items changed something, and how many failed ones may have. */
	readonly progress = { applied: 0, uncertain: 0 };
	private readonly outputs: Array<INodeExecutionData[] | undefined> = [];
	private readonly failedItems = new Set<INodeExecutionData>();
	private failed?: { at: number; error: unknown; isUncertain: boolean };

	constructor(private readonly run: Work) {}

	/** Adds the records of an item, with a Failure in place of each that failed. */
	give(at: number, records: Array<IDataObject | Failure>, hasChanged: boolean): void {
		if (hasChanged) this.progress.applied++;
		this.outputs[at] = records.map((record) =>
			record instanceof Failure ? this.failedItem(at, record) : this.outputOf(at, record),
		);
	}

	/** Adds the failure of an item; stops the run if the node is set to stop. `isUncertain`: it may have changed something. */
	fail(at: number, error: unknown, isUncertain = false): void {
		if (isUncertain) this.progress.uncertain++;
		// Cancelled, or stopped by the failure of another item, which will be thrown.
		if (error instanceof Cancelled) return;
		const { isContinuing, isTool, task } = this.run;
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
		const { functions, items, isTool, task } = this.run;
		if (this.failed) {
			const { error, at, isUncertain } = this.failed;
			const uncertain = this.progress.uncertain - Number(isUncertain);
			const progress = { ...this.progress, uncertain, isUncertain, total: items.length };
			const { concernsEveryItem } = asFailure(error).details;
			throw toNodeError(error, functions.getNode(), items[at], {
				...(task.isWriting && { progress }),
				isNamed: items.length > 1 && !(concernsEveryItem && this.outputs.length === 0),
				isTool,
			});
		}
		const told = isTool ? hints.map((hint) => this.outputOf(items.length - 1, { hint })) : [];
		return [...this.outputs.flatMap((each) => each ?? []), ...told];
	}

	// Beside the output, because n8n's table shows the reasons only in its last columns.
	hintOfFailed(output: INodeExecutionData[]): string[] {
		const first = output.find((item) => this.failedItems.has(item));
		if (first === undefined) return [];
		const { functions, task } = this.run;
		const items = output.length === 1 ? 'item' : 'items';
		const isApart = functions.getNode().onError === 'continueErrorOutput';
		const where = isApart ? 'see the Error Branch' : 'see the column error';
		const reason = shortened(asText(String(first.json.error))).replace(/\.$/, '');
		const isUnchanged = task.isWriting && this.progress.uncertain === 0;
		const changed = isUnchanged ? ' Nothing was changed for them.' : '';
		return [
			`${this.failedItems.size} of ${output.length} ${items} failed: ${where}. The first reason: ${reason}.${changed}`,
		];
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
