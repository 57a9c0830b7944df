import { randomUUID } from 'node:crypto';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { importWorkflow } from '../../../dev/n8n/examples.mts';
import { createAgent } from './agents.mts';
import { runToEnd } from './by-hand.mts';
import { type ChatModel, startChatModel, type Turn } from './chat-model.mts';
import { askOverMcp, untilServed } from './mcp.mts';
import type { Scenery } from './use-stage.mts';

/** A way by which a model calls the tools of n8n. */
export interface ToolRoad {
	/** Calls a tool, and gives the text that the model gets back. */
	call: (tool: string, args: object) => Promise<string>;
	close: () => Promise<void>;
}

/** The MCP Server Trigger. */
export async function overMcp(scenery: Scenery, tools: INode[]): Promise<ToolRoad> {
	const { client, credential } = scenery;
	const server = { url: `${scenery.url}/mcp/tools`, token: 'a long random token' };
	const { token } = server;
	const httpBearerAuth = await client.createCredential('MCP', 'httpBearerAuth', { token });
	const parameters = { authentication: 'bearerAuth', path: 'tools' };
	const hub = node('MCP Server Trigger', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, parameters);
	const trigger = { ...hub, webhookId: randomUUID(), credentials: { httpBearerAuth } };
	const { id } = await importWorkflow(client, withTools(trigger, tools), credential);
	await client.activate(id);
	await untilServed(server);
	return {
		call: async (...call) => (await askOverMcp(server, [call])).answers[0].text,
		close: async () => void (await client.deactivate(id)),
	};
}

/** The node *AI Agent*, with a scripted chat model. */
export async function byAiAgent(scenery: Scenery, tools: INode[]): Promise<ToolRoad> {
	const { client, credential } = scenery;
	const turns: Array<() => Turn> = [];
	const model = await startChatModel(turns);
	const data = { apiKey: 'none', url: model.url };
	const openAiApi = await client.createCredential('Chat model', 'openAiApi', data);
	const hub = node('AI Agent', '@n8n/n8n-nodes-langchain.agent', 3, {
		...{ promptType: 'define', text: 'Go', options: {} },
	});
	const chat = node('Chat Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
		model: { __rl: true, mode: 'list', value: 'local' },
		options: {},
	});
	const start = node('Start', 'n8n-nodes-base.manualTrigger', 1);
	const { nodes, connections, ...rest } = withTools(hub, tools);
	const file = {
		...rest,
		nodes: [start, { ...chat, credentials: { openAiApi } }, ...nodes],
		connections: {
			...connections,
			[start.name]: to(hub, 'main'),
			[chat.name]: to(hub, 'ai_languageModel'),
		},
	};
	const workflow = await importWorkflow(client, file, credential);
	return scripted(model, async (...next) => {
		turns.push(...next);
		await runToEnd(scenery, workflow);
	});
}

/** One of n8n's own Agents, with a scripted chat model. */
export async function byAgents(scenery: Scenery, tools: INode[]): Promise<ToolRoad> {
	const { model, chat, close } = await createAgent(scenery, tools);
	return { ...scripted(model, chat), close };
}

function scripted(
	model: ChatModel,
	take: (...turns: Array<() => Turn>) => Promise<unknown>,
): ToolRoad {
	return {
		async call(tool, args) {
			await take(
				() => ({ call: { [tool]: args } }),
				() => ({ say: 'Done' }),
			);
			return model.answers.get(tool)?.at(-1) ?? '';
		},
		close: async () => await model.close(),
	};
}

function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters = {},
): INode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}

function withTools(hub: INode, tools: INode[]) {
	const connections = Object.fromEntries(tools.map(({ name }) => [name, to(hub, 'ai_tool')]));
	const settings = { executionOrder: 'v1' };
	return { name: `Tools of ${hub.name}`, nodes: [hub, ...tools], connections, settings };
}

function to({ name }: INode, type: 'main' | 'ai_tool' | 'ai_languageModel'): IConnections[string] {
	return { [type]: [[{ node: name, type, index: 0 }]] };
}
