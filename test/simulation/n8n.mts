import { getEventListeners } from 'node:events';
import { createHash } from 'node:crypto';
import type { IDataObject, IHttpRequestOptions, INode, INodeExecutionData } from 'n8n-workflow';
import type { Api } from './api.mts';
import type { Clock, Random } from './clock.mts';
import type { Process } from './process.mts';

export type OnError = 'stopWorkflow' | 'continueRegularOutput';
export type Parameters = Record<string, unknown>;

const CREDENTIAL_TYPE = 'communityPlatformApi';
const quiet = { info() {}, warn() {}, error() {}, debug() {} };

/** What one run of a node gave, as n8n shows it. */
export type Told =
	| { kind: 'returned'; items: INodeExecutionData[]; hints: string[] }
	| { kind: 'threw'; error: Error & { description?: string | null } }
	| { kind: 'crashed' | 'canceled' };

/** Faults of n8n's database, each as a share of the calls. */
export interface DatabaseFaults {
	before: number;
	after: number;
	credential: number;
	/** How many milliseconds each step of a call takes at most. */
	stepMs: number;
}

export const WORKING_DATABASE: DatabaseFaults = { before: 0, after: 0, credential: 0, stepMs: 10 };

/** What all processes of one n8n share: its database. */
export class Database {
	readonly rows = new Map<string, string[]>();
	webhookSecret = 'a long secret of n8n';
	credentialReads = 0;
	faults: DatabaseFaults = WORKING_DATABASE;

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
		private readonly say: (text: string) => void,
		/** For the address of the community and the ID of the workflow, which no other story has. */
		readonly story: number,
	) {}

	async credential(process: Process): Promise<IDataObject> {
		this.credentialReads++;
		await this.clock.sleep(1 + this.random() * 4, process);
		if (this.random() < this.faults.credential) throw new Error('SQLITE_BUSY');
		return {
			baseUrl: `https://community-${this.story}.example`,
			sourceSystem: 'n8n',
			apiKey: 'key',
			webhookSecret: this.webhookSecret,
			allowUnauthorizedCerts: false,
		};
	}

	private async step(process: Process): Promise<void> {
		const { stepMs } = this.faults;
		// On a busy machine, a few calls take much longer than the others.
		const times = stepMs > WORKING_DATABASE.stepMs && this.random() < 0.3 ? 5 : 1;
		await this.clock.sleep(1 + this.random() * stepMs * times, process);
	}

	/**
	 * n8n's helpers for deduplication, mode `entries`: one row for each node, read and written in two steps without a lock
	 * (n8n, packages/cli/src/deduplication/deduplication-helper.ts).
	 */
	helpersOf(process: Process, nodeId: string) {
		const change = async <T,>(
			act: (row: string[], isNew: boolean) => [string[], T],
		): Promise<T> => {
			const fault = this.random();
			await this.step(process);
			const read = this.rows.get(nodeId);
			const [row, result] = act([...(read ?? [])], read === undefined);
			await this.step(process);
			const { before, after } = this.faults;
			if (fault < before) throw new Error('SQLITE_BUSY');
			// n8n inserts the first row, which fails if another process has inserted it in the meantime.
			if (read === undefined && this.rows.has(nodeId)) throw new Error('SQLITE_CONSTRAINT');
			this.rows.set(nodeId, row);
			if (fault < before + after) throw new Error('Connection lost');
			return result;
		};
		const digest = (key: unknown) => createHash('md5').update(String(key)).digest('base64');
		return {
			checkProcessedAndRecord: async (
				keys: unknown[],
				_scope: string,
				{ maxEntries }: { maxEntries?: number },
			) => {
				const told = await change((row) => {
					const processed: unknown[] = [];
					const fresh: unknown[] = [];
					for (const key of keys) {
						if (row.includes(digest(key))) processed.push(key);
						else {
							fresh.push(key);
							row.push(digest(key));
						}
					}
					if (maxEntries) row.splice(0, row.length - maxEntries);
					return [row, { new: fresh, processed }];
				});
				this.say(`${process.name} records ${keys.length} keys, ${told.new.length} of them new`);
				return told;
			},
			removeProcessed: async (keys: unknown[]) => {
				if (!this.rows.has(nodeId)) return;
				const removed = new Set(keys.map(digest));
				await change((row) => [row.filter((each) => !removed.has(each)), undefined]);
			},
		};
	}
}

