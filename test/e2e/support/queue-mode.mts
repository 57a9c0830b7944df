import { randomBytes } from 'node:crypto';
import { N8nClient } from '../../../dev/n8n/client.mts';
import type { Instance } from '../../../dev/n8n/instance.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { startProcess } from './n8n.mts';
import { startServers } from './servers.mts';
import { credentialFor, type Fixture, type FixtureOptions } from './use-fixture.mts';

/** The number of concurrent executions of a worker. */
export const CONCURRENCY = 2;

// With n8n's defaults (60 s, 10 s and 30 s), n8n only detects a killed worker later. Shorter values than these would
// treat a worker as dead if it briefly got no processor.
const LOCKS = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};
const START_TIMEOUT_MS = 600_000;

/** n8n in queue mode on one machine, configured as in examples/queue-mode/compose.yaml. */
export interface QueueMode extends Pick<Fixture, 'client' | 'credential' | 'sandbox'> {
	/** The process that receives production webhooks. */
	webhookUrl: string;
	/** The running worker. */
	worker: Instance;
	startWorker: () => Promise<void>;
}

/** Starts an n8n in queue mode and a community with a credential for the tests of a file. */
export function useQueueMode(options: FixtureOptions): QueueMode {
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
		// Each has its own folder, because with a shared one, a new worker would report the executions of others as
		// unfinished.
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
