import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Api } from '../../shared/api';
import { RunApis, Stopped, call, logHindrance, toHttpSettings } from '../../shared/api';
import { Failure } from '../../shared/failures/failure';
import type { Progress } from '../../shared/failures/raise';
import { asFailure, toItemJson, toNodeApiError } from '../../shared/failures/raise';
import type { ApiRequest } from '../../shared/exchange/request';
import type { CallSettings, Setting } from '../../shared/exchange/settings';
import { DEFAULT_SETTINGS } from '../../shared/exchange/settings';
import { Stop, Turns, wait } from '../../shared/pacing';
import type { Field } from '../operation/field';
import type { Input, Parameter } from '../operation/readInput';
import { inputReader } from '../operation/readInput';
import type { Operation } from '../operation/operation';
import type { Batching } from './batching';
import { EACH_AT_ONCE, batchingOf } from './batching';
import { hintsOf, Notes } from './hints';
import { complete, isIncomplete } from './complete';
import { Directory } from './directory';
import type { Caller, Ready, Shared, Way } from './item';
import { Item } from './item';
import { repeatOfOperation, requestMaker } from './fillIn';
import { Slices } from './slices';
import { ways } from './ways';

/** The input items of a run, and what n8n offers to carry them out. */
export interface Source {
	functions: IExecuteFunctions | IExecutePaginationFunctions;
	/** The indexes of the items. */
	items: number[];
	/** A parameter's value for an item, or the fallback where it is not set. Throws what its expression throws. */
	parameter(name: string, item: number, fallback: unknown): unknown;
	/** Whether a parameter is set by an expression. */
	isExpression(name: string): boolean;
	/** Shows a text beside the output, where n8n can. */
	hint?(message: string): void;
}

/** What is done with each item. */
export interface Task {
	operation: Operation;
	way: Way;
	read(parameter: Parameter, isExpression?: (name: string) => boolean): Input;
	toRequest(input: Input): ApiRequest;
}

// Of so many, enough are on their way whatever they wait for, and few have to be kept in memory.
const ITEMS_AT_ONCE = 500;
// n8n reads a credential from its database.
const READ_AT_ONCE = 20;
// After this, everything else in n8n's process gets its turn.
const SLICE_MS = 20;
// Under Options, and in the settings that n8n adds to every declarative node.
const SETTINGS_OFFERED: readonly Setting[] = ['Max Requests at Once', 'Max Retries', 'Timeout'];

/**
 * Prepares an operation.
 *
 * @param fields its parameters, those included that it shares with others
 * @throws Error when a field says something that is not supported here
 */
export function taskOf(operation: Operation, fields: Field[]): Task {
	return {
		operation,
		way: ways[operation.way],
		read: inputReader(fields),
		toRequest: requestMaker(operation),
	};
}

/**
 * Carries out an operation for all items of a run: reads and checks their parameters, then sends what
 * they ask for, as far as the limiter lets.
 *
 * @returns what they become, in their order (contract, "What an item looks like")
 * @throws NodeApiError for the first item that failed, where the node is set to stop. What cannot be
 * used is found before anything is sent; what was on its way is left to finish.
 */
export async function runBatch(source: Source, task: Task): Promise<INodeExecutionData[]> {
	const batch = new Batch(source, task);
	try {
		return await batch.run();
	} finally {
		batch.close();
	}
}

class Batch {
	/** What each item has become, by its place in the run. */
	private readonly given: Array<INodeExecutionData[] | undefined> = [];
	/** Once stopped, nothing is sent any more. What is on its way is left to finish, unless n8n cancels it. */
	private readonly stop = new Stop();
	private readonly isContinuing: boolean;
	private failed?: { place: number; failure: Failure };
	private readonly progress: Progress = { applied: 0, uncertain: 0 };
	private underWay = 0;
	private batching?: Batching;
	private onItemEnd = () => {};
	/** To be called when the run is over. */
	readonly close: () => void;

	constructor(
		private readonly source: Source,
		private readonly task: Task,
	) {
		this.isContinuing = source.functions.continueOnFail();
		this.close = this.stop.follow(source.functions.getExecutionCancelSignal());
	}

	async run(): Promise<INodeExecutionData[]> {
		const ready = await this.readAll();
		const apis = await this.openAll(ready);
		if (apis) {
			const { functions } = this.source;
			const shared = { functions, creates: new Turns(), notes: new Notes() };
			await this.lookUpAll(ready);
			await this.sendAll(ready, shared);
			const hindered = apis.all.flatMap((api) => logHindrance(api) ?? []);
			for (const hint of hintsOf(shared.notes, hindered)) this.source.hint?.(hint);
		}
		if (this.failed) this.raise(this.failed);
		// Not spread into push(): one item's records can be more than an argument list may have.
		const items: INodeExecutionData[] = [];
		for (const itemsOfOne of this.given) for (const item of itemsOfOne ?? []) items.push(item);
		return items;
	}

	private async readAll(): Promise<Array<Ready | undefined>> {
		const ready: Array<Ready | undefined> = [];
		let sliceEnds = performance.now() + SLICE_MS;
		for (const place of this.source.items.keys()) {
			if (this.stop.isStopped) break;
			if (performance.now() > sliceEnds) {
				await sleep(0);
				sliceEnds = performance.now() + SLICE_MS;
			}
			try {
				ready[place] = this.read(this.source.items[place]);
			} catch (error) {
				this.fail(place, error);
			}
		}
		return ready;
	}

