import { request } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';

/** The number of requests in each window of time. */
export interface WindowLimit {
	max: number;
	windowMs: number;
	isRetryAfterSent: boolean;
}

/**
 * Starts a proxy that limits requests with @fastify/rate-limit.
 *
 * @param upstream origin of the community
 * @returns the proxy's origin
 */
export async function startFastify(
	upstream: string,
	{ max, windowMs, isRetryAfterSent }: WindowLimit,
): Promise<string> {
	const app = fastify();
	await app.register(rateLimit, {
		max,
		timeWindow: windowMs,
		addHeaders: { 'retry-after': isRetryAfterSent },
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
	return await app.listen({ host: '127.0.0.1', port: 0 });
}
