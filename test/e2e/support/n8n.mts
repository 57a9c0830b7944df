import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogIn, N8nClient } from '../../../dev/n8n/client.mts';
import { type Instance, type InstanceOptions, startInstance } from '../../../dev/n8n/instance.mts';
import { installPackage } from '../../../dev/n8n/pack.mts';
import { PACKAGE_NAME, PROJECT_FOLDER } from '../../../dev/n8n/paths.mts';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';

/** The folder for the screenshots and logs of the end-to-end tests, which is not under version control. */
export const REPORTS = join(PROJECT_FOLDER, '.reports/e2e');

/** An n8n with the packed package and an owner. */
export interface N8n {
	/** Its address, without a trailing slash. It stays the same after a restart. */
	url: string;
	logIn: LogIn;
	/** Logged in as the owner. */
	client: N8nClient;
	/** Its output so far. */
	log: () => Promise<string>;
	/** Stops it and keeps its data. */
	stop: () => Promise<void>;
	kill: () => Promise<void>;
	/** Starts it with the same data, unless it already runs. */
	start: (env?: Record<string, string>) => Promise<void>;
}

/** The packed package. */
export function packed(): string {
	const tarball = process.env.E2E_TARBALL;
	if (tarball === undefined) throw new Error('Start these tests with npm run test:e2e');
	return tarball;
}

/**
 * Starts an n8n process with the packed package. It ends with this process at the latest. Its log stays with the
 * reports.
 *
 * @param name of the log
 * @param hasPackage false leaves the package out
 */
export async function startProcess(
	name: string,
	options: Omit<InstanceOptions, 'userFolder'> = {},
	hasPackage = true,
): Promise<Instance & { userFolder: string }> {
	const folder = await temporaryFolder('community-platform-e2e-n8n');
	const userFolder = join(folder.path, 'n8n');
	await mkdir(userFolder);
	if (hasPackage) await installPackage(packed(), userFolder);
	const logFile = join(REPORTS, `${name}.log`);
	return { ...(await startInstance({ ...options, userFolder, logFile })), userFolder };
}

/**
 * Starts an n8n.
 *
 * @param settings names and values of environment variables
 * @param hasPackage false leaves the package out
 * @throws if it does not start, or does not load the package
 */
export async function startN8n(
	name: string,
	settings: Record<string, string> = {},
	hasPackage = true,
): Promise<N8n> {
	const first = await startProcess(name, { env: settings }, hasPackage);
	const { url, ports, logFile, userFolder } = first;
	const client = new N8nClient(url);
	const logIn = await client.setUpOwner();
	if (hasPackage) await requirePackage(client, logFile);
	let instance: Instance = first;
	return {
		url,
		logIn,
		client,
		log: async () => await readFile(logFile, 'utf8'),
		stop: async () => await instance.stop(),
		async kill() {
			instance.process.signal('SIGKILL');
			await instance.process.exited;
		},
		async start(env = settings) {
			if (!instance.process.hasExited()) return;
			instance = await startInstance({ userFolder, logFile, env, ports });
		},
	};
}

/** Because n8n starts without a package that it cannot load, every test would time out. */
async function requirePackage(client: N8nClient, logFile: string): Promise<void> {
	const nodeInfos = [{ name: `${PACKAGE_NAME}.communityPlatform`, version: 1 }];
	const loaded = await client.call<unknown[]>('POST', '/node-types', { nodeInfos });
	if (loaded.length === 0) throw new Error(`n8n did not load the package: see ${logFile}`);
}
