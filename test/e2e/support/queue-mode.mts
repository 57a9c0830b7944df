import { randomBytes } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { N8nClient } from '../../../dev/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../../dev/n8n/examples.mts';
import { type Instance, type InstanceOptions, startInstance } from '../../../dev/n8n/instance.mts';
import { installPackage } from '../../../dev/n8n/pack.mts';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { REPORTS } from './paths.mts';
import { type Servers, startServers } from './servers.mts';
import { stage } from './stage.mts';
import type { Scenery, SceneryOptions } from './use-stage.mts';

/** How many executions a worker runs at once. */
export const CONCURRENCY = 2;

// n8n's defaults (60 s, 10 s and 30 s) only make a killed worker be noticed later. Shorter ones than
// these would count a worker as dead that merely got no processor for a moment.
const LOCKS = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};
const START_TIMEOUT_MS = 600_000;

/** n8n in queue mode, set up as examples/queue-mode/compose.yaml does it, on one machine. */
export interface QueueMode extends Pick<Scenery, 'client' | 'credential' | 'sandbox'> {
	/** The process that receives production webhooks. */
	webhookUrl: string;
	/** Starts a worker; there is none at first. */
	startWorker: () => Promise<Instance>;
}

/**
 * Gives the tests of one file an n8n in queue mode and a community with a credential for it. Logs are kept with the
 * reports.
 *
 * @returns an object that is filled once the tests run
 */
export function useQueueMode({ webhookSecret = '', ...options }: SceneryOptions): QueueMode {
	const queue = {} as QueueMode;
	const instances = new Map<string, Instance>();
	let folder: Awaited<ReturnType<typeof temporaryFolder>>;
	let servers: Servers;
	let shared: Record<string, string>;

	// Each has a user folder with the package: with a shared one, a worker that starts would report what others are at as
	// unfinished.
	const start = async (name: string, how: Pick<InstanceOptions, 'command' | 'args' | 'env'>) => {
		const userFolder = join(folder.path, name);
		await mkdir(userFolder);
		await installPackage(stage().tarball, userFolder);
		const instance = await startInstance({ ...how, userFolder, env: { ...shared, ...how.env } });
		instances.set(name, instance);
		return instance;
	};

	beforeAll(async () => {
		folder = await temporaryFolder('community-platform-queue');
		servers = await startServers();
		shared = {
			...{ ...LOCKS, ...servers.settings, EXECUTIONS_MODE: 'queue' },
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64url'),
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '300',
		};
		queue.sandbox = await startSandbox(options);
		const env = { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' };
		const { url } = await start('main', { env });
		queue.client = new N8nClient(url);
		await queue.client.setUpOwner();
		const { baseUrl, sourceSystem, apiKey } = queue.sandbox;
		const data = { baseUrl, sourceSystem, apiKey, webhookSecret };
		queue.credential = await queue.client.createCredential('Community', CREDENTIAL_TYPE, data);
		queue.webhookUrl = (await start('webhook', { command: 'webhook' })).url;
		queue.startWorker = async () =>
			await start(`worker-${instances.size}`, {
				command: 'worker',
				args: [`--concurrency=${CONCURRENCY}`],
			});
	}, START_TIMEOUT_MS);

	afterAll(async () => {
		await Promise.all([...instances.values()].map(async ({ stop }) => await stop()));
		for (const [name, { logFile }] of instances) {
			await copyFile(logFile, join(REPORTS, `queue-${name}.log`));
		}
		await queue.sandbox?.close();
		await servers?.stop();
		await folder?.remove();
	}, START_TIMEOUT_MS);
	return queue;
}
