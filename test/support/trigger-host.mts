import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HookContext, WebhookContext, WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteData,
	IRun,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	OnError,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import type { Sandbox } from '../../sandbox/server.mts';
import { additionalData, credentialFor, node, nodeTypes } from './engine.mts';
import { CREDENTIAL } from '../../nodes/shared/transport/api.ts';

/** A started execution, as n8n would store it. */
export interface Execution {
	/** The trigger's items. */
	items: INodeExecutionData[];
	/** The items of its error output, with `onError: 'continueErrorOutput'`. */
	failed: INodeExecutionData[];
	error?: Error & { description?: string | null; httpCode?: string | null };
	/** The items that `webhook` returned, which n8n keeps for a retry. */
	input: INodeExecutionData[][];
}

export interface HostOptions {
	parameters?: INodeParameters;
	credential?: Partial<ICredentialDataDecryptedObject>;
	/** Called and awaited at each read of the credential. It can throw. */
	onCredentialRead?(): Promise<void>;
	/** Leaves the node without a credential. */
	isWithoutCredential?: boolean;
	onError?: OnError;
	/** The sender's address, as n8n determines it. */
	ip?: string;
	/** `v2` is n8n's Engine 2.0. */
	engineType?: 'v1' | 'v2';
	/** `manual` is "Listen for test event". */
	mode?: WorkflowExecuteMode;
}

let hosts = 0;

/** A stand-in for n8n's server, which passes requests to the trigger through n8n's own contexts and engine. */
export class TriggerHost {
	url = '';
	readonly executions: Execution[] = [];
	/** The number of requests passed to the trigger. */
	received = 0;
	private readonly type = new CommunityPlatformTrigger() as INodeType;
	private readonly workflow: Workflow;
	private readonly running = new Set<Promise<unknown>>();
	private readonly server = createServer((request, response) => void this.serve(request, response));

	constructor(
		private readonly sandbox: Sandbox,
		private readonly options: HostOptions = {},
	) {
		this.workflow = new Workflow({
			// A separate workflow, because the trigger keeps data for each workflow.
			id: `workflow-${++hosts}`,
			name: 'Workflow',
			active: true,
			settings: { executionOrder: 'v1', engineType: options.engineType },
			nodeTypes: nodeTypes({ communityPlatformTrigger: this.type }),
			nodes: [
				{
					...node('Community', 'communityPlatformTrigger', options.parameters ?? {}),
					onError: options.onError,
					...(!options.isWithoutCredential && {
						credentials: { [CREDENTIAL]: { id: '1', name: 'Community' } },
					}),
				},
			],
			connections: {},
		});
	}