	private read(item: number): Ready {
		const { source, task } = this;
		const input = task.read(
			(name, fallback) => source.parameter(name, item, fallback),
			(name) => source.isExpression(name),
		);
		// Otherwise it is checked once it is complete.
		if (input.unknown.length === 0) this.check(input);
		const requestOptions = this.source.parameter('requestOptions', item, {});
		// What the first item says holds for the run.
		this.batching ??= batchingOf(requestOptions);
		return { input, http: toHttpSettings(requestOptions) };
	}

	private check(input: Input): void {
		const { operation, way } = this.task;
		way.check?.(operation, input);
		operation.check?.(input);
	}

	// Before anything is sent, so that each item is sent with one address and the key that belongs to it.
	private async openAll(ready: Array<Ready | undefined>): Promise<RunApis | undefined> {
		// What the first item says holds for the run.
		const first = ready.find((item) => item !== undefined);
		if (first === undefined || this.stop.isStopped) return undefined;
		const { maxRequestsAtOnce, maxRetries } = {
			...DEFAULT_SETTINGS,
			...(first.input.values as Partial<CallSettings>),
		};
		const settings = { maxRequestsAtOnce, maxRetries, offered: SETTINGS_OFFERED };
		const apis = new RunApis(this.source.functions, settings, this.stop);
		await this.forEach(ready, READ_AT_ONCE, async (item, place) => {
			item.api = await apis.of(this.source.items[place]);
		});
		return apis;
	}

	// Before anything else is sent, so that what is not found has changed nothing.
	private async lookUpAll(ready: Array<Ready | undefined>): Promise<void> {
		const { functions } = this.source;
		const http = ready.find((item) => item !== undefined)?.http;
		const directories = new Map<Api, Directory>();
		const directoryFor = (api: Api) => {
			const known = directories.get(api);
			if (known) return known;
			const send: Caller['send'] = async (request, withdrawn) =>
				await call(functions, api, request, http, withdrawn);
			const directory = new Directory({ api, send });
			directories.set(api, directory);
			return directory;
		};
		await this.forEach(ready, ITEMS_AT_ONCE, async (item) => {
			if (!isIncomplete(item)) return;
			await complete(item, directoryFor(item.api as Api));
			this.check(item.input);
		});
	}

	// Some items at a time; what cannot be done for one fails it.
	private async forEach(
		ready: Array<Ready | undefined>,
		atOnce: number,
		act: (item: Ready, place: number) => Promise<void>,
	): Promise<void> {
		const slices = new Slices();
		for (let start = 0; start < ready.length && !this.stop.isStopped; start += atOnce) {
			// What is known already takes no time of its own: everything else in n8n's process gets its turn.
			if (start > 0 && slices.isOver) await slices.next();
			const places = [...ready.slice(start, start + atOnce).keys()].map((index) => start + index);
			await Promise.all(
				places.map(async (place) => {
					const item = ready[place];
					if (!item) return;
					try {
						await act(item, place);
					} catch (error) {
						ready[place] = undefined;
						this.fail(place, error);
					}
				}),
			);
		}
	}

	private async sendAll(ready: Array<Ready | undefined>, shared: Shared): Promise<void> {
		const { size, intervalMs } = this.batching ?? EACH_AT_ONCE;
		for (const place of ready.keys()) {
			const isPause = intervalMs > 0 && place > 0 && place % size === 0;
			if (isPause) await wait(intervalMs, this.stop);
			while (this.underWay >= ITEMS_AT_ONCE) await this.itemEnd();
			if (this.stop.isStopped) break;
			const item = ready[place];
			ready[place] = undefined;
			if (item) void this.send(place, item, shared);
		}
		while (this.underWay > 0) await this.itemEnd();
	}

	private async itemEnd(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.onItemEnd = resolve;
		});
	}

	private async send(place: number, ready: Ready, shared: Shared): Promise<void> {
		const { operation, way, toRequest } = this.task;
		this.underWay++;
		let item: Item | undefined;
		try {
			const api = ready.api as Api;
			item = new Item(shared, api, operation, ready, toRequest(ready.input));
			const records = await way.send(item);
			this.progress.applied++;
			this.given[place] = records.map((json) => this.itemOf(place, api.redactor.record(json)));
		} catch (error) {
			this.fail(place, error);
		} finally {
			item?.leaveTurns();
			this.underWay--;
			this.onItemEnd();
		}
	}

	private fail(place: number, error: unknown): void {
		// Cancelled, or stopped at another item whose failure is raised.
		if (error instanceof Stopped) return this.noteUncertain(error.cause);
		const failure = asFailure(error);
		this.noteUncertain(failure);
		if (this.isContinuing) {
			this.given[place] = [this.itemOf(place, toItemJson(failure, this.source.functions))];
			return;
		}
		this.stop.stop();
		if (!this.failed || place < this.failed.place) this.failed = { place, failure };
	}

	private noteUncertain(cause: unknown): void {
		if (cause instanceof Failure && cause.isUncertain) this.progress.uncertain++;
	}

	private raise({ place, failure }: { place: number; failure: Failure }): never {
		const isReading = repeatOfOperation(this.task.operation) === 'safe';
		throw toNodeApiError(
			failure,
			this.source.functions.getNode(),
			this.source.items[place],
			isReading ? undefined : this.progress,
		);
	}

	private itemOf(place: number, json: IDataObject): INodeExecutionData {
		return { json, pairedItem: { item: this.source.items[place] } };
	}
}
