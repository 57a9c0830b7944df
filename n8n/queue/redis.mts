import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../tools/free-ports.mts';
import { type RunningProcess, start } from '../../tools/processes.mts';
import { until } from '../../tools/wait.mts';

const START_TIMEOUT_MS = 30_000;

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
	await until('Redis to answer', () => isListening(port), START_TIMEOUT_MS);
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
