import { randomUUID } from 'node:crypto';
import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import { nodeNameToToolName } from 'n8n-workflow';
import { importWorkflow } from '../../../dev/n8n/examples.mts';
import { connectOverMcp } from '../../../dev/n8n/mcp/client.mts';
import { serveTools } from '../../../dev/n8n/mcp/serve.mts';
import { type Told, toolNodes } from '../../../dev/n8n/mcp/tool-nodes.mts';
import { createAgent } from './agents.mts';
import { runToEnd } from './by-hand.mts';
import { type ChatModel, type OfferedTool, startChatModel, type Turn } from './chat-model.mts';
import type { Scenery } from './use-stage.mts';

/** A call of a tool: what is not given is given as empty, because n8n asks a model for every argument. */
export type Call = [tool: string, given?: object];

/** What a model gets back for a call: items, or the text of a failure. */
export interface Answer {
	items: IDataObject[];
	failed: string;
}

/** What a model is told of a tool, and of each argument. */
export interface Offer {
	description: string;
	args: Record<string, string | undefined>;
}

/** A way by which a model calls the tools of n8n. */
export interface ToolRoad {
	/** The tools that a model is offered, by their names. */
	offered: () => Promise<Map<string, Offer>>;
	/** Calls tools one after another. */
	call: (...calls: Call[]) => Promise<Answer[]>;
	close: () => Promise<void>;
}

const ARGUMENT = /\$fromAI\('([^']+)', `[^`]*`, '(\w+)'\)/g;
const NOTHING: Record<string, unknown> = { string: '', number: 1, boolean: false };

/**
 * The MCP Server Trigger, with a tool for each operation.
 *
 * @param told what a model is told of the parameters
 * @param more tools beside those
 */
export async function overMcp(
	{ client, url, credential }: Scenery,
	told: Told,
	more: INode[],
): Promise<ToolRoad> {
	const server = await serveTools(client, url, credential, told, more);
	const connection = await connectOverMcp(server);
	const complete = completer([...toolNodes(told), ...more]);
	return {
		offered: async () =>
			await Promise.resolve(
				offersOf(connection.tools.map((tool) => ({ ...tool, parameters: tool.inputSchema }))),
			),
		async call(...calls) {
			const answers: Answer[] = [];
			for (const each of calls.map(complete)) {
				const { content, isError } = await connection.call(...each);
				const text = content.map((part) => part.text).join('\n');
				answers.push(
					isError === true
						? { items: [], failed: text }
						: { items: JSON.parse(text) as IDataObject[], failed: '' },
				);
			}
			return answers;
		},
		async close() {
			await connection.close();
			await client.deactivate(server.workflowId);
		},
	};
}

/** The node *AI Agent*, with a scripted chat model and the same tools. */
export async function byAiAgent(scenery: Scenery, told: Told, more: INode[]): Promise<ToolRoad> {
	const { client, credential } = scenery;
	const turns: Array<() => Turn> = [];
	const model = await startChatModel(turns);
	const data = { apiKey: 'none', url: model.url };
	const openAiApi = await client.createCredential('Chat model', 'openAiApi', data);
	const tools = [...toolNodes(told), ...more];
	const workflow = await importWorkflow(client, agentWith(tools, openAiApi), credential);
	return scripted(model, tools, async (...next) => {
		turns.push(...next);
		await runToEnd(scenery, workflow);
	});
}

/** One of n8n's own Agents, with a scripted chat model and the same tools. */
export async function byAgents(scenery: Scenery, told: Told, more: INode[]): Promise<ToolRoad> {
	const tools = [...toolNodes(told), ...more];
	const { model, chat, close } = await createAgent(scenery, tools);
	return { ...scripted(model, tools, chat), close };
}

function scripted(
	model: ChatModel,
	tools: INode[],
	take: (...turns: Array<() => Turn>) => Promise<unknown>,
): ToolRoad {
	const complete = completer(tools);
	const done = () => ({ say: 'Done' });
	return {
		async offered() {
			await take(done);
			return offersOf(model.tools);
		},
		async call(...calls) {
			const turns = calls.map(complete).map(([tool, args]) => () => ({ call: { [tool]: args } }));
			await take(...turns, done);
			return calls.map(([tool]) => answerIn(model.answers.get(tool)?.shift() ?? ''));
		},
		close: async () => await model.close(),
	};
}

function offersOf(tools: OfferedTool[]): Map<string, Offer> {
	return new Map(
		tools.map(({ name, description, parameters: { properties = {} } }) => {
			const args = Object.entries(properties).map(([key, told]) => [key, told.description]);
			return [name, { description, args: Object.fromEntries(args) as Offer['args'] }];
		}),
	);
}

// The node gives the items themselves, n8n's own Agents what n8n has of them, and each a failure's message as "error".
function answerIn(text: string): Answer {
	const said = JSON.parse(text) as IDataObject | IDataObject[];
	const all = Array.isArray(said)
		? said
		: ((said.data as Array<{ json: IDataObject }>)?.map(({ json }) => json) ?? [said]);
	const [{ error } = {}] = all;
	return typeof error === 'string' ? { items: [], failed: error } : { items: all, failed: '' };
}

function agentWith(tools: INode[], openAiApi: { id: string; name: string }) {
	const base = (name: string, type: string, typeVersion: number): INode => ({
		...{ id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters: {} },
	});
	const agent = {
		...base('AI Agent', '@n8n/n8n-nodes-langchain.agent', 3),
		parameters: { promptType: 'define', text: 'Go', options: {} },
	};
	const chat = {
		...base('Chat Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2),
		parameters: { model: { __rl: true, mode: 'list', value: 'local' }, options: {} },
		credentials: { openAiApi },
	};
	const start = base('Start', 'n8n-nodes-base.manualTrigger', 1);
	const to = (type: 'main' | 'ai_tool' | 'ai_languageModel') => ({
		[type]: [[{ node: agent.name, type, index: 0 }]],
	});
	const connections = {
		[start.name]: to('main'),
		[chat.name]: to('ai_languageModel'),
		...Object.fromEntries(tools.map(({ name }) => [name, to('ai_tool')])),
	} as IConnections;
	const nodes = [start, agent, chat, ...tools];
	return { name: 'Every tool of an agent', nodes, connections, settings: { executionOrder: 'v1' } };
}

// The arguments of each tool that are not given, as empty as their types allow.
function completer(tools: INode[]): (call: Call) => [tool: string, args: object] {
	const empty = new Map(
		tools.map(({ name, parameters }) => {
			const args = [...JSON.stringify(parameters).matchAll(ARGUMENT)];
			const values = args.map(([, key, type]) => [key, NOTHING[type]]);
			return [nodeNameToToolName(name), Object.fromEntries(values) as object];
		}),
	);
	return ([tool, given = {}]) => {
		return [tool, { ...empty.get(tool), ...given }];
	};
}
