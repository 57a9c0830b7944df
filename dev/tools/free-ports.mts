import getPort, { clearLockedPorts } from 'get-port';
import { randomInt } from 'node:crypto';

const HOST = '127.0.0.1';
// Below the range that systems take ports of outgoing connections from (32768 on Linux, 49152
// elsewhere): one of those could occupy a port while n8n restarts on it.
const LOWEST = 12_000;
const HIGHEST = 32_000;
const CANDIDATES = 200;

/**
 * Finds a free port on 127.0.0.1, another one each time.
 *
 * @returns its number
 */
export async function freePort(): Promise<number> {
	// At random, since other processes look for ports at the same time.
	const port = Array.from({ length: CANDIDATES }, () => randomInt(LOWEST, HIGHEST));
	return await getPort({ host: HOST, port });
}

/**
 * Checks that some ports of 127.0.0.1 are free.
 *
 * @param ports the ports that are needed
 * @returns lines for MissingRequirement, none when all are free
 */
export async function occupiedPorts(ports: number[]): Promise<string[]> {
	// A port that it found not long ago would count as taken.
	clearLockedPorts();
	const found = await Promise.all(ports.map((port) => getPort({ host: HOST, port })));
	return ports
		.filter((port, index) => found[index] !== port)
		.map((port) => `port ${port} on ${HOST}: another program listens on it, or it may not be used`);
}
