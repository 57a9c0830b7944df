import axios from 'axios';
import { until } from '../../../dev/tools/wait.mts';

const PROTOCOL = '2025-03-26';
const TIMEOUT_MS = 30_000;

export interface Server {
	url: string;
	/** Sent as a bearer token. */
	token: string;
}

/** A tool to call, with its arguments. */
export type Call = [tool: string, args: object];

/** The tools of a server. */
export interface Offered {
	instructions?: string;
	tools: Array<{
		name: string;
		description: string;
		inputSchema: { properties?: Record<string, { description?: string }> };
	}>;
}

/**
 * Acts as an assistant. Connects to an MCP server over streamable HTTP, lists its tools, and calls some in turn.
 *
 * @throws if the server denies access or refuses a request
 */
export async function askOverMcp(
	{ url, token }: Server,
	calls: Call[] = [],
): Promise<Offered & { answers: Array<{ text: string; failed: boolean }> }> {
	const headers: Record<string, string> = {
		authorization: `Bearer ${token}`,
		accept: 'application/json, text/event-stream',
	};
	let id = 0;
	const send = async <T,>(method: string, params: object): Promise<T> => {
		const number = method.startsWith('notifications/') ? {} : { id: ++id };
		const message = { jsonrpc: '2.0', method, params, ...number };
		const how = { headers, proxy: false, responseType: 'text' } as const;
		const answer = await axios.post<string>(url, message, how);
		const session = answer.headers['mcp-session-id'] as string | undefined;
		if (session) headers['mcp-session-id'] = session;
		// An event or plain JSON.
		const [data = answer.data] = answer.data.match(/(?<=^data: ).*$/m) ?? [];
		const { result, error } = JSON.parse(data || '{}') as {
			result: T;
			error?: { message: string };
		};
		if (error) throw new Error(error.message);
		return result;
	};
	const client = { name: 'assistant', version: '1.0.0' };
	const { instructions } = await send<Offered>('initialize', {
		protocolVersion: PROTOCOL,
		capabilities: {},
		clientInfo: client,
	});
	await send('notifications/initialized', {});
	const { tools } = await send<Offered>('tools/list', {});
	const answers: Array<{ text: string; failed: boolean }> = [];
	for (const [name, args] of calls) {
		const { content, isError = false } = await send<{
			content: Array<{ text: string }>;
			isError?: boolean;
		}>('tools/call', { name, arguments: args });
		answers.push({ text: content.map(({ text }) => text).join('\n'), failed: isError });
	}
	return { instructions, tools, answers };
}

/** Waits until n8n serves tools at an address, because it answers 404 until then. */
export async function untilServed(server: Server): Promise<void> {
	const isServed = async () => await askOverMcp(server).catch(() => undefined);
	await until('n8n to serve the tools', isServed, TIMEOUT_MS);
}
