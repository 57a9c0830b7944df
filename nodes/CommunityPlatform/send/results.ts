import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Stopped } from '../../shared/api';
import { Failure } from '../../shared/failures/failure';
import type { Progress } from '../../shared/failures/raise';
import { asFailure, toItemJson, toNodeApiError } from '../../shared/failures/raise';
import { Stop } from '../../shared/pacing';
import type { FailedItems } from './hints';
import type { Run } from './run';

/** Gathers what the items of a run become, in their order, and stops the run at a failure where the node is set so. */
export class Results {
	/** Once stopped, no request is sent. Requests in flight are finished, unless n8n cancels the run. */
	readonly stop = new Stop();
	private readonly outputs: Array<INodeExecutionData[] | undefined> = [];
	private readonly isContinuing: boolean;
	/** Items of the output that stand for a failure. */
	private readonly failures = new Set<INodeExecutionData>();
	private failed?: { index: number; failure: Failure };
	private readonly progress: Progress = { applied: 0, uncertain: 0 };

	constructor(private readonly run: Pick<Run, 'functions' | 'items' | 'argumentFor'>) {
		this.isContinuing = run.functions.continueOnFail();
	}

	/**
	 * Takes the records that an item becomes, a Failure in place of one that failed.
	 *
	 * @param index of the item, as in `Run.items`
	 * @param isApplied whether something was changed for it
	 */
	give(index: number, records: Array<IDataObject | Failure>, isApplied: boolean): void {
		if (isApplied) this.progress.applied++;
		this.outputs[index] = records.map((record) =>
			record instanceof Failure ? this.failedItem(index, record) : this.outputOf(index, record),
		);
	}

	/** Takes what was thrown for an item. */
	fail(index: number, error: unknown): void {
		// Cancelled, or stopped by the failure of another item, which is the one that is thrown.
		if (error instanceof Stopped) return this.noteUncertain(error.cause);
		const failure = asFailure(error);
		this.noteUncertain(failure);
		if (this.isContinuing) {
			this.outputs[index] = [this.failedItem(index, failure)];
			return;
		}
		this.stop.stop();
		if (!this.failed || index < this.failed.index) this.failed = { index, failure };
	}

	/** How the run has failed, for a log; undefined where it has not. */
	failedInWords(): string | undefined {
		if (this.failed) return 'the run was not completed';
		if (this.stop.isStopped) return 'the run was cancelled';
		const count = this.failures.size;
		return count === 0
			? undefined
			: `${count} of ${this.run.items.length} items were not carried out`;
	}

	/**
	 * @param isReading whether nothing was to be changed
	 * @returns the items of the output, in the order of the input
	 * @throws NodeApiError for the first item that failed, where the node is set to stop
	 */
	output(isReading: boolean): INodeExecutionData[] {
		if (this.failed) {
			throw toNodeApiError(
				this.failed.failure,
				this.run.functions.getNode(),
				this.run.items[this.failed.index],
				{
					progress: isReading ? undefined : this.progress,
					isTool: this.run.argumentFor !== undefined,
				},
			);
		}
		// Not spread into push(): one item's records can be more than an argument list may have.
		const items: INodeExecutionData[] = [];
		for (const outputs of this.outputs) for (const item of outputs ?? []) items.push(item);
		return items;
	}

	/**
	 * How many items of the output failed, and why the first one did.
	 *
	 * @param items the output
	 * @returns undefined where none failed
	 */
	failedOf(items: INodeExecutionData[]): FailedItems | undefined {
		const first = items.find((item) => this.failures.has(item));
		if (first === undefined) return undefined;
		return { count: this.failures.size, total: items.length, reason: String(first.json.error) };
	}

	/** Adds an item to an output that stands for none of the input items; n8n is told the last one of them. */
	add(items: INodeExecutionData[], json: IDataObject): void {
		items.push(this.outputOf(this.run.items.length - 1, json));
	}

	private noteUncertain(cause: unknown): void {
		if (cause instanceof Failure && cause.isUncertain) this.progress.uncertain++;
	}

	private failedItem(index: number, failure: Failure): INodeExecutionData {
		const item = this.outputOf(index, toItemJson(failure, this.run.functions));
		this.failures.add(item);
		return item;
	}

	private outputOf(index: number, json: IDataObject): INodeExecutionData {
		return { json, pairedItem: { item: this.run.items[index] } };
	}
}
