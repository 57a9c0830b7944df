import axios, { type AxiosInstance, type Method } from 'axios';
import { parse } from 'flatted';
import { randomBytes, randomUUID } from 'node:crypto';
import type { INode, IRunExecutionData } from 'n8n-workflow';
import { until } from '../tools/wait.mts';

const LIST_PAGE = 100;

/** How to log in to an instance. */
export interface LogIn {
	email: string;
	password: string;
}

/** A workflow as n8n returns it. */
export interface SavedWorkflow {
	id: string;
	name: string;
	active: boolean;
	versionId: string;
	nodes: INode[];
}

/** Whether the triggers of an active workflow are running. */
export interface Publication {
	status: string;
	triggers: Array<{ nodeId: string; status: string; errorMessage?: string | null }>;
}

/** A workflow as it is exported from, and imported into, the editor. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
}

/** An execution as n8n lists it. */
export interface ExecutionSummary {
	id: string;
	status: string;
}

/** An execution with the output of its nodes. */
export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}

const OVER = new Set(['success', 'error', 'canceled', 'crashed']);

/** n8n's internal REST API, which its editor uses, as of n8n 2.41. */
export class N8nClient {
	private readonly http: AxiosInstance;

	private cookie = '';

	/** @param url address of a running instance, without a trailing slash */
	constructor(url: string) {
		this.http = axios.create({
			baseURL: `${url}/rest`,
			timeout: 60_000,
			proxy: false,
			validateStatus: () => true,
			// n8n binds the session to this header, and refuses a cookie without it or with a different one.
			headers: { 'browser-id': randomUUID() },
		});
	}

	/**
	 * Calls any endpoint.
	 *
	 * @param path below /rest
	 * @returns the answer's `data`
	 * @throws on any status other than 2xx, with n8n's message
	 */
	async call<T>(
		method: Method,
		path: string,
		data?: unknown,
		params?: Record<string, unknown>,
	): Promise<T> {
		return ((await this.request(method, path, data, params)) as { data: T }).data;
	}

	/**
	 * Posts to an endpoint that answers with server-sent events.
	 *
	 * @param path below /rest
	 * @returns the events' data, after the answer has ended
	 * @throws on any status other than 2xx, with n8n's message
	 */
	async events<T>(path: string, data: unknown): Promise<T[]> {
		const text = (await this.request('POST', path, data)) as string;
		const lines = text.split('\n').filter((line) => line.startsWith('data: '));
		return lines.map((line) => JSON.parse(line.slice('data: '.length)) as T);
	}

	private async request(
		method: Method,
		path: string,
		data?: unknown,
		params?: Record<string, unknown>,
	): Promise<unknown> {
		const headers = this.cookie === '' ? {} : { cookie: this.cookie };
		const answer = await this.http.request<unknown>({ method, url: path, data, params, headers });
		if (answer.status >= 300) {
			const said = (answer.data as { message?: string })?.message ?? JSON.stringify(answer.data);
			throw new Error(`n8n answered ${method} ${path} with ${answer.status}: ${said}`);
		}
		const session = answer.headers['set-cookie']?.find((line) => line.startsWith('n8n-auth='));
		if (session !== undefined) this.cookie = session.split(';')[0];
		return answer.data;
	}

	/**
	 * Creates the owner of a new instance and logs in as this owner.
	 *
	 * @returns the log-in, with a password made for this instance
	 */
	async setUpOwner(): Promise<LogIn> {
		const email = 'owner@example.com';
		// n8n requires a capital letter and a digit, which random characters do not guarantee.
		const password = `${randomBytes(9).toString('base64url')}A1`;
		await this.call('POST', '/owner/setup', {
			email,
			password,
			firstName: 'Demo',
			lastName: 'Owner',
		});
		return { email, password };
	}

	/** Creates a credential and returns the reference for a node's `credentials`. */
	async createCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<{ id: string; name: string }> {
		const { id } = await this.call<{ id: string }>('POST', '/credentials', { name, type, data });
		return { id, name };
	}