	async listen(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhook`;
		return this;
	}

	async close(): Promise<void> {
		await this.settled();
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	/** Resolves after all started executions have ended. */
	async settled(): Promise<void> {
		while (this.running.size > 0) await Promise.all(this.running);
	}

	/** Chooses another credential in the node, as a person does in the editor. */
	chooseCredential(id: string): void {
		this.node.credentials = { communityPlatformApi: { id, name: 'Community' } };
	}

	get items(): IDataObject[] {
		return this.executions.flatMap(({ items }) => items.map(({ json }) => json));
	}

	/** Activates the workflow like n8n. */
	async activate(): Promise<boolean> {
		const data = this.additionalData();
		const hook = new HookContext(
			this.workflow,
			this.node,
			data,
			'trigger',
			'activate',
			this.webhookData(data),
		);
		const methods = this.type.webhookMethods?.default;
		if (await methods?.checkExists.call(hook)) return true;
		return (await methods?.create.call(hook)) as boolean;
	}

	/** Retries an execution with its original items, like n8n's "Retry". */
	async retry(execution: Execution): Promise<Execution> {
		return await this.run(execution.input, 'retry');
	}

	private get node(): INode {
		return this.workflow.getNode('Community') as INode;
	}

	private additionalData(): IWorkflowExecuteAdditionalData {
		const changes = { webhookSecret: 'right', ...this.options.credential };
		const credential = credentialFor(this.sandbox, changes);
		const data = additionalData(this.workflow, credential, 'trigger');
		const helper = data.credentialsHelper;
		const read = helper.getDecrypted.bind(helper);
		helper.getDecrypted = async (...args) => {
			await this.options.onCredentialRead?.();
			return await read(...args);
		};
		return data;
	}

	private webhookData(data: IWorkflowExecuteAdditionalData): IWebhookData {
		return {
			httpMethod: 'POST',
			node: this.node.name,
			path: 'webhook',
			webhookDescription: this.type.description.webhooks?.[0],
			workflowId: this.workflow.id,
			workflowExecuteAdditionalData: data,
		} as IWebhookData;
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const answer = (status: number, body: unknown) => {
			response.statusCode = status;
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(body));
		};
		const mode = this.options.mode ?? 'webhook';
		const data = this.additionalData();
		try {
			await parse(request, this.options.ip);
		} catch {
			return answer(422, { message: 'Failed to parse request body' });
		}
		data.httpRequest = request as never;
		data.httpResponse = {
			status: (status: number) => ({ json: (body: unknown) => answer(status, body) }),
		} as never;
		const context = new WebhookContext(
			this.workflow,
			this.node,
			data,
			mode,
			this.webhookData(data),
			[],
			null,
		);
		this.received++;
		const result = await this.type.webhook?.call(context).catch((error: Error) => error);
		// As n8n does, stores a failed execution and answers 500.
		if (!result || result instanceof Error) {
			this.executions.push({ items: [], failed: [], error: result, input: [] });
			return answer(500, { message: 'Workflow could not be started' });
		}
		if (result.workflowData) void this.run(result.workflowData as INodeExecutionData[][], mode);
		if (result.noWebhookResponse !== true) answer(200, result.webhookResponse);
	}

	private async run(input: INodeExecutionData[][], mode: WorkflowExecuteMode): Promise<Execution> {
		// n8n keeps an execution's input as text.
		const stored = JSON.parse(JSON.stringify(input)) as INodeExecutionData[][];
		const started: IExecuteData = { node: this.node, data: { main: stored }, source: null };
		const running = new WorkflowExecute(
			this.additionalData(),
			mode,
			createRunExecutionData({ executionData: { nodeExecutionStack: [started] } }),
		).processRunExecutionData(this.workflow) as Promise<IRun>;
		this.running.add(running);
		const { resultData } = (await running).data;
		this.running.delete(running);
		const [items, failed] = resultData.runData.Community?.[0]?.data?.main ?? [];
		const error = resultData.error as Execution['error'];
		const execution = { items: items ?? [], failed: failed ?? [], error, input: stored };
		this.executions.push(execution);
		return execution;
	}
}

// The types that n8n's body parser reads for a node of version 2 (n8n, `isParsableContentType`).
const PARSED = /^(application\/json|text\/plain|application\/x-www-form-urlencoded)|[/+]xml$/;

/** Like n8n's body parser, whose raw bytes the trigger uses. It reads other types when the trigger asks for them. */
async function parse(request: IncomingMessage, ip?: string): Promise<void> {
	const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
	const query = Object.fromEntries(searchParams);
	let rawBody: Buffer | undefined;
	const readRawBody = async () => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		rawBody = Buffer.concat(chunks);
		Object.assign(request, { rawBody });
	};
	const sender = ip ?? request.socket.remoteAddress;
	Object.assign(request, { readRawBody, query, params: {}, ip: sender });
	const { 'content-type': type = '' } = request.headers;
	if (PARSED.test(type)) await readRawBody();
	if (!rawBody?.length || type !== 'application/json') return;
	Object.assign(request, {
		body: JSON.parse(rawBody.toString().replace(/^\uFEFF/, '')) as unknown,
	});
}
