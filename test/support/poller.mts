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

const TRIGGER = 'CommunityPlatformPollingTrigger';

/** An active workflow whose static data lives on between polls, through JSON as in n8n's database. */
export class Poller {
	/** The copy of the trigger that n8n has loaded. */
	type = new CommunityPlatformPollingTrigger() as INodeType;
	/** The node's name, which may change between polls. */
	name = 'Community';
	/** One of its own for each trigger, because the package knows triggers that have polled in this process. */
	nodeId = randomUUID();
	/** Whether n8n keeps the node's data by its ID, and saves those of the workflow only with an execution (E29). */
	isDurable = false;
	private readonly durable: IDataObject = {};
	private workflowId = 'workflow';
	staticData = '{}';
	credential: Partial<ICredentialDataDecryptedObject> = {};
	/** Milliseconds that n8n gives each poll; n8n's own five minutes unless set. */
	budgetMs?: number;
	/** The functions that n8n polls with while the workflow is active; new ones for each poll unless activated. */
	private active?: PollContext;

	/** @param community may be another one later on */
	constructor(
		public community: Pick<Sandbox, 'baseUrl' | 'sourceSystem' | 'apiKey'>,
		private readonly parameters: INodeParameters = {},
	) {}

	/** Activates the workflow: n8n polls at once, and with the same functions from then on. */
	async activate(mode: WorkflowActivateMode): Promise<IDataObject[]> {
		this.active = this.context(this.workflow(this.parameters), mode);
		return await this.poll();
	}

	/** One poll as n8n's schedule makes it. */
	async poll(parameters: INodeParameters = this.parameters): Promise<IDataObject[]> {
		const context = this.active ?? this.context(this.workflow(parameters));
		const { workflow } = context as unknown as { workflow: Workflow };
		let isMerging = !this.isDurable;
		try {
			const items = await this.type.poll?.call(context);
			isMerging ||= !!items;
			return (items ?? [[]])[0].map(({ json }) => json);
		} finally {
			// n8n saves nothing when nothing has changed, and after an exception it has it in memory.
			if (workflow.staticData.__dataChanged === true && isMerging) {
				this.staticData = JSON.stringify(workflow.staticData);
			}
		}
	}

	/** The same trigger in another process, which begins with what n8n has kept. */
	restarted(): Poller {
		const poller = new Poller(this.community, this.parameters);
		// A process that has just started knows no trigger: a new workflow ID stands for it.
		poller.workflowId = randomUUID();
		return Object.assign(poller, { nodeId: this.nodeId, staticData: this.staticData });
	}

	/** A run of the workflow by hand. */
	async test(): Promise<IDataObject[]> {
		const workflow = this.workflow(this.parameters);
		const { data } = await new WorkflowExecute(
			this.additionalData(workflow),
			'manual',
			createRunExecutionData(),
		).run({ workflow, startNode: workflow.getNode(this.name) as INode });
		this.staticData = JSON.stringify(workflow.staticData);
		// n8n keeps nothing of a trigger that found no member.
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
					credentials: { communityPlatformApi: { id: '1', name: 'Community' } },
				},
			],
			connections: {},
		});
	}

	private additionalData(workflow: Workflow) {
		return additionalData(workflow, credentialFor(this.community, this.credential), 'trigger');
	}
}

/** The trigger with a copy of each of its modules, which n8n loads after an update of the package. */
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

/** Runs with this machine in another time zone. */
export async function inTimeZone(zone: string, run: () => Promise<void>): Promise<void> {
	const { TZ } = process.env;
	process.env.TZ = zone;
	await run().finally(() => {
		if (TZ === undefined) delete process.env.TZ;
		else process.env.TZ = TZ;
	});
}
