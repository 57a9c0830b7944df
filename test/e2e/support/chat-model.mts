import { fastify } from 'fastify';
import type { AddressInfo } from 'node:net';

/** One message of a conversation, in the form of the OpenAI chat completions API. */
export interface Message {
	role: string;
	content: string | null;
	tool_call_id?: string;
	tool_calls?: ToolCall[];
}

interface Asked {
	messages: Message[];
	tools?: Array<{ function: OfferedTool }>;
	stream?: boolean;
}

interface Completion {
	object: string;
	choices: Array<{ index: number; message: Message; finish_reason: string }>;
	usage: object;
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
	parameters: { properties?: Record<string, { description?: string }>; required?: string[] };
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
	app.post<{ Body: Asked }>('/v1/chat/completions', ({ body }, reply) => {
		model.tools = (body.tools ?? []).map((tool) => tool.function);
		model.answers = answersIn(body.messages);
		const next = turns[turn++];
		if (next === undefined) throw new Error('The model was asked more often than it has turns');
		const answer = completion(turn, next(model.answers));
		if (body.stream !== true) return answer;
		return reply.type('text/event-stream').send(eventsOf(answer));
	});
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

function completion(number: number, turn: Turn): Completion {
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
		...{ id: `completion_${number}`, object: 'chat.completion', created: 0, model: 'local' },
		choices: [{ index: 0, message, finish_reason: 'say' in turn ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

// The same as server-sent events, all of the message in the first.
function eventsOf(completed: Completion): string {
	const [{ message, finish_reason }] = completed.choices;
	const { tool_calls: calls = [], ...rest } = message;
	const delta = { ...rest, tool_calls: calls.map((call, index) => ({ index, ...call })) };
	const parts = [
		{ index: 0, delta: calls.length > 0 ? delta : rest, finish_reason: null },
		{ index: 0, delta: {}, finish_reason },
	];
	const chunks = parts.map((choice) =>
		JSON.stringify({ ...completed, object: 'chat.completion.chunk', choices: [choice] }),
	);
	return [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}
