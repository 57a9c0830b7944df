import { parse, stringify } from 'flatted';
import { DirectoryLoader, ExecutionLifecycleHooks, RoutingNode, WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
	IRunExecutionData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	OnError,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import type { Sandbox } from '../../sandbox/server.mts';
import { recordLogs } from './logs.mts';
import { useOwnUserFolder } from './user-folder.mts';
import { speakToEveryGeneration } from './generations.mts';

useOwnUserFolder();
recordLogs();
speakToEveryGeneration();

/** The types that a workflow of the tests can use, by name. */
export type NodeTypesByName = Record<string, INodeType>;

export interface RunOptions {
	/** Input items; by default one empty item. */
	items?: IDataObject[];
	onError?: OnError;
	/** The node's "Retry On Fail": how many tries in all. */
	maxTries?: number;
	/** How often the node runs in the execution, each time for all items, as in a loop. */
	runs?: number;
	/** An execution that failed, to be retried as from n8n's list of executions. */
	retryOf?: IRun;
	/** Node settings that n8n adds to a declarative node: batching, proxy, time-out. */
	requestOptions?: INodeParameters;
	/** The time zone in the settings of the workflow. */
	timezone?: string;
	/** Fields of the credential that differ from the sandbox's. */
	credential?: Partial<ICredentialDataDecryptedObject>;
	/** The same for each reading, told the index of the item and how many readings there were before. */
	credentialOf?(item: number, readBefore: number): Partial<ICredentialDataDecryptedObject>;
	/** Called with a function that cancels the execution, as n8n's "Stop" does. */
	onStart?(cancel: () => void): void;
	/** Sends the items through n8n's routing engine, which may call a node that is used as a tool. */
	isRouted?: boolean;
	/** Runs the variant of the node that is used as a tool; an item holds the arguments of a call. */
	isTool?: boolean;
	/** A type to run in place of the action node, e.g. a peer in the benchmark. */
	type?: { name: string; type: INodeType; version: number };
}

export interface RunResult {
	/** What left through the first output. */
	items: INodeExecutionData[];
	/** What left through the error output, with `onError: 'continueErrorOutput'`. */
	failed: INodeExecutionData[];
	/** What ended the run, with "Stop". */
	error?: Error & { description?: string | null; httpCode?: string | null; context?: IDataObject };
	/** What n8n shows beside the output. */
	hints: string[];
	run: IRun;
}

/**
 * Runs the action node on some items through the real engine, over real HTTP to the sandbox.
 *
 * @param sandbox the community to talk to
 * @param parameters of the node; what is left out gets its default, as in n8n
 */
export async function runNode(
	sandbox: Pick<Sandbox, 'baseUrl' | 'apiKey' | 'sourceSystem'>,
	parameters: INodeParameters,
	options: RunOptions = {},
): Promise<RunResult> {
	const { items = [{}], onError, requestOptions, runs = 1, timezone = 'UTC' } = options;
	const input = items.map((json) => ({ json }));
	const again = Array.from({ length: runs - 1 }, (_, index) => `Again ${index + 1}`);
	const action = actionNode(options);
	const typeName = options.type?.name ?? action.description.name;
	const types: NodeTypesByName = {
		start: nodeGiving(input),
		again: nodeGiving(input),
		[typeName]: options.type?.type ?? action,
	};
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Workflow',
		active: false,
		settings: { executionOrder: 'v1', timezone },
		nodeTypes: nodeTypes(types),
		nodes: [
			node('Start', 'start', {}),
			...again.map((name) => node(name, 'again', {})),
			{
				...node('Community', typeName, {
					...parameters,
					...(requestOptions ? { requestOptions } : {}),
				}),
				typeVersion: options.type?.version ?? 1,
				credentials: { communityPlatformApi: { id: '1', name: 'Community' } },
				onError,
				...(options.maxTries
					? { retryOnFail: true, maxTries: options.maxTries, waitBetweenTries: 1 }
					: {}),
			},
		],
		connections: {
			Start: { main: [[...again, 'Community'].map(connectionTo)] },
			...Object.fromEntries(again.map((name) => [name, { main: [[connectionTo('Community')]] }])),
		},
	});
	const credential = credentialFor(sandbox, options.credential);
	const execution = new WorkflowExecute(
		additionalData(workflow, credential, 'manual', options.credentialOf),
		options.retryOf ? 'retry' : 'manual',
		options.retryOf ? dataToRetry(options.retryOf) : createRunExecutionData(),
	);
	const running = options.retryOf
		? execution.processRunExecutionData(workflow)
		: execution.run({ workflow, startNode: workflow.getNode('Start') ?? undefined });
	options.onStart?.(() => running.cancel());
	const run = await running;
	const taskData = run.data.resultData.runData.Community?.at(-1);
	const [main, failed] = taskData?.data?.main ?? [];
	return {
		items: main ?? [],
		failed: failed ?? [],
		error: run.data.resultData.error as RunResult['error'],
		hints: (taskData?.hints ?? []).map(({ message }) => message),
		run,
	};
}