	/** Tests a stored credential, like the form in the editor. */
	async testCredential(
		id: string,
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<{ status: string; message: string }> {
		return await this.call('POST', '/credentials/test', { credentials: { id, name, type, data } });
	}

	/** Saves a new workflow, which is not active. */
	async createWorkflow(workflow: WorkflowFile): Promise<SavedWorkflow> {
		// n8n 1.123 requires `active`, and later versions ignore it.
		return await this.call('POST', '/workflows', { active: false, ...workflow });
	}

	/** Lists the workflows, without their nodes. */
	async workflows(): Promise<Array<Omit<SavedWorkflow, 'nodes'>>> {
		return await this.call('GET', '/workflows');
	}

	/** Reads a workflow. */
	async workflow(id: string): Promise<SavedWorkflow> {
		return await this.call('GET', `/workflows/${id}`);
	}

	/** Replaces the nodes of a workflow, like "Save" in the editor. */
	async saveNodes(id: string, nodes: INode[]): Promise<SavedWorkflow> {
		const workflow = await this.workflow(id);
		return await this.call('PATCH', `/workflows/${id}`, { ...workflow, nodes });
	}

	/** Activates a workflow. Its webhooks may still answer 404 for a second or two. */
	async activate(id: string): Promise<SavedWorkflow> {
		const { versionId } = await this.workflow(id);
		return await this.call('POST', `/workflows/${id}/activate`, { versionId });
	}

	/**
	 * Returns the result of an activation. n8n answers the activation before it starts the triggers, so only this call
	 * reports a trigger that fails.
	 */
	async publication(id: string): Promise<Publication> {
		return await this.call('GET', `/workflows/${id}/publication-status`);
	}

	/** Deactivates a workflow. */
	async deactivate(id: string): Promise<SavedWorkflow> {
		return await this.call('POST', `/workflows/${id}/deactivate`, {});
	}

	/**
	 * Runs a workflow by hand, like the button in the editor.
	 *
	 * @param trigger name of the trigger node to begin with
	 * @returns the ID of the execution, which has just begun
	 * @throws if it waits for a webhook instead of beginning
	 */
	async runWorkflow(id: string, trigger: string): Promise<string> {
		// n8n 2.8 runs the workflow in the request, later versions the stored one.
		const workflowData = await this.workflow(id);
		const { executionId } = await this.call<{ executionId?: string }>(
			'POST',
			`/workflows/${id}/run`,
			{ workflowData, triggerToStartFrom: { name: trigger } },
		);
		if (executionId === undefined) throw new Error(`${trigger} waits for a webhook`);
		return executionId;
	}

	/** Reads an execution with its data. */
	async execution(id: string): Promise<Execution> {
		const { data, ...summary } = await this.call<ExecutionSummary & { data: string }>(
			'GET',
			`/executions/${id}`,
		);
		return { ...summary, data: parse(data) as IRunExecutionData };
	}

	/**
	 * Retries a failed execution from the node that failed, like the button in the editor's list.
	 *
	 * @returns the new execution, which has ended
	 */
	async retryExecution(id: string): Promise<ExecutionSummary> {
		return await this.call('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	}

	/**
	 * Waits for an execution to succeed or fail.
	 *
	 * @throws on a timeout
	 */
	async waitForExecution(id: string, timeoutMs = 120_000): Promise<Execution> {
		return await until(
			`execution ${id} to end`,
			async () => {
				const execution = await this.execution(id);
				return OVER.has(execution.status) && execution;
			},
			timeoutMs,
		);
	}

	/**
	 * Lists executions, newest first, over all pages.
	 *
	 * @param filter as in the editor's list, for instance `{ workflowId, status: ['error'] }`
	 */
	async executions(filter: Record<string, unknown> = {}): Promise<ExecutionSummary[]> {
		// While executions are added, n8n lists some of them on two pages.
		const found = new Map<string, ExecutionSummary>();
		let cursor: string | undefined;
		do {
			const page = await this.call<{ results: ExecutionSummary[]; nextCursor?: string | null }>(
				'GET',
				'/executions',
				undefined,
				{ filter: JSON.stringify(filter), limit: LIST_PAGE, cursor },
			);
			for (const each of page.results) found.set(each.id, each);
			cursor = page.nextCursor ?? undefined;
		} while (cursor !== undefined);
		return [...found.values()];
	}
}

/**
 * The items that a node returned in its last iteration.
 *
 * @param output 0 for the first or only output, 1 for the second, e.g. the error output
 * @returns their `json`, empty if the node did not run
 */
export function outputOf(execution: Execution, node: string, output = 0): unknown[] {
	const last = execution.data.resultData.runData[node]?.at(-1);
	return (last?.data?.main[output] ?? []).map((item) => item.json);
}

/** The reason why an execution failed, as a list of one. Empty if it succeeded. */
export function failureOf({ status, data }: Execution): string[] {
	if (status === 'success') return [];
	const { error, lastNodeExecuted } = data.resultData;
	return [`an execution ended with "${status}" at “${lastNodeExecuted}”: ${error?.message}`];
}
