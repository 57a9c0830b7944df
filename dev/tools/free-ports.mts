import getPort from 'get-port';
import { randomInt } from 'node:crypto';

const HOST = '127.0.0.1';
// Below the range that systems take ports of outgoing connections from (32768 on Linux, 49152
// elsewhere): one of those could occupy a port while n8n restarts on it.
const LOWEST = 12_000;
const HIGHEST = 32_000;
const CANDIDATES = 200;

/** Finds a free port on 127.0.0.1, another one each time. */
export async function freePort(): Promise<number> {
	// At random, since other processes look for ports at the same time.
	const port = Array.from({ length: CANDIDATES }, () => randomInt(LOWEST, HIGHEST));
	return await getPort({ host: HOST, port });
}
