import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { N8nClient } from '../../../dev/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../../dev/n8n/examples.mts';
import { type Instance, startInstance } from '../../../dev/n8n/instance.mts';
import { installPackage } from '../../../dev/n8n/pack.mts';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { REPORTS } from './paths.mts';
import { stage } from './stage.mts';
import type { Scenery, SceneryOptions } from './use-stage.mts';

const LOG_LEVEL = 'debug';

/** An n8n that one test file has for itself. */
export interface OwnN8n extends Pick<Scenery, 'url' | 'client' | 'credential' | 'sandbox'> {
	/** Ends it; its data stay. */
	stop: () => Promise<void>;
	/**
	 * Sends it a signal and waits until it has ended by itself.
	 *
	 * @returns its exit code; undefined when it was killed
	 */
	end: (signal: NodeJS.Signals) => Promise<number | undefined>;
	/** Starts it again with the same data, at the same address. */
	start: () => Promise<void>;
	/** All that it has written so far, on its most talkative level. */
	log: () => Promise<string>;
}

/**
 * Gives the tests of one file an n8n of their own, which can be restarted, and a community with a
 * credential for it. Its log is kept with the reports.
 *
 * @param settings of n8n: names and values of environment variables, read whenever it starts
 * @returns an object that is filled once the tests run
 */
export function useOwnN8n(
	{ webhookSecret = '', ...options }: SceneryOptions,
	settings: Record<string, string> = {},
): OwnN8n {
	const own = {} as OwnN8n;
	let instance: Instance;
	let remove: () => Promise<void>;
	beforeAll(async () => {
		const folder = await temporaryFolder('community-platform-e2e-own');
		({ remove } = folder);
		const userFolder = join(folder.path, 'n8n');
		const { tarball } = stage();
		await installPackage(tarball, userFolder);
		const env = () => ({ N8N_LOG_LEVEL: LOG_LEVEL, ...settings });
		instance = await startInstance({ userFolder, env: env() });
		const { ports, logFile, url } = instance;
		const client = new N8nClient(url);
		await client.setUpOwner();
		const sandbox = await startSandbox(options);
		const { baseUrl, sourceSystem, apiKey } = sandbox;
		const data = { baseUrl, sourceSystem, apiKey, webhookSecret };
		Object.assign(own, {
			url,
			client,
			sandbox,
			credential: await client.createCredential('Community', CREDENTIAL_TYPE, data),
			stop: async () => await instance.stop(),
			end: async (signal) => {
				instance.process.signal(signal);
				return await instance.process.exited;
			},
			start: async () => {
				instance = await startInstance({ userFolder, env: env(), ports });
			},
			log: async () => await readFile(logFile, 'utf8'),
		} satisfies OwnN8n);
	}, 200_000);
	afterAll(async () => {
		await instance?.stop();
		await own.sandbox?.close();
		if (instance) {
			await mkdir(REPORTS, { recursive: true });
			await copyFile(instance.logFile, join(REPORTS, 'own-n8n.log'));
		}
		await remove?.();
	});
	return own;
}
