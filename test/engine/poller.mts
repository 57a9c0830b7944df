import { PollContext, PollTriggerExecutor, TriggersAndPollers, WorkflowExecute } from 'n8n-core';
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
import { additionalData, node, nodeTypes } from './engine.mts';

/** An active workflow whose static data lives on between polls, through JSON as in n8n's database. */
export class Poller {
	private readonly type = new CommunityPlatformPollingTrigger() as INodeType;
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
		try {
			const items = await this.type.poll?.call(context);
			return (items ?? [[]])[0].map(({ json }) => json);
		} finally {
			// n8n saves nothing when nothing has changed, and after an exception it has it in memory.
			if (workflow.staticData.__dataChanged === true) {
				this.staticData = JSON.stringify(workflow.staticData);
			}
		}
	}

	/** One failing poll by n8n's own schedule: the error that n8n gets. */
	async failing(): Promise<Error> {
		const workflow = this.workflow(this.parameters);
		const context = this.context(workflow);
		const emitted = new Promise<Error>((resolve, reject) => {
			Object.assign(context, {
				__emitError: resolve,
				__emit: () => reject(new Error('There are items')),
			});
		});
		const span = { setStatus: () => {} };
		const inSpan = async (_: object, run: (in_: object) => Promise<void>) => await run(span);
		const logger = { debug: () => {}, error: () => {} };
		const executor = new PollTriggerExecutor(
			{ scoped: () => logger } as never,
			new TriggersAndPollers(),
			{
				startNewTraceSpan: inSpan,
				pickWorkflowAttributes: () => ({}),
				pickNodeAttributes: () => ({}),
			} as never,
			{ error: () => {} } as never,
		);
		await executor.create(workflow, context.getNode(), context, () => true)();
		return await emitted;
	}

	/** A run of the workflow by hand. */
	async test(): Promise<IDataObject[]> {
		const workflow = this.workflow(this.parameters);
		const { data } = await new WorkflowExecute(
			this.additionalData(workflow),
			'manual',
			createRunExecutionData(),
		).run({ workflow, startNode: workflow.getNode('Community') as INode });
		this.staticData = JSON.stringify(workflow.staticData);
		// n8n keeps nothing of a trigger that found no member.
		const [task] = data.resultData.runData.Community ?? [];
		return (task?.data?.main[0] ?? []).map(({ json }) => json);
	}

	private context(workflow: Workflow, mode: WorkflowActivateMode = 'update'): PollContext {
		const context = new PollContext(
			workflow,
			workflow.getNode('Community') as INode,
			this.additionalData(workflow),
			'trigger',
			mode,
		);
		const { budgetMs } = this;
		if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
		return context;
	}

	private workflow(parameters: INodeParameters): Workflow {
		return new Workflow({
			id: 'workflow',
			name: 'Workflow',
			active: true,
			settings: { executionOrder: 'v1' },
			staticData: JSON.parse(this.staticData) as IDataObject,
			nodeTypes: nodeTypes({ communityPlatformPollingTrigger: this.type }),
			nodes: [
				{
					...node('Community', 'communityPlatformPollingTrigger', parameters),
					credentials: { communityPlatformApi: { id: '1', name: 'Community' } },
				},
			],
			connections: {},
		});
	}

	private additionalData(workflow: Workflow) {
		const { baseUrl, sourceSystem, apiKey } = this.community;
		const credential = { baseUrl, sourceSystem, apiKey, ...this.credential };
		return additionalData(workflow, credential as ICredentialDataDecryptedObject, 'trigger');
	}
}
