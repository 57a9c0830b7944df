import axios, { type AxiosResponse } from 'axios';
import { fastify, type RouteHandlerMethod } from 'fastify';
import type { Sandbox } from '../../sandbox/server.mts';

export interface CallOptions {
	query?: Record<string, unknown>;
	body?: unknown;
	/** In addition to Authorization and User-Agent. Null removes one of those. */
	headers?: Record<string, string | null>;
}

/** The required fields of a board. */
export const BOARD = {
	board_name: 'Gardening',
	is_private: false,
	hidden_type: 0,
	permission_for: 10,
	needs_approval: false,
};

/** Sends a request with the sandbox's key, and returns the answer with any status. */
export function call(
	sandbox: Sandbox,
	method: string,
	path: string,
	{ query, body, headers = {} }: CallOptions = {},
): Promise<AxiosResponse> {
	const credentials = Buffer.from(`tests:${sandbox.apiKey}`).toString('base64');
	const all: Record<string, string | null> = {
		authorization: `Basic ${credentials}`,
		'user-agent': 'tests',
		...headers,
	};
	return axios.request({
		method,
		url: `${sandbox.baseUrl}${path}`,
		params: query,
		// Text is sent unchanged, because axios would convert it to JSON.
		data: typeof body === 'string' ? Buffer.from(body) : body,
		// With false, axios leaves out a header that it sets by default.
		headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value ?? false])),
		proxy: false,
		validateStatus: () => true,
	});
}

export interface Received {
	headers: Record<string, string | string[] | undefined>;
	query: unknown;
	body: unknown;
}

/** A server for events at `/hook` and below, on a free port, which answers with the number of received events. */
export async function startReceiver() {
	const received: Received[] = [];
	const app = fastify();
	const receive: RouteHandlerMethod = ({ headers, query, body }, reply) => {
		received.push({ headers, query, body });
		return reply.send({ received: received.length });
	};
	app.post('/hook', receive);
	app.post('/hook/*', receive);
	const address = await app.listen({ host: '127.0.0.1', port: 0 });
	// A failed test must not prevent Jest from ending.
	app.server.unref();
	return { url: `${address}/hook`, received, close: () => app.close() };
}
