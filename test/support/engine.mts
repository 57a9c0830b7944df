import { parse, stringify } from 'flatted';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
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
import { CREDENTIAL } from '../../nodes/shared/transport/api.ts';

useOwnUserFolder();
recordLogs();
speakToEveryGeneration();

/** The node types for workflows of the tests, by name. */
export type NodeTypesByName = Record<string, INodeType>;

export interface RunOptions {
	/** The input items, by default one empty item. */
	items?: IDataObject[];
	onError?: OnError;
	/** The node's "Retry On Fail": the maximum number of attempts. */
	maxTries?: number;
	/** The number of iterations in the execution, each with all items, as in a loop. */
	runs?: number;
	/** A failed execution to retry, as from n8n's list of executions. */
	retryOf?: IRun;
	/** The settings that n8n adds to a declarative node: batching, proxy, time-out. */
	requestOptions?: INodeParameters;
	/** The time zone in the settings of the workflow. */
	timezone?: string;
	/** Fields of the credential that differ from the sandbox's. */
	credential?: Partial<ICredentialDataDecryptedObject>;
	/** The same for each read. Receives the index of the item and the number of earlier reads. */
	credentialOf?(item: number, readBefore: number): Partial<ICredentialDataDecryptedObject>;
	/** Receives a function that cancels the execution, like n8n's "Stop". */
	onStart?(cancel: () => void): void;
	/** Runs the tool variant of the node. An item contains the arguments of a call. */
	isTool?: boolean;
	/** A type to run instead of the action node, e.g. a peer in the benchmark. */
	type?: { name: string; type: INodeType; version: number };
}

export interface RunResult {
	/** The items of the first output. */
	items: INodeExecutionData[];
	/** The items of the error output, with `onError: 'continueErrorOutput'`. */
	failed: INodeExecutionData[];
	/** The failure that ended the execution, with "Stop". */
	error?: Error & { description?: string | null; httpCode?: string | null; context?: IDataObject };
	/** The hints that n8n shows. */
	hints: string[];
	run: IRun;
}

/**
 * Runs the action node on some items through the real engine, over real HTTP to the sandbox.
 *
 * @param sandbox the community to talk to
 * @param parameters of the node. As in n8n, missing ones get their default
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
				credentials: { [CREDENTIAL]: { id: '1', name: 'Community' } },
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

/** The part of a stored execution that n8n passes to a retry (n8n, `ExecutionService.retry`). */
function dataToRetry({ data }: IRun): IRunExecutionData {
	const stored = parse(stringify(data)) as IRunExecutionData;
	delete stored.resultData.error;
	stored.resultData.runData[stored.resultData.lastNodeExecuted ?? '']?.pop();
	return stored;
}

function actionNode({ isTool = false }: RunOptions): INodeType {
	return isTool ? asTool() : new CommunityPlatform();
}

export function node(name: string, type: string, parameters: INodeParameters): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

/** Makes the tool variant of a node with `usableAsTool` (n8n, `tool-generation`). */
export function asTool(): INodeType {
	const type: INodeType = new CommunityPlatform();
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

// Like n8n, loads each credential type once.
const credentialType = new CommunityPlatformApi();

/** The credential's fields for a sandbox, with changes. */
export function credentialFor(
	{ baseUrl, sourceSystem, apiKey }: Pick<Sandbox, 'baseUrl' | 'sourceSystem' | 'apiKey'>,
	changes: Partial<ICredentialDataDecryptedObject> = {},
): ICredentialDataDecryptedObject {
	return { baseUrl, sourceSystem, apiKey, ...changes } as ICredentialDataDecryptedObject;
}

/** The data that n8n's server passes to an execution, as far as the engine uses it. */
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
			getDecrypted: async (...args: unknown[]) => {
				const { itemIndex = 0 } = (args[6] ?? {}) as { itemIndex?: number };
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
