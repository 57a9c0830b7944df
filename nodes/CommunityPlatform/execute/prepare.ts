import type { IHttpRequestOptions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Api, Batching } from '../../shared/transport';
import { batchingOf, call, openApi, toHttpSettings } from '../../shared/transport';
import type { CallSettings } from '../../shared/transport/api';
import { DEFAULT_SETTINGS } from '../../shared/transport/api';
import type { Input } from '../input/input';
import type { UnresolvedInput } from '../input/readInput';
import { resolvedInput } from '../input/readInput';
import type { Reference } from '../input/reference';
import type { Caller } from './caller';
import type { PreparedItem } from './itemContext';
import { Directory } from './names/directory';
import { resolveReferences } from './names/resolve';
import type { Results } from './results';
import type { Run, Task } from './run';
import { Slices } from './slices';

/** Prepared items. */
export interface Preparation {
	/** By index; undefined where an item has failed. */
	items: Array<PreparedItem | undefined>;
	/** The APIs that were opened. */
	apis(): Api[];
	batching: Batching;
}

/** An item whose parameters were read. */
interface ReadItem {
	unresolved: UnresolvedInput;
	/** Set if no reference has to be resolved. */
	input?: Input;
	http: Partial<IHttpRequestOptions>;
	batching: Batching;
}

interface OpenedItem extends ReadItem {
	api: Api;
}

type Items<T> = Array<T | undefined>;

// Enough for any concurrency, and few enough to be kept in memory.
const RESOLVED_AT_ONCE = 500;
// n8n reads a credential from its database.
const OPENED_AT_ONCE = 20;
// Milliseconds after which the work yields to n8n's event loop.
const SLICE_MS = 20;

/**
 * Prepares the items of a run, each step for all items before the next one begins: reads their parameters, opens the
 * API of each item's credential, resolves references. An item is checked as soon as its input is complete: after
 * reading, or after resolving. So invalid values are found before anything is sent, and unknown names before anything
 * is changed.
 *
 * @param results told of each item that fails
 * @returns undefined if no item is left or the run was stopped
 */
export async function prepareItems(
	run: Run,
	task: Task,
	results: Results,
): Promise<Preparation | undefined> {
	return await new Preparing(run, task, results).all();
}

class Preparing {
	/** By credential: it may have expressions, and it may change during the run. */
	private readonly apis = new Map<string, Api>();

	constructor(
		private readonly run: Run,
		private readonly task: Task,
		private readonly results: Results,
	) {}

	async all(): Promise<Preparation | undefined> {
		const read = await this.readAll();
		const first = read.find((item) => item !== undefined);
		if (first === undefined || this.results.stop.isStopped) return undefined;
		const { maxRequestsAtOnce, maxRetries } = {
			...DEFAULT_SETTINGS,
			...(first.unresolved.input.values as Partial<CallSettings>),
		};
		const settings = { maxRequestsAtOnce, maxRetries };
		const opened = await this.each(read, OPENED_AT_ONCE, async (item, index) => {
			return { ...item, api: await this.apiOf(this.run.items[index], settings) };
		});
		const items = await this.resolveAll(opened);
		// The first item's settings apply to the run.
		return { items, apis: () => [...this.apis.values()], batching: first.batching };
	}

	private async readAll(): Promise<Items<ReadItem>> {
		const read: Items<ReadItem> = [];
		let sliceEnds = performance.now() + SLICE_MS;
		for (const index of this.run.items.keys()) {
			if (this.results.stop.isStopped) break;
			if (performance.now() > sliceEnds) {
				await sleep(0);
				sliceEnds = performance.now() + SLICE_MS;
			}
			try {
				read[index] = this.read(this.run.items[index]);
			} catch (error) {
				this.results.fail(index, error);
			}
		}
		return read;
	}

	private read(item: number): ReadItem {
		const { run, task } = this;
		const unresolved = task.read(
			(name, fallback) => run.parameter(name, item, fallback),
			(name) => run.isExpression(name),
			run.argumentFor,
		);
		const input = unresolved.pending.length === 0 ? this.inputOf(unresolved) : undefined;
		const requestOptions = run.parameter('requestOptions', item, {});
		const batching = batchingOf(requestOptions);
		return { unresolved, input, http: toHttpSettings(requestOptions), batching };
	}

	private inputOf(unresolved: UnresolvedInput, ids?: Map<Reference, string>): Input {
		const { operation, strategy } = this.task;
		const input = resolvedInput(unresolved, ids);
		strategy.check?.(operation, input);
		operation.check?.(input);
		return input;
	}

	private async apiOf(item: number, settings: CallSettings): Promise<Api> {
		const api = await openApi(this.run.functions, settings, this.results.stop, item);
		const key = JSON.stringify(api.credential);
		const known = this.apis.get(key) ?? api;
		this.apis.set(key, known);
		return known;
	}

	private async resolveAll(items: Items<OpenedItem>): Promise<Items<PreparedItem>> {
		const http = items.find((item) => item !== undefined)?.http;
		const directories = new Map<Api, Directory>();
		const directoryOf = (api: Api) => {
			const directory = directories.get(api) ?? this.directory(api, http);
			directories.set(api, directory);
			return directory;
		};
		return await this.each(items, RESOLVED_AT_ONCE, async (item) => {
			const { api, http: ownHttp, unresolved, input: known } = item;
			const input =
				known ?? this.inputOf(unresolved, await resolveReferences(unresolved, directoryOf(api)));
			const prepared = { input, http: ownHttp, api };
			if (!this.showsRole(input)) return prepared;
			const { includeRoleName } = input.values;
			if (includeRoleName === true) {
				return { ...prepared, roleNames: await directoryOf(api).roleNames() };
			}
			// A model always gets the name, because the number means nothing to it.
			if (!input.argumentFor || includeRoleName === false) return prepared;
			return { ...prepared, roleNames: await directoryOf(api).roleNamesIfShown() };
		});
	}

	private showsRole({ values }: Input): boolean {
		if (!this.task.operation.hasRole) return false;
		// Its items have no role_id, only changes.
		if (values.dryRun === true) return values.includeRoleName === true;
		const { output, fields = [] } = values as { output?: string; fields?: string[] };
		return output !== 'selectedFields' || fields.includes('role_id');
	}

	private directory(api: Api, http?: Partial<IHttpRequestOptions>): Directory {
		const send: Caller['send'] = async (request, withdrawn) =>
			await call(this.run.functions, api, request, http, withdrawn);
		return new Directory({ api, send });
	}

	// A bounded number of items at a time; an item for which `act` throws has failed.
	private async each<From, To>(
		items: Items<From>,
		atOnce: number,
		act: (item: From, index: number) => Promise<To>,
	): Promise<Items<To>> {
		const done: Items<To> = [];
		const slices = new Slices();
		const one = async (index: number) => {
			const item = items[index];
			if (item === undefined) return;
			try {
				done[index] = await act(item, index);
			} catch (error) {
				this.results.fail(index, error);
			}
		};
		for (let start = 0; start < items.length && !this.results.stop.isStopped; start += atOnce) {
			// Synchronous results are used at once, without yielding to n8n's event loop.
			if (start > 0 && slices.isOver) await slices.next();
			const count = Math.min(atOnce, items.length - start);
			await Promise.all(Array.from({ length: count }, async (_, at) => await one(start + at)));
		}
		return done;
	}
}
