import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Instance, type InstanceOptions, type Ports, startInstance } from '../instance.mts';
import { installPackage } from '../pack.mts';
import { temporaryFolder } from '../../tools/temporary-folder.mts';
import {
	type Postgres,
	type Redis,
	serverPrograms,
	startPostgres,
	startRedis,
} from './servers.mts';

// n8n's defaults (60 s, 10 s and 30 s) only make a killed worker be noticed later. Shorter ones than
// these would count a worker as dead that merely got no processor for a moment.
const LOCKS = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/** How many executions a worker runs at once: n8n's default. */
export const CONCURRENCY = 10;

/** n8n in queue mode, with the package on each of its processes. */
export class Cluster {
	private readonly instances: Instance[] = [];
	private constructor(
		private readonly folder: string,
		private readonly tarball: string,
		private readonly servers: { redis: Redis; postgres: Postgres; remove: () => Promise<void> },
		private readonly env: Record<string, string>,
	) {}

	/**
	 * Starts Redis and Postgres; n8n's processes are started one by one.
	 *
	 * @param folder existing; each process gets a folder of its own in it
	 * @param tarball the packed package
	 */
	static async open(folder: string, tarball: string): Promise<Cluster> {
		const programs = await serverPrograms();
		// Not below the other folder, which only its owner may enter.
		const data = await temporaryFolder('community-platform-postgres');
		const [redis, postgres] = await Promise.all([
			startRedis(programs.redisServer, folder),
			startPostgres(programs.postgresFolder, data.path),
		]);
		const servers = { redis, postgres, remove: data.remove };
		return new Cluster(folder, tarball, servers, environment(redis, postgres));
	}

	/**
	 * Starts the process with the editor and the REST API. Production webhooks are left to others.
	 *
	 * @param ports of the one that ran before, so that it is found again
	 */
	async startMain(ports?: Ports): Promise<Instance> {
		const env = { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' };
		return await this.start('main', 'start', { env, ports });
	}

	/** Starts a process that receives webhooks. */
	async startWebhook(): Promise<Instance> {
		return await this.start('webhook', 'webhook');
	}

	/**
	 * Starts a worker, or starts one again after it has ended.
	 *
	 * @param name each has a user folder of its own: with a shared one, a worker that comes back would
	 *   report what the others are at as unfinished
	 */
	async startWorker(name: string): Promise<Instance> {
		return await this.start(name, 'worker', { args: [`--concurrency=${CONCURRENCY}`] });
	}

	/** The ids of everything that was started here. */
	get pids(): number[] {
		const { redis, postgres } = this.servers;
		return [...this.instances, redis, postgres].map(({ process }) => process.pid);
	}

	/** Ends everything. */
	async close(): Promise<void> {
		await Promise.all(this.instances.map((instance) => instance.stop()));
		await Promise.all([this.servers.redis.process.stop(), this.servers.postgres.stop()]);
		await this.servers.remove();
	}

	private async start(
		name: string,
		command: 'start' | 'worker' | 'webhook',
		options: Pick<InstanceOptions, 'args' | 'env' | 'ports'> = {},
	): Promise<Instance> {
		const userFolder = join(this.folder, name);
		await mkdir(userFolder, { recursive: true });
		await installPackage(this.tarball, userFolder);
		const env = { ...this.env, ...options.env };
		const instance = await startInstance({ ...options, userFolder, command, env });
		this.instances.push(instance);
		return instance;
	}
}

function environment(redis: Redis, postgres: Postgres): Record<string, string> {
	return {
		...LOCKS,
		// As in the compose file: what has begun is carried out before a process ends.
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '300',
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64url'),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: postgres.password,
		DB_POSTGRESDB_DATABASE: postgres.database,
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// One JSON object per line: which worker ran which execution is read from it.
		N8N_LOG_FORMAT: 'json',
	};
}
