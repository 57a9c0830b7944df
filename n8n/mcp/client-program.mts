import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { N8N_FOLDER } from '../paths.mts';
import type { Asked, Told } from './client.mts';

// A program of its own, because the client comes with n8n, whose libraries stay out of this process. It is the
// SDK's, as assistants have it. Reads what to do from standard input, writes the results.
interface Sdk {
	Client: new (info: { name: string; version: string }) => Client;
	StreamableHTTPClientTransport: new (url: URL, options: object) => object;
}

interface Client {
	connect(transport: object): Promise<void>;
	getInstructions(): string | undefined;
	listTools(): Promise<Pick<Told, 'tools'>>;
	callTool(call: { name: string; arguments: object }): Promise<Told['answers'][number]>;
	close(): Promise<void>;
}

const { resolve } = createRequire(join(N8N_FOLDER, 'package.json'));
const load = async (part: string) =>
	(await import(
		pathToFileURL(resolve(`@modelcontextprotocol/sdk/client/${part}.js`)).href
	)) as Partial<Sdk>;
const { Client, StreamableHTTPClientTransport } = {
	...(await load('index')),
	...(await load('streamableHttp')),
} as Sdk;

const { url, token, calls } = JSON.parse(await text(process.stdin)) as Asked;
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(
	new StreamableHTTPClientTransport(new URL(url), {
		requestInit: { headers: { authorization: `Bearer ${token}` } },
	}),
);
const { tools } = await client.listTools();
const answers: Told['answers'] = [];
for (const [name, args] of calls) {
	answers.push(await client.callTool({ name, arguments: args }));
}
const told: Told = { instructions: client.getInstructions(), tools, answers };
await client.close();
process.stdout.write(JSON.stringify(told));
