import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server that is no community, on 127.0.0.1 and a free port. */
export interface WebServer {
	/** Without a trailing slash. */
	url: string;
	/** Method and path of what was asked, in the order of arrival. */
	received: string[];
	close(): Promise<void>;
}

/**
 * @param answer gives the response to each request
 */
export async function startWebServer(
	answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<WebServer> {
	const received: string[] = [];
	const server = createServer((request, response) => {
		received.push(`${request.method} ${request.url}`);
		answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		received,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
