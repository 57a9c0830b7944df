import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { credentialLines } from '../../sandbox/credential.mts';
import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { type LogIn, N8nClient, type SavedWorkflow } from './client.mts';
import { CREDENTIAL_TYPE, exampleNames, importExample } from './examples.mts';
import { launcher as chosenLauncher, type Launcher } from './launcher.mts';
import { type Instance, startInstance } from './instance.mts';
import { installedFolder, installPackage, packPackage } from './pack.mts';
import { PROJECT_FOLDER } from './paths.mts';
import { EVERY_SECOND, polling } from './polling.mts';
import { start, stopAll } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { demand, missingSpace } from './requirements.mts';
import { showPromotion } from './show-promotion.mts';
import type { INode } from 'n8n-workflow';
import { showWelcome } from './show-welcome.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';

const MEMBERS = 200;
const GIGABYTES_NEEDED = 0.5;
const CREDENTIAL_NAME = 'Local community';
const WELCOME = 'welcome-new-members';
const WHO_WROTE_IT =
	'(An example wrote this. If it is active and you want to see only your own posts, deactivate it in n8n.)';
const POLLING = 'new-members-without-a-public-address';
// n8n watches the packages that it has loaded, and loads one again when a file of it was written.
const RELOADING = { N8N_DEV_RELOAD: 'true' };
const LOG_COPY = join(PROJECT_FOLDER, '.demo/n8n.log');

/** How to run the demo. */
export interface DemoOptions {
	/** Go on until Ctrl-C, so that the editor can be looked at. */
	stay: boolean;
	/** Show nothing; instead, have n8n load each change of the sources until Ctrl-C. */
	watch?: boolean;
	/** How n8n is run; as the environment says if left out. */
	launcher?: Launcher;
}

interface Demo {
	sandbox: Sandbox;
	instance: Instance;
	client: N8nClient;
	logIn: LogIn;
	/** The examples, by their file names without `.json`. */
	workflows: Map<string, SavedWorkflow>;
}

/**
 * Shows the package at its main job: a real n8n with the packed package updates the roles of a local
 * community's members and welcomes a member who joins, and what changed is read back from that
 * community.
 *
 * @returns the exit code: 0 if everything held, 130 if it was interrupted before that was known
 * @throws MissingRequirement when the machine lacks something; otherwise what went wrong
 */
export async function runDemo({
	stay,
	watch = false,
	launcher = chosenLauncher(),
}: DemoOptions): Promise<number> {
	const interrupted = interruption();
	demand(await missingSpace(tmpdir(), GIGABYTES_NEEDED, 'the demo'));
	const folder = await temporaryFolder('community-platform-demo');
	const opened: { sandbox?: Sandbox } = {};
	let held = false;
	try {
		const show = async () => {
			const env = watch ? RELOADING : {};
			const demo = await prepare(folder.path, opened, { launcher, env });
			if (watch) {
				held = true;
				await follow(folder.path);
				console.log(welcome(demo));
				return;
			}
			held = await showAll(demo);
			if (!stay) return;
			// From now on, a new member is welcomed by one workflow, not by both.
			const { id, nodes } = workflowOf(demo, POLLING);
			await demo.client.deactivate(id);
			await demo.client.saveNodes(id, nodes);
			// Puts the roles back, so that the workflow can be run again by hand.
			demo.sandbox.community.startOver();
			console.log(farewell(demo));
		};
		const outcome = await Promise.race([show().then(() => 'shown' as const), interrupted]);
		if (outcome === 'interrupted') return 130;
		if (!held) await keepLog(folder.path);
		if (stay) await interrupted;
		return held ? 0 : 1;
	} catch (error) {
		await keepLog(folder.path);
		throw error;
	} finally {
		if (stay) console.error('\nStopping …');
		await stopAll();
		await opened.sandbox?.close();
		await folder.remove();
	}
}

async function prepare(
	folder: string,
	opened: { sandbox?: Sandbox },
	{ launcher, env }: { launcher: Launcher; env: Record<string, string> },
): Promise<Demo> {
	const userFolder = userFolderIn(folder);
	console.log('Preparing');
	await launcher.prepare();
	await step('Build and pack the package', () => packInto(folder, userFolder), basename);
	const webhookSecret = randomBytes(18).toString('base64url');
	const sandbox = await step(
		'Start a local community',
		() => startSandbox({ members: MEMBERS, webhookSecret }),
		({ baseUrl, community }) => `${community.users.size} members at ${baseUrl}`,
	);
	opened.sandbox = sandbox;
	const instance = await step(
		'Start n8n',
		() => startInstance({ userFolder, launcher, env }),
		editorOf,
	);
	const client = new N8nClient(instance.url);
	const logIn = await step('Create its owner', () => client.setUpOwner());
	const workflows = await step(
		'Add the credential and the examples',
		() => connect(client, sandbox),
		({ size }) => `${size} workflows`,
	);
	return { sandbox, instance, client, logIn, workflows };
}