function connectionTo(name: string) {
	return { node: name, type: NodeConnectionTypes.Main, index: 0 };
}

/** What n8n hands on of an execution that it has stored, when it is retried (n8n, `ExecutionService.retry`). */
function dataToRetry({ data }: IRun): IRunExecutionData {
	const stored = parse(stringify(data)) as IRunExecutionData;
	delete stored.resultData.error;
	stored.resultData.runData[stored.resultData.lastNodeExecuted ?? '']?.pop();
	return stored;
}

// Without them, n8n calls `execute`, which its loader has set to its routing engine.
function actionNode({ isRouted = false, isTool = false }: RunOptions): INodeType {
	const type: INodeType = isTool ? asTool() : loaded(new CommunityPlatform());
	if (isRouted) delete type.customOperations;
	return type;
}

/** A node of a test's workflow. */
export function node(name: string, type: string, parameters: INodeParameters): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

/** What n8n's loader does to a declarative node (docs/decisions.md, E18). */
function loaded(type: INodeType): INodeType {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(type);
	type.execute = async function (this: IExecuteFunctions) {
		return (await new RoutingNode(this as never, type).runNode()) ?? [];
	};
	return type;
}

/** What n8n makes of a node with `usableAsTool` (n8n, `tool-generation`). */
export function asTool(): INodeType {
	const type = loaded(new CommunityPlatform());
	const { description } = type;
	if (!description.usableAsTool) throw new TypeError('the node cannot be used as a tool');
	Object.assign(description, {
		name: `${description.name}Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
	});
	delete description.usableAsTool;
	description.properties.unshift(
		{
			displayName: 'Tool Description',
			name: 'descriptionType',
			type: 'options',
			default: 'auto',
			options: [{ name: 'Set Automatically', value: 'auto' }],
		},
		{
			displayName: 'Description',
			name: 'toolDescription',
			type: 'string',
			default: description.description,
		},
	);
	return type;
}

export function nodeTypes(types: NodeTypesByName): INodeTypes {
	return {
		getByName: (name) => types[name],
		getByNameAndVersion: (name) => types[name],
		getKnownTypes: () => ({}),
	};
}

function nodeGiving(items: INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Start',
			name: 'start',
			group: ['trigger'],
			version: 1,
			description: 'Gives the input items of the test',
			defaults: {},
			inputs: [],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		async execute() {
			return [items];
		},
	};
}

// n8n loads each type of credential once, too.
const credentialType = new CommunityPlatformApi();

/** The fields of the credential for a sandbox, some of them changed. */
export function credentialFor(
	{ baseUrl, sourceSystem, apiKey }: Pick<Sandbox, 'baseUrl' | 'sourceSystem' | 'apiKey'>,
	changes: Partial<ICredentialDataDecryptedObject> = {},
): ICredentialDataDecryptedObject {
	return { baseUrl, sourceSystem, apiKey, ...changes } as ICredentialDataDecryptedObject;
}

/** What n8n's server hands to an execution, as far as the engine asks for it. */
export function additionalData(
	workflow: Workflow,
	credential: ICredentialDataDecryptedObject,
	mode: 'manual' | 'trigger' = 'manual',
	credentialOf: RunOptions['credentialOf'] = () => ({}),
): IWorkflowExecuteAdditionalData {
	let read = 0;
	const workflowData = { id: workflow.id, name: workflow.name } as IWorkflowBase;
	const url = 'http://127.0.0.1';
	return {
		credentialsHelper: {
			isCredentialUsableByNode: () => true,
			getParentTypes: () => [],
			getDecrypted: async (...given: unknown[]) => {
				const { itemIndex = 0 } = (given[6] ?? {}) as { itemIndex?: number };
				return { ...credential, ...credentialOf(itemIndex, read++) };
			},
			preAuthentication: async () => undefined,
			authenticate: async (
				data: ICredentialDataDecryptedObject,
				_type: string,
				request: IHttpRequestOptions,
			) => await credentialType.authenticate(data, request),
		},
		hooks: new ExecutionLifecycleHooks(mode, '1', workflowData),
		currentNodeExecutionIndex: 0,
		executionId: '1',
		restApiUrl: url,
		instanceBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: url,
		webhookTestBaseUrl: url,
		formWaitingBaseUrl: url,
		variables: {},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
