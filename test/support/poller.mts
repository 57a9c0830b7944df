import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { buildSync } from 'esbuild';
import { PollContext, WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
	INodeType,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import type { Sandbox } from '../../sandbox/server.mts';
import { additionalData, credentialFor, node, nodeTypes } from './engine.mts';
import { CREDENTIAL } from '../../nodes/shared/transport/api.ts';

const TRIGGER = 'CommunityPlatformPollingTrigger';

/** An active workflow. Its static data is kept between polls as JSON, as in n8n's database. */
export class Poller {
	/** The copy of the trigger that n8n has loaded. */
	type = new CommunityPlatformPollingTrigger() as INodeType;
	/** The node's name, which can change between polls. */
	name = 'Community';
	/** A separate one for each trigger, because the package remembers triggers that have polled in this process. */
	nodeId = randomUUID();
	/** Whether n8n keeps the node's data by its ID, and saves the workflow's data only with an execution (E29). */
	isDurable = false;
	private readonly durable: IDataObject = {};
	private workflowId = 'workflow';
	staticData = '{}';
	credential: Partial<ICredentialDataDecryptedObject> = {};
	/** The time limit of each poll in milliseconds. If unset, n8n's five minutes. */
	budgetMs?: number;
	/** n8n's polling functions while the workflow is active. Without activation, new ones for each poll. */
	private active?: PollContext;

	/** @param community can be replaced later */
	constructor(
		public community: Pick<Sandbox, 'baseUrl' | 'sourceSystem' | 'apiKey'>,
		private readonly parameters: INodeParameters = {},
	) {}

	/** Activates the workflow. n8n polls immediately, and uses the same functions from then on. */
	async activate(mode: WorkflowActivateMode): Promise<IDataObject[]> {
		this.active = this.context(this.workflow(this.parameters), mode);
		return await this.poll();
	}

	/** A poll by n8n's schedule. */
	async poll(parameters: INodeParameters = this.parameters): Promise<IDataObject[]> {
		const context = this.active ?? this.context(this.workflow(parameters));
		const { workflow } = context as unknown as { workflow: Workflow };
		let isMerging = !this.isDurable;
		try {
			const items = await this.type.poll?.call(context);
			isMerging ||= !!items;
			return (items ?? [[]])[0].map(({ json }) => json);
		} finally {
			// n8n saves only changed data, and after an exception it still has them in memory.
			if (workflow.staticData.__dataChanged === true && isMerging) {
				this.staticData = JSON.stringify(workflow.staticData);
			}
		}
	}

	/** The same trigger in another process, which starts with n8n's saved data. */
	restarted(): Poller {
		const poller = new Poller(this.community, this.parameters);
		// A new workflow ID simulates a new process, which remembers no trigger.
		poller.workflowId = randomUUID();
		return Object.assign(poller, { nodeId: this.nodeId, staticData: this.staticData });
	}

	/** A manual test of the workflow. */
	async test(): Promise<IDataObject[]> {
		const workflow = this.workflow(this.parameters);
		const { data } = await new WorkflowExecute(
			this.additionalData(workflow),
			'manual',
			createRunExecutionData(),
		).run({ workflow, startNode: workflow.getNode(this.name) as INode });
		this.staticData = JSON.stringify(workflow.staticData);
		// n8n saves no data if the trigger found no member.
		const [task] = data.resultData.runData[this.name] ?? [];
		return (task?.data?.main[0] ?? []).map(({ json }) => json);
	}

	private context(workflow: Workflow, mode: WorkflowActivateMode = 'update'): PollContext {
		const context = new PollContext(
			workflow,
			workflow.getNode(this.name) as INode,
			this.additionalData(workflow),
			'trigger',
			mode,
		);
		if (this.isDurable) {
			const ofWorkflow = context.getWorkflowStaticData.bind(context);
			const getWorkflowStaticData = (type: string) =>
				type === 'node' ? this.durable : ofWorkflow(type);
			Object.assign(context, { getWorkflowStaticData });
		}
		const { budgetMs } = this;
		if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
		return context;
	}

	private workflow(parameters: INodeParameters): Workflow {
		return new Workflow({
			id: this.workflowId,
			name: 'Workflow',
			active: true,
			settings: { executionOrder: 'v1' },
			staticData: JSON.parse(this.staticData) as IDataObject,
			nodeTypes: nodeTypes({ communityPlatformPollingTrigger: this.type }),
			nodes: [
				{
					...node(this.name, 'communityPlatformPollingTrigger', parameters),
					id: this.nodeId,
					credentials: { [CREDENTIAL]: { id: '1', name: 'Community' } },
				},
			],
			connections: {},
		});
	}

	private additionalData(workflow: Workflow) {
		return additionalData(workflow, credentialFor(this.community, this.credential), 'trigger');
	}
}

/** The trigger with copies of its modules, like those that n8n loads after an update of the package. */
export function loadedAgain(): INodeType {
	const entry = fileURLToPath(
		new URL(`../../nodes/${TRIGGER}/${TRIGGER}.node.ts`, import.meta.url),
	);
	const options = { bundle: true, format: 'cjs', platform: 'node', write: false } as const;
	const built = buildSync({ ...options, entryPoints: [entry], external: ['n8n-workflow'] });
	const loaded = { exports: {} as { CommunityPlatformPollingTrigger: new () => INodeType } };
	compileFunction(built.outputFiles[0].text, ['module', 'require'])(loaded, createRequire(entry));
	return new loaded.exports.CommunityPlatformPollingTrigger();
}

/** Runs a function with this machine in another time zone. */
export async function inTimeZone(zone: string, run: () => Promise<void>): Promise<void> {
	const { TZ } = process.env;
	process.env.TZ = zone;
	await run().finally(() => {
		if (TZ === undefined) delete process.env.TZ;
		else process.env.TZ = TZ;
	});
}
