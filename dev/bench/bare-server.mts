import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scene } from './measure.mts';
import type { RemoteSandbox } from './sandbox.mts';

/** What the peers of updates need, of a server that is no community. */
export type BareServer = Scene & RemoteSandbox;

/**
 * Starts a server that answers each request at once with an empty record. It runs in this process, as nothing that
 * takes time of its own: what is left is what a client takes for a request.
 *
 * @param members how many identifiers there are to update
 */
export async function startBareServer(members: number): Promise<BareServer> {
	const server = createServer((request, response) => {
		request.resume().once('end', () => {
			response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const unknown = () => Promise.reject(new Error('A bare server records nothing'));
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		sourceSystem: 'bare',
		apiKey: 'none',
		members: Array.from({ length: members }, (_, index) => `${index + 1}.bare`),
		tags: [],
		roleId: 1,
		prepare: async () => await Promise.resolve(),
		received: unknown,
		arrivals: unknown,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
