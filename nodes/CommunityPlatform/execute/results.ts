import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Stopped } from '../../shared/transport';
import { Failure, asFailure, toItemJson, toNodeApiError } from '../../shared/transport/failure';
import type { Progress } from '../../shared/transport/failure';
import { Stop } from '../../shared/limiter';
import type { FailedItems } from './hints';
import type { Run } from './run';

/** Collects the output of a run's items in their order; stops the run at a failure, if the node is set to stop. */
export class Results {
	/** Once stopped, no request is sent. Requests in flight are finished, unless n8n cancels the run. */
	readonly stop = new Stop();
	private readonly outputs: Array<INodeExecutionData[] | undefined> = [];
	private readonly isContinuing: boolean;
	/** The failed items of the output. */
	private readonly failures = new Set<INodeExecutionData>();
	private failed?: { index: number; failure: Failure };
	private readonly progress: Progress = { applied: 0, uncertain: 0 };

	constructor(private readonly run: Pick<Run, 'functions' | 'items' | 'argumentFor'>) {
		this.isContinuing = run.functions.continueOnFail();
	}

	/**
	 * Adds the records of an item, with a Failure in place of each that failed.
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

	/**
	 * Adds the failure of an item.
	 *
	 * @param index of the item, as in `Run.items`
	 * @param hasChanged whether one of its requests had changed something before
	 */
	fail(index: number, error: unknown, hasChanged = false): void {
		const cause = error instanceof Stopped ? error.cause : error;
		const isUncertain = cause instanceof Failure && cause.isUncertain;
		if (hasChanged || isUncertain) this.progress.uncertain++;
		// Cancelled, or stopped by the failure of another item, which will be thrown.
		if (error instanceof Stopped) return;
		let failure = asFailure(error);
		if (hasChanged) failure = new Failure(failure.message, failure.advice, failure.details, true);
		if (this.isContinuing) {
			this.outputs[index] = [this.failedItem(index, failure)];
			return;
		}
		this.stop.stop();
		if (!this.failed || index < this.failed.index) this.failed = { index, failure };
	}

	/** How the run failed, for the log; undefined if it did not. */
	failedInWords(): string | undefined {
		if (this.failed) return 'the run was not completed';
		if (this.stop.isStopped) return 'the run was cancelled';
		const count = this.failures.size;
		return count === 0
			? undefined
			: `${count} of ${this.run.items.length} items were not carried out`;
	}

	/**
	 * @param isReading whether the operation changes nothing
	 * @returns the items of the output, in the order of the input
	 * @throws NodeApiError for the first item that failed, if the node is set to stop
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
		// Not push(...records): one item can have more records than an argument list may have.
		const items: INodeExecutionData[] = [];
		for (const outputs of this.outputs) for (const item of outputs ?? []) items.push(item);
		return items;
	}

	/**
	 * Counts the failed items of the output.
	 *
	 * @param items the output
	 * @param isReading whether the operation changes nothing
	 * @returns undefined if none failed
	 */
	failedOf(items: INodeExecutionData[], isReading: boolean): FailedItems | undefined {
		const first = items.find((item) => this.failures.has(item));
		if (first === undefined) return undefined;
		return {
			count: this.failures.size,
			total: items.length,
			reason: String(first.json.error),
			isUnchanged: !isReading && this.progress.uncertain === 0,
		};
	}

	/** Adds an item that belongs to no input item, e.g. a hint; it is paired with the last one, because n8n requires a pairing. */
	add(items: INodeExecutionData[], json: IDataObject): void {
		items.push(this.outputOf(this.run.items.length - 1, json));
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
