import { execa } from 'execa';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../paths.mts';

const PROGRAM = join(PROJECT_FOLDER, 'n8n/mcp/client-program.mts');
const TIMEOUT_MS = 40_000;

/** The requests of an assistant to an MCP server. */
export interface Asked {
	url: string;
	/** Sent as the bearer's. */
	token: string;
	/** Tools to call, one after another, each with its arguments. */
	calls: Array<[tool: string, args: object]>;
}

/** The answers of the server. */
export interface Told {
	instructions?: string;
	tools: Array<{
		name: string;
		description: string;
		inputSchema: {
			properties?: Record<string, { type?: string; description?: string }>;
			required?: string[];
		};
	}>;
	/** What each call gave back. */
	answers: Array<{ content: Array<{ type: string; text: string }>; isError?: boolean }>;
}

/**
 * Talks to an MCP server as an assistant does, over streamable HTTP.
 *
 * @throws what the client said, when the server does not let it in
 */
export async function askOverMcp(asked: Asked): Promise<Told> {
	const { stdout } = await execa(process.execPath, ['--import', 'tsx', PROGRAM], {
		cwd: PROJECT_FOLDER,
		input: JSON.stringify(asked),
		timeout: TIMEOUT_MS,
	});
	return JSON.parse(stdout) as Told;
}
