import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { programOnPath } from '../../tools/programs.mts';
import { freePort } from '../../tools/free-ports.mts';
import { type RunningProcess, run, start } from '../../tools/processes.mts';
import { demand } from '../requirements.mts';
import { until } from '../../tools/wait.mts';

// Debian keeps the servers' own programs out of the PATH, under the major version.
const POSTGRES_ROOT = '/usr/lib/postgresql';
const POSTGRES_TIMEOUT_MS = 60_000;
const SYSTEM_USER = 'postgres';
const REDIS_TIMEOUT_MS = 30_000;

/** Where the programs are that queue mode needs beside n8n. */
export interface ServerPrograms {
	redisServer: string;
	/** Folder with `initdb`, `postgres` and `pg_isready`. */
	postgresFolder: string;
}

/**
 * Finds Redis and Postgres, and installs Debian's packages of them if they are missing and this
 * process may do so.
 *
 * @throws MissingRequirement with the packages to install, if it may not
 */
export async function serverPrograms(): Promise<ServerPrograms> {
	const missing = missingPackages();
	if (missing.length > 0 && process.getuid?.() === 0 && programOnPath('apt-get')) {
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		await run(['apt-get', 'update'], { env });
		await run(['apt-get', 'install', '--yes', '--no-install-recommends', ...missing], { env });
	}
	demand(missingPackages().map((name) => `${name}: install it (Debian: apt-get install ${name})`));
	return {
		redisServer: programOnPath('redis-server') as string,
		postgresFolder: postgresFolder() as string,
	};
}

function missingPackages(): string[] {
	return [
		...(programOnPath('redis-server') ? [] : ['redis-server']),
		...(postgresFolder() ? [] : ['postgresql']),
	];
}

function postgresFolder(): string | undefined {
	if (!existsSync(POSTGRES_ROOT)) return undefined;
	return readdirSync(POSTGRES_ROOT)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(POSTGRES_ROOT, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}

/** A Redis of our own. */
export interface Redis {
	port: number;
	process: RunningProcess;
}

/**
 * Starts Redis on a free port of 127.0.0.1; it keeps nothing on disk.
 *
 * @param program the server's path
 * @param folder existing; its log goes there
 * @throws if it does not answer within half a minute
 */
export async function startRedis(program: string, folder: string): Promise<Redis> {
	const port = await freePort();
	const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const process = await start([program, ...args], join(folder, 'redis.log'));
	await until('Redis to answer', () => isListening(port), REDIS_TIMEOUT_MS);
	return { port, process };
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

/** A Postgres of our own. */
export interface Postgres {
	port: number;
	user: string;
	password: string;
	database: string;
	process: RunningProcess;
	/** Ends it without waiting for those who are still connected. */
	stop: () => Promise<void>;
}

/**
 * Starts Postgres with an empty database on a free port of 127.0.0.1.
 *
 * @param programs folder of the server's programs
 * @param folder existing and empty; data and log go there. Postgres refuses to run as root, so that
 *   this folder is given to Debian's user for it if this process is root.
 * @throws if it does not answer within a minute
 */
export async function startPostgres(programs: string, folder: string): Promise<Postgres> {
	const port = await freePort();
	const [user, database] = ['n8n', 'postgres'];
	const password = randomBytes(12).toString('base64url');
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	await writeFile(passwordFile, `${password}\n`);
	await mkdir(data);
	if (process.getuid?.() === 0) await run(['chown', '-R', `${SYSTEM_USER}:`, folder]);

	const initialise = ['-D', data, '-U', user, '-E', 'UTF8', '--locale=C', '--no-sync'];
	await runAsUser([
		join(programs, 'initdb'),
		...initialise,
		'--auth=scram-sha-256',
		`--pwfile=${passwordFile}`,
	]);
	const listen = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
	const server = [join(programs, 'postgres'), '-D', data, ...listen.flatMap((one) => ['-c', one])];
	const running = await start(asUser(server), join(folder, 'postgres.log'), { cwd: folder });
	const isReady = [join(programs, 'pg_isready'), '-h', '127.0.0.1', '-p', String(port)];
	const answers = () =>
		run(isReady).then(
			() => true,
			() => false,
		);
	await until('Postgres to answer', answers, POSTGRES_TIMEOUT_MS);
	const stop = async () => {
		// SIGTERM would wait for every client; this closes the connections (manual of "postgres").
		running.signal('SIGINT');
		await running.stop();
	};
	return { port, user, password, database, process: running, stop };
}

async function runAsUser(command: string[]): Promise<void> {
	await run(asUser(command), { cwd: '/' });
}

// setpriv becomes the program itself, so that signals reach it; su and runuser stay in between.
function asUser(command: string[]): string[] {
	if (process.getuid?.() !== 0) return command;
	const become = [`--reuid=${SYSTEM_USER}`, `--regid=${SYSTEM_USER}`, '--clear-groups'];
	return ['setpriv', ...become, ...command];
}
