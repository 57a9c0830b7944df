import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { MissingRequirement } from '../n8n/requirements.mts';

// Below the range that systems take ports of outgoing connections from (32768 on Linux, 49152
// elsewhere): one of those could occupy a port while n8n restarts on it.
const LOWEST = 12_000;
const HIGHEST = 32_000;
const ATTEMPTS = 200;

/**
 * Finds ports on 127.0.0.1 that nobody listens on.
 *
 * @param count how many
 * @returns that many different port numbers
 * @throws MissingRequirement if so many cannot be found
 */
export async function freePorts(count: number): Promise<number[]> {
	const found = new Set<number>();
	for (let attempt = 0; attempt < ATTEMPTS && found.size < count; attempt++) {
		const port = randomInt(LOWEST, HIGHEST);
		if (await isFree(port)) found.add(port);
	}
	if (found.size < count) {
		throw new MissingRequirement([
			`${count} free ports on 127.0.0.1: of ${ATTEMPTS} tried between ${LOWEST} and ${HIGHEST}, ${found.size} were free`,
		]);
	}
	return [...found];
}

/**
 * Checks that nobody listens on some ports of 127.0.0.1.
 *
 * @param ports the ports that are needed
 * @returns lines for MissingRequirement, none when all are free
 */
export async function occupiedPorts(ports: number[]): Promise<string[]> {
	const free = await Promise.all(ports.map(isFree));
	return ports
		.filter((_port, index) => !free[index])
		.map(
			(port) => `port ${port} on 127.0.0.1: another program listens on it, or it may not be used`,
		);
}

function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
