import { fastify } from 'fastify';
import type { AddressInfo } from 'node:net';

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const COMPLETION = { id: 'completion', created: 0, model: 'local', usage: USAGE };

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

/** The model's next action: it calls tools, or answers, which ends its turn. */
export type Turn = { call: Record<string, object> } | { say: string };

/** A chat model with scripted turns. */
export interface ChatModel {
	/** The base URL for n8n's OpenAI credential. */
	url: string;
	/** The tools in the last request. */
	tools: OfferedTool[];
	/** The answers of each tool, in order. */
	answers: Map<string, string[]>;
	close: () => Promise<void>;
}

/** Starts a local server with OpenAI's chat completions API. Each turn receives the tools' answers so far. */
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
		const message = messageOf(turn, next(model.answers));
		if (body.stream === true) return reply.type('text/event-stream').send(eventsOf(message));
		return {
			...COMPLETION,
			object: 'chat.completion',
			choices: [{ index: 0, message, ...endOf(message) }],
		};
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

function messageOf(number: number, turn: Turn): Message {
	if ('say' in turn) return { role: 'assistant', content: turn.say };
	const calls = Object.entries(turn.call).map(([name, args], index): ToolCall => ({
		id: `call_${number}_${index}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(args) },
	}));
	return { role: 'assistant', content: null, tool_calls: calls };
}

const endOf = ({ tool_calls: calls }: Message) => ({
	finish_reason: calls ? 'tool_calls' : 'stop',
});

// The same as server-sent events, with the whole message in the first one.
function eventsOf(message: Message): string {
	const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
	const parts = [
		{ index: 0, delta: { ...message, tool_calls: calls }, finish_reason: null },
		{ index: 0, delta: {}, ...endOf(message) },
	];
	const chunks = parts.map((part) =>
		JSON.stringify({ ...COMPLETION, object: 'chat.completion.chunk', choices: [part] }),
	);
	return [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}
