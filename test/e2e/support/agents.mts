import type { INode } from 'n8n-workflow';
import { CREDENTIAL } from '../../../nodes/shared/transport/api.ts';
import { type ChatModel, startChatModel, type Turn } from './chat-model.mts';
import type { Fixture } from './use-fixture.mts';

/** A tool call that waits for a person's approval. */
export interface Suspended {
	runId: string;
	toolCallId: string;
	toolName: string;
}

type Turns = Array<() => Turn>;

/** One of n8n's own Agents (not the node of that name), with a scripted chat model. */
export interface Agent {
	model: ChatModel;
	/** Sends a message, so that the agent takes some turns, and returns the calls that wait for approval. */
	chat: (...turns: Turns) => Promise<Suspended[]>;
	/** Approves or declines a call, so that the agent takes further turns. */
	resume: (suspended: Suspended, approved: boolean, ...turns: Turns) => Promise<Suspended[]>;
	close: () => Promise<void>;
}

interface Event {
	type: string;
	message?: string;
	payload?: Suspended;
}

/**
 * Creates one of n8n's own Agents. It calls the node's `execute` for a tool, outside of a workflow (n8n,
 * `EphemeralNodeExecutor`).
 *
 * @param tools as in a workflow
 * @param requireApproval whether a person must approve each call
 */
export async function createAgent(
	{ client, credential }: Pick<Fixture, 'client' | 'credential'>,
	tools: INode[],
	requireApproval = false,
): Promise<Agent> {
	const turns: Turns = [];
	const model = await startChatModel(turns);
	const data = { apiKey: 'none', url: model.url };
	const chatModel = await client.createCredential('Chat model', 'openAiApi', data);
	const { id: project } = await client.call<{ id: string }>('GET', '/projects/personal');
	const path = `/projects/${project}/agents/v2`;
	const name = 'Keeper of the community';
	const { id } = await client.call<{ id: string }>('POST', `${path}/`, {
		name,
		schema: {
			name,
			model: 'openai/local',
			credential: chatModel.id,
			instructions: 'Do as told.',
			tools: tools.map((tool) => ({
				type: 'node',
				name: tool.name,
				requireApproval,
				node: {
					nodeType: tool.type,
					nodeTypeVersion: tool.typeVersion,
					nodeParameters: tool.parameters,
					credentials: { [CREDENTIAL]: credential },
				},
			})),
		},
	});
	const ask = async (to: string, body: object, next: Turns) => {
		turns.push(...next);
		const events = await client.events<Event>(`${path}/${id}/${to}`, body);
		const failed = events.find(({ type }) => type === 'error');
		if (failed) throw new Error(failed.message);
		return events.flatMap(({ type, payload }) =>
			type === 'tool-call-suspended' && payload ? [payload] : [],
		);
	};
	return {
		model,
		chat: async (...next) => await ask('chat', { message: 'Go' }, next),
		resume: async ({ runId, toolCallId }, approved, ...next) =>
			await ask('chat/resume', { runId, toolCallId, resumeData: { approved } }, next),
		async close() {
			await client.call('DELETE', `${path}/${id}`);
			await model.close();
		},
	};
}
