import { request as forward, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Sandbox } from '../../sandbox/server.mts';
import { serve, type TestServer } from './servers.mts';

/** An answer on its way to the node. */
export interface BentAnswer {
	status: number;
	headers: IncomingHttpHeaders;
	body: string;
}

/** Changes an answer. Receives the method and the path of the request, without the query. */
export type Bend = (answer: BentAnswer, method: string, path: string) => void;

/** A sandbox behind a server that changes its answers, as gateways and other implementations do. */
export interface BentSandbox extends TestServer {
	/** The sandbox for `runNode`, with the address of the server in front. */
	sandbox: Pick<Sandbox, 'baseUrl' | 'apiKey' | 'sourceSystem'>;
}

/** Starts a server in front of a sandbox that changes each of its answers. */
export async function bendAnswers(sandbox: Sandbox, bend: Bend): Promise<BentSandbox> {
	const server = await serve((request, response) => {
		const { method = '', url = '', headers } = request;
		const onward = forward(sandbox.baseUrl + url, { method, headers }, (reply) => {
			void text(reply).then((body) => {
				const answer = { status: reply.statusCode ?? 500, headers: reply.headers, body };
				bend(answer, method, url.split('?', 1)[0]);
				delete answer.headers['content-length'];
				delete answer.headers['transfer-encoding'];
				response.writeHead(answer.status, answer.headers).end(answer.body);
			});
		});
		request.pipe(onward);
	});
	return { ...server, sandbox: { ...sandbox, baseUrl: server.origin } };
}

/** Replaces the body by a value as JSON. */
export function answerWith(answer: BentAnswer, value: unknown, status = 200): void {
	Object.assign(answer, { status, body: JSON.stringify(value) });
	answer.headers['content-type'] = 'application/json';
}
