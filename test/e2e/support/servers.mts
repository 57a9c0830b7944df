import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import which from 'which';
import { freePort } from '../../../dev/tools/free-ports.mts';
import { run, start } from '../../../dev/tools/processes.mts';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';
import { until } from '../../../dev/tools/wait.mts';

// Debian keeps the servers' own programs out of the PATH, under the major version.
const POSTGRES_ROOT = '/usr/lib/postgresql';
const TIMEOUT_MS = 60_000;

/** Redis and Postgres, with nothing in them. */
export interface Servers {
	/** What n8n has to be told of them. */
	settings: Record<string, string>;
	stop: () => Promise<void>;
}

/**
 * Starts Redis and Postgres on free ports of 127.0.0.1.
 *
 * @throws which Debian packages have to be installed, if they are not
 */
export async function startServers(): Promise<Servers> {
	const redisServer = which.sync('redis-server', { nothrow: true });
	const postgresPrograms = newestPostgres();
	if (redisServer === null || postgresPrograms === undefined) {
		throw new Error('Queue mode needs Redis and Postgres: apt-get install redis-server postgresql');
	}
	const folder = await temporaryFolder('community-platform-servers');
	const [redis, postgres] = await Promise.all([
		startRedis(redisServer, folder.path),
		startPostgres(postgresPrograms, folder.path),
	]);
	return {
		settings: { ...redis.settings, ...postgres.settings },
		stop: async () => {
			await Promise.all([redis.stop(), postgres.stop()]);
			await folder.remove();
		},
	};
}

function newestPostgres(): string | undefined {
	if (!existsSync(POSTGRES_ROOT)) return undefined;
	return readdirSync(POSTGRES_ROOT)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(POSTGRES_ROOT, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}

async function startRedis(program: string, folder: string): Promise<Servers> {
	const port = await freePort();
	const options = {
		port: String(port),
		bind: '127.0.0.1',
		dir: folder,
		save: '',
		appendonly: 'no',
	};
	const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
	const running = await start([program, ...args], join(folder, 'redis.log'));
	await until('Redis to answer', () => isListening(port), TIMEOUT_MS);
	const settings = { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) };
	return { settings, stop: async () => await running.stop() };
}

async function startPostgres(programs: string, parent: string): Promise<Servers> {
	const port = String(await freePort());
	const password = randomBytes(12).toString('base64url');
	const folder = join(parent, 'postgres');
	const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
	await mkdir(data, { recursive: true });
	await writeFile(passwordFile, `${password}\n`);
	if (isRoot()) await run(['chown', '-R', 'postgres:', folder]);
	if (isRoot()) await run(['chmod', 'go+x', parent]);
	const how = ['-U', 'n8n', '-E', 'UTF8', '--locale=C', '--no-sync', '--auth=scram-sha-256'];
	await run(asUser([join(programs, 'initdb'), '-D', data, ...how, `--pwfile=${passwordFile}`]), {
		cwd: '/',
	});
	const listen = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
	const server = [join(programs, 'postgres'), '-D', data, ...listen.flatMap((one) => ['-c', one])];
	const running = await start(asUser(server), join(parent, 'postgres.log'), { cwd: '/' });
	const isReady = [join(programs, 'pg_isready'), '-h', '127.0.0.1', '-p', port];
	await until(
		'Postgres',
		() =>
			run(isReady).then(
				() => true,
				() => false,
			),
		TIMEOUT_MS,
	);
	return {
		settings: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_PASSWORD: password,
			DB_POSTGRESDB_DATABASE: 'postgres',
		},
		stop: async () => {
			// SIGTERM would wait for every client; this closes the connections (manual of "postgres").
			running.signal('SIGINT');
			await running.stop();
		},
	};
}

function isRoot(): boolean {
	return process.getuid?.() === 0;
}

// Postgres refuses to run as root. setpriv becomes the program itself, so that signals reach it.
function asUser(command: string[]): string[] {
	if (!isRoot()) return command;
	return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command];
}

function isListening(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}