export interface Execution {
	/** Its name in the log, e.g. "execution 1". */
	name: string;
	process: Process;
	/** The resolved parameters of each item. */
	items: Parameters[];
	onError: OnError;
	/** How often n8n runs the node at most. 1 without "Retry On Fail". */
	maxTries: number;
	waitBetweenTries: number;
	abort: AbortController;
	/** n8n's context of the node, which outlives a try. */
	context: IDataObject;
	/** What the execution was given as input, if not empty items. */
	input?: INodeExecutionData[];
	mode?: 'trigger' | 'webhook' | 'retry' | 'manual';
	nodeId?: string;
	/** How often n8n has run the node so far. */
	attempts: number;
}

/** The parts of n8n around the nodes. */
export class N8n {
	constructor(
		private readonly clock: Clock,
		private readonly api: Api,
		readonly database: Database,
		private readonly say: (text: string) => void,
	) {}

	/** Runs the action node as n8n's engine does. Resolves with what n8n shows at the end. */
	async execute(execution: Execution): Promise<Told> {
		const { process, abort } = execution;
		const canceled = new Promise<Told>((resolve) => {
			abort.signal.addEventListener('abort', () => resolve({ kind: 'canceled' }), { once: true });
		});
		const crashed = process.crashed.then((): Told => ({ kind: 'crashed' }));
		const running = this.withRetries(execution, async () => await this.runNode(execution));
		const told = await Promise.race([running, canceled, crashed]);
		this.say(`${execution.name} ${inWords(told)}`);
		// The node of a canceled execution goes on, but nobody sees what it returns.
		if (told.kind === 'canceled') await Promise.race([running, crashed]);
		return told;
	}

	/**
	 * "Retry On Fail" as n8n-core does it (dist/execution-engine/workflow-execute.js, `getRetryParams`, and the loop over
	 * `tryIndex` in `processRunExecutionData`): again after a throw, and again while the first output item has an `error`.
	 */
	private async withRetries(
		{ process, maxTries, waitBetweenTries }: Execution,
		runNode: () => Promise<Told>,
	): Promise<Told> {
		const hasFailed = (told: Told) => {
			const error = told.kind === 'returned' ? told.items[0]?.json.error : undefined;
			return error !== undefined && error !== null && error !== false;
		};
		let last: Told = { kind: 'canceled' };
		for (let tryIndex = 0; tryIndex < maxTries; tryIndex++) {
			if (tryIndex > 0 && waitBetweenTries > 0) await this.clock.sleep(waitBetweenTries, process);
			last = await runNode();
			if (last.kind === 'threw') continue;
			while (hasFailed(last) && tryIndex !== maxTries - 1) {
				await this.clock.sleep(waitBetweenTries, process);
				last = await runNode();
				if (last.kind === 'threw') break;
				tryIndex++;
			}
			if (last.kind !== 'threw') return last;
		}
		return last;
	}

	private async runNode(execution: Execution): Promise<Told> {
		const { process, name, items } = execution;
		execution.attempts++;
		const hints: string[] = [];
		const times = execution.attempts > 1 ? `, time ${execution.attempts}` : '';
		this.say(`${name} (${process.name}) runs${times}: ${JSON.stringify(items)}`);
		const functions = this.functionsOf(execution, hints);
		try {
			const { CommunityPlatform } = process.nodes;
			const output = (await CommunityPlatform.execute?.call(functions)) as INodeExecutionData[][];
			return { kind: 'returned', items: output[0], hints };
		} catch (error) {
			return { kind: 'threw', error: error as Error };
		}
	}

	/** How many listeners of a run are left on the signal with which n8n cancels an execution. */
	listenersOf({ abort }: Execution): number {
		// One is of this file.
		return getEventListeners(abort.signal, 'abort').length - 1;
	}

