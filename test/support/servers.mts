import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { range } from './community.mts';

/** A server that is not the API. */
export interface TestServer {
	/** E.g. `http://127.0.0.1:40123`. */
	origin: string;
	/** Its requests, with their headers. */
	requests: Array<Pick<IncomingMessage, 'method' | 'url' | 'headers'>>;
	close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1, or of another address of this machine. */
export async function serve(listener: RequestListener, host?: string): Promise<TestServer> {
	return await started('http', (recording) => createServer(recording), listener, host);
}

/** The same with HTTPS and a self-signed certificate. */
export async function serveSelfSigned(listener: RequestListener): Promise<TestServer> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }]);
	return await started('https', (recording) => createTlsServer({ key, cert }, recording), listener);
}

/** A server that lists this many members, in larger pages than any community's. */
export async function serveMembers(count: number, onPage: number): Promise<TestServer> {
	return await serve((request, response) => {
		const first = (askedPage(request) - 1) * onPage;
		const ids = range(first + 1, Math.min(count, first + onPage));
		response.setHeader('content-type', 'application/json');
		response.setHeader('has_more', first + onPage < count ? '1' : '0');
		response.end(JSON.stringify(ids.map((id) => ({ user_id: id, msid: `${id}.a` }))));
	});
}

/** The page that a request asks for. Throws if the query has none. */
export function askedPage({ url = '' }: IncomingMessage): number {
	const page = Number(new URL(url, 'http://127.0.0.1').searchParams.get('page'));
	if (!(page >= 1)) throw new RangeError(`The request asks for no page: ${url}`);
	return page;
}

/** A server whose answers never end. It sends a byte every 20 ms. */
export async function serveTrickling(): Promise<TestServer> {
	return await serve((_request, response) => {
		const trickle = setInterval(() => response.write(' '), 20);
		response.on('close', () => clearInterval(trickle));
	});
}

/** A server that closes every connection at its first request. */
export async function serveHangingUp(): Promise<Pick<TestServer, 'origin' | 'close'>> {
	const server = createTcpServer((socket) => socket.once('data', () => socket.end()));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
}

/** An address without a server. */
export async function closedOrigin(): Promise<string> {
	const server = await serve(() => {});
	await server.close();
	return server.origin;
}

async function started(
	scheme: string,
	create: (recording: RequestListener) => Server,
	listener: RequestListener,
	host = '127.0.0.1',
): Promise<TestServer> {
	const requests: TestServer['requests'] = [];
	const server = create((request, response) => {
		const { method, url, headers } = request;
		requests.push({ method, url, headers });
		listener(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	return {
		origin: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
		requests,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The JSON body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
	return await json(request);
}
