import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { IConnections, INode } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/server.mts';
import { stopAll } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import { connect, type Connected } from './connect.mts';
import { importWorkflow } from './examples.mts';
import { installN8n } from './install.mts';
import { startInstance } from './instance.mts';
import { installPackage, packPackage } from './pack.mts';
import { toolNodes } from './tool-nodes.mts';

// Serves every operation of the node as a tool over MCP until Ctrl-C, in the pinned n8n with a local community. Any
// MCP client can list and call them.
const MEMBERS = 120;
const TRIGGER = 'MCP Server Trigger';
const PATH = 'community';

const interrupted = new Promise<void>((resolve) => {
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});
const folder = await temporaryFolder('community-platform-tools');
const userFolder = join(folder.path, 'n8n');
const sandbox = await startSandbox({ members: MEMBERS });
try {
	await installN8n();
	await step('Build and pack the package', async () => {
		await installPackage(await packPackage(folder.path), userFolder);
	});
	const instance = await step('Start n8n', () => startInstance({ userFolder }));
	const token = await serveTools(await connect(sandbox, instance));
	console.log(`
Every operation as a tool, over MCP (streamable HTTP):

  URL             ${instance.url}/mcp/${PATH}
  Bearer token    ${token}
  Community       ${sandbox.baseUrl}

Ctrl-C ends it; nothing is kept.`);
	await interrupted;
} finally {
	await stopAll();
	await sandbox.close();
	await folder.remove();
}
process.exit();

/** @returns the bearer token for clients */
async function serveTools({ client, credential }: Connected): Promise<string> {
	const token = randomUUID();
	const trigger: INode = {
		id: randomUUID(),
		name: TRIGGER,
		webhookId: randomUUID(),
		position: [0, 0],
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		parameters: { authentication: 'bearerAuth', path: PATH },
		credentials: {
			httpBearerAuth: await client.createCredential('MCP', 'httpBearerAuth', { token }),
		},
	};
	const tools = toolNodes();
	const toTrigger = { ai_tool: [[{ node: TRIGGER, type: 'ai_tool' as const, index: 0 }]] };
	const connections: IConnections = Object.fromEntries(tools.map(({ name }) => [name, toTrigger]));
	const workflow = { name: 'Every operation as a tool', nodes: [trigger, ...tools], connections };
	await client.activate((await importWorkflow(client, workflow, credential)).id);
	return token;
}