	/** Runs `execute` of the webhook trigger for what its `webhook` returned. */
	async executeTrigger(execution: Execution): Promise<Told> {
		const { process, name } = execution;
		const functions = this.functionsOf(execution, []);
		const running = async (): Promise<Told> => {
			try {
				const { CommunityPlatformTrigger } = process.nodes;
				const output = (await CommunityPlatformTrigger.execute?.call(
					functions,
				)) as INodeExecutionData[][];
				return { kind: 'returned', items: output[0], hints: [] };
			} catch (error) {
				return { kind: 'threw', error: error as Error };
			}
		};
		const crashed = process.crashed.then((): Told => ({ kind: 'crashed' }));
		const told = await Promise.race([running(), crashed]);
		this.say(`${name} ${inWords(told)}`);
		return told;
	}

	private functionsOf(execution: Execution, hints: string[]) {
		const { process, items, onError, context, abort, name, nodeId = 'n1' } = execution;
		const { attempts: attempt } = execution;
		const input = execution.input ?? items.map((): INodeExecutionData => ({ json: {} }));
		const saved = savedOf(items) as INode['parameters'];
		return {
			getNode: () => nodeOf(nodeId, saved, onError),
			getNodeParameter: (path: string, index: number, fallback: unknown) =>
				valueAt(items[Math.min(index, items.length - 1)], path) ?? fallback,
			getInputData: () => input,
			getContext: () => context,
			continueOnFail: () => onError === 'continueRegularOutput',
			getExecutionCancelSignal: () => abort.signal,
			evaluateExpression: () => 0,
			addExecutionHints: (...all: Array<{ message: string }>) =>
				hints.push(...all.map(({ message }) => message)),
			getMode: () => execution.mode ?? 'trigger',
			helpers: {
				...this.database.helpersOf(process, nodeId),
				httpRequestWithAuthentication: this.httpOf(process, name, attempt),
			},
			...this.common(process),
		} as never;
	}

	/** The functions that all kinds of nodes have. */
	common(process: Process) {
		return {
			getWorkflow: () => ({ id: `w${this.database.story}`, name: 'Story', active: true }),
			getWorkflowSettings: () => ({}),
			getTimezone: () => 'UTC',
			getCredentials: async () => await this.database.credential(process),
			logger: quiet,
		};
	}

	httpOf(process: Process, by: string, attempt = 1) {
		const { api } = this;
		return async function (
			this: { getExecutionCancelSignal?(): AbortSignal },
			_type: string,
			options: IHttpRequestOptions,
		) {
			return await api.request(
				options,
				{ by, attempt, process },
				this.getExecutionCancelSignal?.(),
			);
		};
	}
}

/** Returns the node as n8n has saved it. */
export function nodeOf(id: string, parameters: INode['parameters'], onError?: OnError): INode {
	return {
		id,
		name: 'Community Platform',
		type: 'n8n-nodes-community-platform.communityPlatform',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		onError,
		credentials: { [CREDENTIAL_TYPE]: { id: 'c1', name: 'Community' } },
	};
}

/** Returns the parameter at a path such as `options.includeDetails`. */
export function valueAt(parameters: Parameters, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((value, key) => (value as Parameters | undefined)?.[key], parameters);
}

/** Returns parameters as the editor saves them: what differs between the items is an expression. */
function savedOf(all: unknown[]): unknown {
	const [first] = all;
	const isMap = (value: unknown): value is Parameters =>
		typeof value === 'object' && value !== null && !Array.isArray(value);
	if (all.every(isMap)) {
		const keys = new Set(all.flatMap((each) => Object.keys(each)));
		return Object.fromEntries([...keys].map((key) => [key, savedOf(all.map((each) => each[key]))]));
	}
	const isSame = all.every((each) => JSON.stringify(each) === JSON.stringify(first));
	return isSame ? first : '={{ $json.value }}';
}

function inWords(told: Told): string {
	if (told.kind === 'returned') {
		const items = told.items.map(({ json }) => JSON.stringify(json)).join(' ');
		return `returns ${items || 'no items'}${told.hints.map((hint) => ` | hint: ${hint}`).join('')}`;
	}
	if (told.kind === 'threw')
		return `fails: ${told.error.message} | ${told.error.description ?? ''}`;
	return `is ${told.kind}`;
}
