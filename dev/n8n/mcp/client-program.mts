import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { N8N_FOLDER } from '../paths.mts';
import type { Answer, Call, Offered, Server } from './client.mts';

// A program of its own, because the client comes with n8n, whose libraries stay out of this process. It is the
// SDK's, as assistants have it. Reads the server, then calls, from standard input, one a line; answers in lines.
interface Sdk {
	Client: new (info: { name: string; version: string }) => Client;
	StreamableHTTPClientTransport: new (url: URL, options: object) => object;
}

interface Client {
	connect(transport: object): Promise<void>;
	getInstructions(): string | undefined;
	listTools(): Promise<Pick<Offered, 'tools'>>;
	callTool(call: { name: string; arguments: object }): Promise<Answer>;
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

const lines = createInterface({ input: process.stdin });
const tell = (said: object) => process.stdout.write(`${JSON.stringify(said)}\n`);
let client: Client | undefined;
for await (const line of lines) {
	if (client === undefined) {
		const { url, token } = JSON.parse(line) as Server;
		client = new Client({ name: 'assistant', version: '1.0.0' });
		const headers = { authorization: `Bearer ${token}` };
		await client.connect(
			new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
		);
		const { tools } = await client.listTools();
		tell({ instructions: client.getInstructions(), tools } satisfies Offered);
	} else {
		const [name, args] = JSON.parse(line) as Call;
		tell(await client.callTool({ name, arguments: args }));
	}
}
await client?.close();