async function showAll(demo: Demo): Promise<boolean> {
	const promotion = workflowOf(demo, 'promote-active-members');
	const promoted = await showPromotion({ ...demo, workflow: promotion });
	const { id, nodes } = workflowOf(demo, POLLING);
	// Short, because a user watches.
	const often = await demo.client.saveNodes(id, nodes.map(polling(EVERY_SECOND)));
	const welcomed = await showWelcome({
		...demo,
		welcome: workflowOf(demo, WELCOME),
		polling: often,
	});
	return promoted && welcomed;
}

function workflowOf({ workflows }: Demo, name: string): SavedWorkflow {
	const found = workflows.get(name);
	if (found === undefined) throw new Error(`There is no example ${name}`);
	return found;
}

/** Has each change of the sources built into the copy of the package that n8n has loaded. */
async function follow(folder: string): Promise<void> {
	const target = join(installedFolder(userFolderIn(folder)), 'dist');
	await start(['npx', 'gulp', 'follow', '--silent'], 'inherit', {
		cwd: PROJECT_FOLDER,
		env: { ...process.env, BUILD_FOLDER: target },
	});
}

function userFolderIn(folder: string): string {
	return join(folder, 'n8n');
}

async function packInto(folder: string, userFolder: string): Promise<string> {
	const tarball = await packPackage(folder);
	await installPackage(tarball, userFolder);
	return tarball;
}

async function connect(
	client: N8nClient,
	{ baseUrl, sourceSystem, apiKey, webhookSecret }: Sandbox,
): Promise<Demo['workflows']> {
	const data = { baseUrl, sourceSystem, apiKey, webhookSecret };
	const credential = await client.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
	const { id, name } = credential;
	const tested = await client.testCredential(id, name, CREDENTIAL_TYPE, data);
	if (tested.status !== 'OK') throw new Error(`The credential does not work: ${tested.message}`);
	const workflows: Demo['workflows'] = new Map();
	for (const example of await exampleNames()) {
		workflows.set(example, await importExample(client, example, credential, signed));
	}
	return workflows;
}

// Beside the post of a user's own workflow, the one of the example should say where it comes from.
function signed(node: INode): INode {
	if (node.name !== 'Write Welcome Post') return node;
	const content = `${String(node.parameters.content)}<p>${WHO_WROTE_IT}</p>`;
	return { ...node, parameters: { ...node.parameters, content } };
}

function editorOf({ ports }: Instance): string {
	return `http://localhost:${ports.http}`;
}

function addresses({ instance, logIn, sandbox }: Demo): string {
	return `
n8n and the community are yours until you press Ctrl-C:

  Editor          ${editorOf(instance)}/home/workflows
  E-mail          ${logIn.email}
  Password        ${logIn.password}
  Community       ${sandbox.baseUrl}
`;
}

function welcome(demo: Demo): string {
	return `${addresses(demo)}
Change something in nodes/, credentials/ or icons/: n8n loads it some seconds later, and an editor that is open
shows it. “${CREDENTIAL_NAME}” and the examples are there to try it with; none of them is active.
`;
}

function farewell(demo: Demo): string {
	const { instance, sandbox } = demo;
	const { id, name } = workflowOf(demo, WELCOME);
	return `${addresses(demo)}
Open both. “${name}” is active: press “Let a member join” on the community's page, and its post
appears there. Your own workflows run in addition to it. To see only their posts, deactivate it:
${editorOf(instance)}/workflow/${id}

The community is as it was at the start again, so that there are members to promote. “Start over” on its page puts
it back at any time.

The credential “${CREDENTIAL_NAME}” in n8n holds:

${credentialLines(sandbox)}
`;
}

async function keepLog(folder: string): Promise<void> {
	const log = join(folder, 'n8n/n8n.log');
	if (!(await stat(log).catch(() => undefined))) return;
	await mkdir(join(LOG_COPY, '..'), { recursive: true });
	await copyFile(log, LOG_COPY);
	console.error(`n8n's log was kept: ${LOG_COPY}`);
}

/**
 * Settles at the first Ctrl-C, or when the terminal or the system ends this process. A second Ctrl-C ends it at once.
 */
function interruption(): Promise<'interrupted'> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.once(signal, () => {
				resolve('interrupted');
				process.once(signal, () => process.exit(130));
			});
		}
	});
}
