import { request } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance } from 'fastify';

/** The number of requests in each window of time. */
export interface WindowLimit {
	max: number;
	windowMs: number;
	isRetryAfterSent: boolean;
}

/** The proxy, while it runs. */
export interface LimitingProxy {
	origin: string;
	app: FastifyInstance;
	refused(): number;
}

/**
 * Starts a proxy that limits requests with @fastify/rate-limit.
 *
 * @param upstream origin of the community
 * @returns its origin, the number of refused requests, and a function that stops it
 */
export async function startFastify(
	upstream: string,
	{ max, windowMs, isRetryAfterSent }: WindowLimit,
): Promise<LimitingProxy> {
	const app = fastify();
	let refused = 0;
	await app.register(rateLimit, {
		max,
		timeWindow: windowMs,
		addHeaders: { 'retry-after': isRetryAfterSent },
		onExceeded: () => void refused++,
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
	app.all('/*', (incoming, reply) => {
		const { method, headers } = incoming;
		const outgoing = request(new URL(incoming.url, upstream), { method, headers }, (answer) => {
			reply.code(answer.statusCode ?? 502).headers(answer.headers);
			void reply.send(answer);
		});
		outgoing.once('error', (error) => void reply.send(error));
		incoming.raw.pipe(outgoing);
		return reply;
	});
	const origin = await app.listen({ host: '127.0.0.1', port: 0 });
	return { origin, app, refused: () => refused };
}
