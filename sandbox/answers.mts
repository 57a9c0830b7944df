import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './errors.mts';
import type { AnswerFault } from './faults.mts';
import type { Sandbox } from './server.mts';

/** Answers with a fault instead of the real answer. */
export function answerWith(
	fault: AnswerFault,
	request: FastifyRequest,
	reply: FastifyReply,
	{ requests, faults }: Pick<Sandbox, 'requests' | 'faults'>,
): FastifyReply {
	switch (fault.kind) {
		case 'status': {
			const { status, message = 'the sandbox was told to refuse this', retryAfter } = fault;
			if (typeof retryAfter === 'number') reply.header('retry-after', String(retryAfter));
			else if (retryAfter) {
				const date = new Date(Date.now() + retryAfter.dateInSeconds * 1000);
				reply.header('retry-after', date.toUTCString());
			}
			return json(reply.code(status), fault.body ?? errorBody(status, message));
		}
		case 'html':
			return reply
				.code(fault.status ?? 200)
				.type('text/html; charset=utf-8')
				.send('<!doctype html><title>Gateway</title><h1>Please come back soon</h1>');
		case 'text':
			return reply
				.code(fault.status ?? 200)
				.type('application/json; charset=utf-8')
				.send(fault.text);
		case 'cut':
			if (request.recorded) requests.end(request.recorded, null);
			reply.hijack();
			request.raw.socket.destroy();
			return reply;
		case 'hang':
			faults.hang(request.raw.socket);
			return reply.hijack();
	}
}

export function json(reply: FastifyReply, value: unknown): FastifyReply {
	return reply.type('application/json; charset=utf-8').send(JSON.stringify(value));
}
