import getPort from 'get-port';
import { randomInt } from 'node:crypto';

const HOST = '127.0.0.1';
// Below the system's range for outgoing connections (from 32768 on Linux, from 49152 elsewhere), because one of those
// could occupy a port while n8n restarts on it.
const LOWEST = 12_000;
const HIGHEST = 32_000;
const CANDIDATES = 200;

/** Finds a free port on 127.0.0.1, a different one each time. */
export async function freePort(): Promise<number> {
	// Random, because other processes look for ports at the same time.
	const port = Array.from({ length: CANDIDATES }, () => randomInt(LOWEST, HIGHEST));
	return await getPort({ host: HOST, port });
}
