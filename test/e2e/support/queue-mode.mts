import { randomBytes } from 'node:crypto';
import { N8nClient } from '../../../dev/n8n/client.mts';
import type { Instance } from '../../../dev/n8n/instance.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { startProcess } from './n8n.mts';
import { startServers } from './servers.mts';
import { credentialFor, type Scenery, type SceneryOptions } from './use-stage.mts';

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
	/** The worker that runs. */
	worker: Instance;
	startWorker: () => Promise<void>;
}

/** Gives the tests of one file an n8n in queue mode and a community with a credential for it, once they run. */
export function useQueueMode(options: SceneryOptions): QueueMode {
	const queue = {} as QueueMode;
	const instances: Instance[] = [];
	const stops: Array<() => Promise<void>> = [];

	beforeAll(async () => {
		const servers = await startServers();
		stops.push(servers.stop);
		const env = {
			...LOCKS,
			...servers.settings,
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64url'),
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '300',
			N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		};
		// Each has a user folder: with a shared one, a worker that starts would report what others are at as unfinished.
		const start = async (command: 'start' | 'webhook' | 'worker', args: string[] = []) => {
			const name = `queue-${command}-${randomBytes(2).toString('hex')}`;
			const instance = await startProcess(name, { command, args, env });
			instances.push(instance);
			return instance;
		};
		const main = await start('start');
		queue.startWorker = async () => {
			queue.worker = await start('worker', [`--concurrency=${CONCURRENCY}`]);
		};
		queue.client = new N8nClient(main.url);
		await queue.client.setUpOwner();
		queue.sandbox = await startSandbox(options);
		stops.push(async () => await queue.sandbox.close());
		queue.credential = await credentialFor(queue.client, queue.sandbox);
		const [webhook] = await Promise.all([start('webhook'), queue.startWorker()]);
		queue.webhookUrl = webhook.url;
	}, START_TIMEOUT_MS);

	afterAll(async () => {
		await Promise.all(instances.map(async ({ stop }) => await stop()));
		for (const stop of stops) await stop();
	}, START_TIMEOUT_MS);
	return queue;
}
