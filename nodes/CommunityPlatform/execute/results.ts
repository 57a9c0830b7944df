import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Failure, asFailure, toItemJson, toNodeError } from '../../shared/failure';
import { Cancelled } from '../../shared/transport';
import type { Work } from './task';

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
		const { functions, items, isTool, task, summary } = this.run;
		if (this.failed) {
			const { error, at, isUncertain } = this.failed;
			const { concernsEveryItem } = asFailure(error).details;
			const changed = summary.whatChanged(items.length, isUncertain, concernsEveryItem);
			throw toNodeError(error, functions.getNode(), items[at], {
				changed: task.isWriting ? changed : [],
				isNamed: items.length > 1 && !(concernsEveryItem && this.outputs.length === 0),
				isTool,
			});
		}
		const told = isTool ? hints.map((hint) => this.outputOf(items.length - 1, { hint })) : [];
		return [...this.outputs.flatMap((each) => each ?? []), ...told];
	}

	/** The hint about failed items, see {@link RunSummary.hintsOfFailed}. */
	hintsOfFailed(output: INodeExecutionData[]): string[] {
		const { functions, task, summary } = this.run;
		const failed = output.filter((item) => this.failedItems.has(item));
		const reasons = failed.map(({ json }) => String(json.error));
		const isApart = functions.getNode().onError === 'continueErrorOutput';
		return summary.hintsOfFailed(reasons, output.length, isApart, task.isWriting);
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
