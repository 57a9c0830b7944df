import { WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.mts';
import { credentialFor, additionalData, asTool, node, nodeTypes } from './engine.mts';
import { CREDENTIAL } from '../../nodes/shared/transport/api.ts';

/** A node as a tool, as n8n presents it to an agent. */
interface Tool {
	name: string;
	description: string;
	schema: { shape: Record<string, { description?: string }> };
	/** Calls it with arguments that fit the schema. */
	invoke(args: IDataObject): Promise<string>;
	/** Calls it with the model's arguments, without a check. */
	func(args: IDataObject): Promise<string>;
}

export interface ToolCalls {
	description: string;
	/** The arguments for the model, with their descriptions. */
	args: Record<string, string | undefined>;
	/** The tool's answer to each call, or the message of the failure. */
	answers: string[];
}

/**
 * Calls the node as an agent's tool, through the real engine.
 *
 * @param parameters of the tool, with `$fromAI()` where the model decides
 * @param decisions the model's arguments for each call. All calls are in one execution
 */
export async function callAsTool(
	sandbox: Sandbox,
	parameters: INodeParameters,
	...decisions: IDataObject[]
): Promise<ToolCalls> {
	return await callEach(sandbox, parameters, decisions, 'invoke');
}

/** The same for an agent that does not check arguments against the schema, as n8n's AI Agent since its version 3. */
export async function callUnchecked(
	sandbox: Sandbox,
	parameters: INodeParameters,
	...decisions: IDataObject[]
): Promise<string[]> {
	const { answers } = await callEach(sandbox, parameters, decisions, 'func');
	return answers;
}

/** The same for a tool with "Retry On Fail". */
export async function callRetrying(
	sandbox: Sandbox,
	parameters: INodeParameters,
	...decisions: IDataObject[]
): Promise<string[]> {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const { answers } = await callEach(sandbox, parameters, decisions, 'invoke', settings);
	return answers;
}

async function callEach(
	sandbox: Sandbox,
	parameters: INodeParameters,
	decisions: IDataObject[],
	way: 'invoke' | 'func',
	settings: Partial<INode> = {},
): Promise<ToolCalls> {
	const calls: ToolCalls = { description: '', args: {}, answers: [] };
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Workflow',
		active: false,
		nodeTypes: nodeTypes({ agent: agent(decisions, calls, way), communityPlatformTool: asTool() }),
		nodes: [
			node('Agent', 'agent', {}),
			{
				...node('Community', 'communityPlatformTool', parameters),
				...settings,
				credentials: { [CREDENTIAL]: { id: '1', name: 'Community' } },
			},
		],
		connections: {
			Community: { ai_tool: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]] },
		},
	});
	const data = additionalData(workflow, credentialFor(sandbox));
	const execution = new WorkflowExecute(data, 'manual', createRunExecutionData());
	const startNode = workflow.getNode('Agent') ?? undefined;
	const run = await execution.run({ workflow, startNode });
	if (run.data.resultData.error) throw run.data.resultData.error;
	return calls;
}

function agent(decisions: IDataObject[], calls: ToolCalls, way: 'invoke' | 'func'): INodeType {
	return {
		description: {
			displayName: 'Agent',
			name: 'agent',
			group: [],
			version: 1,
			description: '',
			defaults: {},
			inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			const tools = await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
			const [tool] = tools as Tool[];
			calls.description = tool.description;
			for (const [name, { description }] of Object.entries(tool.schema.shape)) {
				calls.args[name] = description;
			}
			for (const args of decisions) {
				const answer = await tool[way](args).catch((error: Error) => error.message);
				calls.answers.push(answer);
			}
			return [[{ json: {} }]];
		},
	};
}
