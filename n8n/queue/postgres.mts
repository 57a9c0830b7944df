import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../tools/free-ports.mts';
import { type RunningProcess, run, start } from '../../tools/processes.mts';
import { until } from '../../tools/wait.mts';

const START_TIMEOUT_MS = 60_000;
const SYSTEM_USER = 'postgres';

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
	await until('Postgres to answer', answers, START_TIMEOUT_MS);
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
