import { execa } from 'execa';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROJECT_FOLDER } from '../paths.mts';

const PROGRAM = join(PROJECT_FOLDER, 'dev/n8n/mcp/client-program.mts');
const TIMEOUT_MS = 40_000;

/** An MCP server. */
export interface Server {
	url: string;
	/** Sent as the bearer's. */
	token: string;
}

/** A tool to call, with its arguments. */
export type Call = [tool: string, args: object];

/** What a server offers. */
export interface Offered {
	instructions?: string;
	tools: Array<{
		name: string;
		description: string;
		inputSchema: {
			properties?: Record<string, { type?: string; description?: string }>;
			required?: string[];
		};
	}>;
}

/** What a call gave back. */
export interface Answer {
	content: Array<{ type: string; text: string }>;
	isError?: boolean;
}

/** The requests of an assistant to an MCP server. */
export interface Asked extends Server {
	/** Called one after another. */
	calls: Call[];
}

/** The answers of the server. */
export interface Told extends Offered {
	answers: Answer[];
}

/** A connection to an MCP server. */
export interface McpConnection extends Offered {
	/** Calls a tool; one call at a time. */
	call: (...call: Call) => Promise<Answer>;
	close: () => Promise<void>;
}

/**
 * Connects to an MCP server as an assistant does, over streamable HTTP.
 *
 * @throws what the client said, when the server does not let it in; so does each call that it gives up
 */
export async function connectOverMcp({ url, token }: Server): Promise<McpConnection> {
	const child = execa(process.execPath, ['--import', 'tsx', PROGRAM], {
		cwd: PROJECT_FOLDER,
		buffer: false,
		reject: false,
	});
	const { stdin, stdout, stderr } = child;
	if (!stdin || !stdout || !stderr) throw new Error('The client has no streams');
	const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
	let said = '';
	stderr.on('data', (text) => (said += String(text)));
	const ask = async <T,>(question: unknown): Promise<T> => {
		const giveUp = setTimeout(() => child.kill(), TIMEOUT_MS);
		stdin.write(`${JSON.stringify(question)}\n`);
		const { value, done } = await lines.next();
		clearTimeout(giveUp);
		if (done) {
			await child;
			throw new Error(`The MCP client ended: ${said}`);
		}
		return JSON.parse(value as string) as T;
	};
	const offered = await ask<Offered>({ url, token });
	return {
		...offered,
		call: async (...call) => await ask<Answer>(call),
		async close() {
			stdin.end();
			await child;
		},
	};
}

/**
 * Connects to an MCP server, calls tools and leaves.
 *
 * @throws what the client said, when the server does not let it in
 */
export async function askOverMcp({ calls, ...server }: Asked): Promise<Told> {
	const { call, close, ...offered } = await connectOverMcp(server);
	const answers: Answer[] = [];
	try {
		for (const each of calls) answers.push(await call(...each));
	} finally {
		await close();
	}
	return { ...offered, answers };
}
