import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { credentialLines } from '../../sandbox/credential.mts';
import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { start, stopAll } from '../tools/processes.mts';
import { step } from '../tools/progress.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import type { SavedWorkflow } from './client.mts';
import { connect, type Connected, CREDENTIAL_NAME, type Demo } from './connect.mts';
import { exampleNames, importExample } from './examples.mts';
import { installN8n } from './install.mts';
import { startInstance } from './instance.mts';
import { installedFolder, installPackage, packPackage } from './pack.mts';
import { type Installation, PINNED, PROJECT_FOLDER } from './paths.mts';
import { showPromotion } from './show-promotion.mts';
import { showWelcome } from './show-welcome.mts';

const MEMBERS = 200;
const LOG = join(PROJECT_FOLDER, '.demo/n8n.log');

/** How to run the demo. */
export interface DemoOptions {
	/** Keep running until Ctrl-C, so that the editor can be used. */
	stay: boolean;
	/** Instead of the demo, make n8n load each change of the sources until Ctrl-C. */
	watch?: boolean;
	/** The n8n to run. If left out, the pinned one. */
	installation?: Installation;
}

/**
 * Shows the package at its main job: a real n8n with the packed package updates the roles of a local community's
 * members and welcomes a new member. The results are read back from that community.
 *
 * @returns the exit code: 0 if everything worked, 130 if it was interrupted before
 */
export async function runDemo({
	stay,
	watch = false,
	installation = PINNED,
}: DemoOptions): Promise<number> {
	const interrupted = interruption();
	const folder = await temporaryFolder('community-platform-demo');
	const userFolder = join(folder.path, 'n8n');
	let sandbox: Sandbox | undefined;
	const show = async (): Promise<string[]> => {
		console.log('Preparing');
		await installN8n(installation);
		const pack = async () => {
			const tarball = await packPackage(folder.path);
			await installPackage(tarball, userFolder);
			return tarball;
		};
		await step('Build and pack the package', pack, basename);
		sandbox = await step(
			'Start a local community',
			() =>
				startSandbox({ members: MEMBERS, webhookSecret: randomBytes(18).toString('base64url') }),
			({ baseUrl, community }) => `${community.users.size} members at ${baseUrl}`,
		);
		// n8n watches the loaded packages, and reloads one if one of its files was written.
		const env = watch ? { N8N_DEV_RELOAD: 'true' } : undefined;
		await mkdir(dirname(LOG), { recursive: true });
		await rm(LOG, { force: true });
		const instance = await step('Start n8n', () =>
			startInstance({ userFolder, installation, env, logFile: LOG }),
		);
		const demo = await step('Add the credential and the examples', async () =>
			withExamples(await connect(sandbox as Sandbox, instance)),
		);
		if (watch) {
			await buildInto(join(installedFolder(userFolder), 'dist'));
			console.log(WATCHING);
		} else {
			console.log('\nRunning');
			const findings = [...(await showPromotion(demo)), ...(await showWelcome(demo))];
			for (const finding of findings) console.log(`✗ ${finding}`);
			if (findings.length > 0) return findings;
			console.log('\n✓ Everything went as it should.');
			// Restores the roles, so that the workflow can run again by hand.
			demo.sandbox.community.startOver();
		}
		if (stay) console.log(farewell(demo));
		return [];
	};
	try {
		const outcome = await Promise.race([show(), interrupted]);
		if (outcome === 'interrupted') return 130;
		if (outcome.length > 0) console.error(`n8n's log: ${LOG}`);
		else if (stay) await interrupted;
		return outcome.length > 0 ? 1 : 0;
	} finally {
		if (stay) console.error('\nStopping …');
		await stopAll();
		await sandbox?.close();
		await folder.remove();
	}
}

async function withExamples(connected: Connected): Promise<Demo> {
	const workflows = new Map<string, SavedWorkflow>();
	for (const example of await exampleNames()) {
		const { client, credential } = connected;
		workflows.set(example, await importExample(client, example, credential));
	}
	const workflow = (example: string) => {
		const found = workflows.get(example);
		if (found === undefined) throw new Error(`There is no example ${example}`);
		return found;
	};
	return { ...connected, workflow };
}

/** Builds each change of the sources into the copy of the package that n8n has loaded. */
async function buildInto(target: string): Promise<void> {
	await start(['npx', 'gulp', 'follow', '--silent'], 'inherit', {
		cwd: PROJECT_FOLDER,
		env: { ...process.env, BUILD_FOLDER: target },
	});
}

const WATCHING = `
Change something in nodes/, credentials/ or icons/: n8n loads it some seconds later, and an editor that is open
shows it. The examples are there to try it with; none of them is active.`;

function farewell({ instance, logIn, sandbox }: Demo): string {
	const editor = `http://localhost:${instance.ports.http}`;
	return `
n8n and the community are yours until you press Ctrl-C:

  Editor          ${editor}/home/workflows
  E-mail          ${logIn.email}
  Password        ${logIn.password}
  Community       ${sandbox.baseUrl}

The examples are in n8n, and none of them is active. Activate one, or a workflow of your own, and press “Let a member join” on
the community's page. A webhook trigger also needs its production URL entered there, with the webhook secret.
“Start over” on that page puts the community back as it was at the start.

The credential “${CREDENTIAL_NAME}” in n8n holds:

${credentialLines(sandbox)}
`;
}

/**
 * Settles at the first Ctrl-C, or when the terminal or the system ends this process. A second Ctrl-C ends it
 * immediately.
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
