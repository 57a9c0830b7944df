import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSandbox } from '../../sandbox/server.mts';
import { stopAll } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import { N8nClient } from './client.mts';
import { CREDENTIAL_TYPE } from './examples.mts';
import { startInstance } from './instance.mts';
import { launcher } from './launcher.mts';
import { askOverMcp } from './mcp/client.mts';
import { serveTools, type ToolServer } from './mcp/serve.mts';
import type { Told } from './mcp/tool-nodes.mts';
import { installPackage, packPackage } from './pack.mts';
import { PROJECT_FOLDER } from './paths.mts';

// `npm run tools` serves every operation over MCP, once with what n8n sets by itself and once with the
// descriptions of docs/tools.md. In another terminal, `npm run tools -- list` shows the tools, and
// `npm run tools -- call User_Get '{"User":"42.a1b2c3"}'` calls one; `--told labels` takes the first of the two.
const SERVERS = join(PROJECT_FOLDER, '.demo/tools.json');
const MEMBERS = 120;

type Servers = Record<Told, ToolServer>;

try {
	const { values, positionals } = parseArgs({
		options: { told: { type: 'string', default: 'descriptions' } },
		allowPositionals: true,
	});
	const [command = 'serve', ...rest] = positionals;
	if (command === 'serve') await serve();
	else if (command === 'list') await list(values.told as Told);
	else if (command === 'call') await call(values.told as Told, rest[0], rest[1]);
	else throw new Error(`There is no "${command}": list, call, or nothing to serve`);
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
process.exit();

async function serve(): Promise<void> {
	const interrupted = new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
	});
	const folder = await temporaryFolder('community-platform-tools');
	const userFolder = join(folder.path, 'n8n');
	await launcher().prepare();
	const sandbox = await startSandbox({ members: MEMBERS });
	try {
		await step('Build and pack the package', async () => {
			await installPackage(await packPackage(folder.path), userFolder);
		});
		const { url } = await step('Start n8n', () => startInstance({ userFolder }));
		const client = new N8nClient(url);
		await client.setUpOwner();
		const { baseUrl, sourceSystem, apiKey } = sandbox;
		const data = { baseUrl, sourceSystem, apiKey };
		const credential = await client.createCredential('Community', CREDENTIAL_TYPE, data);
		const servers: Servers = {
			labels: await serveTools(client, url, credential, 'labels'),
			descriptions: await serveTools(client, url, credential, 'descriptions'),
		};
		await mkdir(dirname(SERVERS), { recursive: true });
		await writeFile(SERVERS, JSON.stringify(servers), { mode: 0o600 });
		for (const [told, server] of Object.entries(servers)) {
			console.log(`\n${told}: ${server.url}, bearer token ${server.token}`);
		}
		console.log(`\nThe community: ${baseUrl}\nCtrl-C ends it; nothing is kept.`);
		await interrupted;
	} finally {
		await rm(SERVERS, { force: true });
		await stopAll();
		await sandbox.close();
		await folder.remove();
	}
}

async function list(told: Told): Promise<void> {
	const { tools } = await askOverMcp({ ...(await serverOf(told)), calls: [] });
	for (const { name, description, inputSchema } of tools) {
		console.log(`\n${name}: ${description}`);
		for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
			console.log(`  ${argument} (${schema.type}): ${schema.description ?? ''}`);
		}
	}
}

async function call(told: Told, name?: string, given = '{}'): Promise<void> {
	if (name === undefined) throw new Error('Which tool? npm run tools -- call <name> <JSON>');
	const calls: Array<[string, object]> = [[name, JSON.parse(given) as object]];
	const { answers } = await askOverMcp({ ...(await serverOf(told)), calls });
	for (const { content, isError } of answers) {
		console.log(`${isError ? 'failed: ' : ''}${content.map(({ text }) => text).join('\n')}`);
	}
}

async function serverOf(told: Told): Promise<ToolServer> {
	const servers = await readFile(SERVERS, 'utf8').catch(() => {
		throw new Error('Nothing is served yet: npm run tools in another terminal');
	});
	const server = (JSON.parse(servers) as Partial<Servers>)[told];
	if (!server) throw new Error('--told is labels or descriptions');
	return server;
}
