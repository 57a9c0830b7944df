import { fastify } from 'fastify';
import type { AddressInfo } from 'node:net';

/** One message of a conversation, in the form of the OpenAI chat completions API. */
export interface Message {
	role: string;
	content: string | null;
	tool_call_id?: string;
	tool_calls?: ToolCall[];
}

interface ToolCall {
	id: string;
	type: 'function';
	function: { name: string; arguments: string };
}

/** A tool that the model was offered. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties?: Record<string, unknown>; required?: string[] };
}

/** What the model does next: calls tools, or says something, which ends its turn. */
export type Turn = { call: Record<string, object> } | { say: string };

/** A chat model with scripted turns. */
export interface ChatModel {
	/** Base address, as the OpenAI credential of n8n takes it. */
	url: string;
	/** The tools it was offered at last. */
	tools: OfferedTool[];
	/** What tools answered, by the name of the tool; several answers one after another. */
	answers: Map<string, string[]>;
	close: () => Promise<void>;
}

/**
 * Starts a local server that speaks the chat completions API of OpenAI, so that an AI agent can be
 * tested without a paid model.
 *
 * @param turns its turns; each gets the answers of the tools so far
 */
export async function startChatModel(
	turns: Array<(answers: ChatModel['answers']) => Turn>,
): Promise<ChatModel> {
	const app = fastify();
	const model: ChatModel = {
		url: '',
		tools: [],
		answers: new Map(),
		close: async () => await app.close(),
	};
	let turn = 0;
	app.post<{ Body: { messages: Message[]; tools?: Array<{ function: OfferedTool }> } }>(
		'/v1/chat/completions',
		({ body }) => {
			model.tools = (body.tools ?? []).map((tool) => tool.function);
			model.answers = answersIn(body.messages);
			const next = turns[turn++];
			if (next === undefined) throw new Error('The model was asked more often than it has turns');
			return completion(turn, next(model.answers));
		},
	);
	await app.listen({ host: '127.0.0.1', port: 0 });
	model.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`;
	return model;
}

function answersIn(messages: Message[]): ChatModel['answers'] {
	const names = new Map(
		messages
			.flatMap(({ tool_calls = [] }) => tool_calls)
			.map((call) => [call.id, call.function.name]),
	);
	const answers: ChatModel['answers'] = new Map();
	for (const { role, tool_call_id = '', content } of messages) {
		const name = names.get(tool_call_id);
		if (role !== 'tool' || name === undefined) continue;
		answers.set(name, [...(answers.get(name) ?? []), content ?? '']);
	}
	return answers;
}

function completion(number: number, turn: Turn): object {
	const message: Message =
		'say' in turn
			? { role: 'assistant', content: turn.say }
			: {
					role: 'assistant',
					content: null,
					tool_calls: Object.entries(turn.call).map(([name, given], index) => ({
						id: `call_${number}_${index}`,
						type: 'function',
						function: { name, arguments: JSON.stringify(given) },
					})),
				};
	return {
		id: `completion_${number}`,
		object: 'chat.completion',
		created: 0,
		model: 'local',
		choices: [{ index: 0, message, finish_reason: 'say' in turn ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
