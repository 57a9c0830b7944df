import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../dev/tools/free-ports.mts';
import { run, start } from '../../../dev/tools/processes.mts';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';
import { until } from '../../../dev/tools/wait.mts';
import { which } from '../../../dev/tools/which.mts';

// Debian installs the servers' programs outside the PATH, in a folder per major version.
const POSTGRES_ROOT = '/usr/lib/postgresql';
const PASSWORD = 'local';
const TIMEOUT_MS = 60_000;

/** Empty Redis and Postgres servers. */
export interface Servers {
	/** n8n's settings for them. */
	settings: Record<string, string>;
	stop: () => Promise<void>;
}

/** Starts Redis and Postgres on free ports of 127.0.0.1, or throws with the Debian packages to install. */
export async function startServers(): Promise<Servers> {
	const servers = await Promise.all([startRedis(), startPostgres()]);
	return {
		settings: { ...servers[0].settings, ...servers[1].settings },
		stop: async () => void (await Promise.all(servers.map(async ({ stop }) => await stop()))),
	};
}

/**
 * Starts a Postgres for n8n's Engine 2.0, which keeps its executions there, on a free port of 127.0.0.1.
 *
 * @throws with the Debian package to install
 */
export async function startEngine2(): Promise<Servers> {
	const { settings, stop } = await startPostgres();
	return {
		settings: {
			N8N_ENABLED_MODULES: 'engine-v2',
			N8N_EXPRESSION_ENGINE: 'vm',
			N8N_ENGINE_HOST: '127.0.0.1',
			N8N_ENGINE_DATABASE_URL: `postgres://n8n:${PASSWORD}@127.0.0.1:${settings.DB_POSTGRESDB_PORT}/postgres`,
			N8N_ENGINE_PORT: String(await freePort()),
			N8N_ENGINE_CONTROL_PLANE_PORT: String(await freePort()),
		},
		stop,
	};
}

function newestPostgres(): string | undefined {
	if (!existsSync(POSTGRES_ROOT)) return undefined;
	const versions = readdirSync(POSTGRES_ROOT).sort((a, b) => Number(b) - Number(a));
	const folders = versions.map((version) => join(POSTGRES_ROOT, version, 'bin'));
	return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

async function startRedis(): Promise<Servers> {
	const program = which('redis-server');
	if (program === undefined) throw new Error('Install Redis: apt-get install redis-server');
	const { path } = await temporaryFolder('community-platform-redis');
	const port = String(await freePort());
	const options = ['--port', port, '--bind', '127.0.0.1', '--dir', path, '--save', ''];
	const running = await start([program, ...options], join(path, 'redis.log'));
	return {
		settings: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port },
		stop: running.stop,
	};
}

async function startPostgres(): Promise<Servers> {
	const programs = newestPostgres();
	if (programs === undefined) throw new Error('Install Postgres: apt-get install postgresql');
	const { path: parent } = await temporaryFolder('community-platform-postgres');
	const port = String(await freePort());
	const folder = join(parent, 'postgres');
	const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
	await mkdir(data, { recursive: true });
	await writeFile(passwordFile, `${PASSWORD}\n`);
	const isRoot = process.getuid?.() === 0;
	if (isRoot) await run(['chown', '-R', 'postgres:', folder]);
	if (isRoot) await run(['chmod', 'go+x', parent]);
	// Postgres refuses to run as root. setpriv replaces itself with the program, so that signals reach it.
	const user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
	const asUser = (command: string[]) => (isRoot ? [...user, ...command] : command);
	const how = ['-U', 'n8n', '-E', 'UTF8', '--locale=C', '--no-sync', '--auth=scram-sha-256'];
	const initdb = [join(programs, 'initdb'), '-D', data, ...how, `--pwfile=${passwordFile}`];
	await run(asUser(initdb), { cwd: '/' });
	const listen = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
	const server = [join(programs, 'postgres'), '-D', data, ...listen.flatMap((one) => ['-c', one])];
	const running = await start(asUser(server), join(parent, 'postgres.log'), { cwd: '/' });
	const isReady = async () =>
		await run([join(programs, 'pg_isready'), '-h', '127.0.0.1', '-p', port]).then(
			() => true,
			() => false,
		);
	await until('Postgres', isReady, TIMEOUT_MS);
	return {
		settings: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_PASSWORD: PASSWORD,
			DB_POSTGRESDB_DATABASE: 'postgres',
		},
		async stop() {
			// SIGTERM would wait for every client. SIGINT closes the connections (manual of "postgres").
			running.signal('SIGINT');
			await running.stop();
		},
	};
}
