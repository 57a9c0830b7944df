import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './errors.mts';
import type { Affliction } from './faults.mts';
import { METHODS, type Operation, operations } from './openapi.mts';
import { cutPage } from './paging.mts';
import type { SandboxParts } from './parts.mts';
import type { RecordedRequest } from './recorder.mts';
import { answerWith, json } from './answers.mts';
import { boards } from './routes/boards.mts';
import { comments } from './routes/comments.mts';
import { type Answer, type Handler, Listing, OK } from './routes/handler.mts';
import { posts } from './routes/posts.mts';
import { replies } from './routes/replies.mts';
import { roles } from './routes/roles.mts';
import { tags } from './routes/tags.mts';
import { users } from './routes/users.mts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Undefined for the development endpoints. */
		recorded?: RecordedRequest;
		affliction?: Affliction;
	}
}

const handlers: Record<string, Handler> = {
	...boards,
	...users,
	...roles,
	...posts,
	...comments,
	...replies,
	...tags,
};
/** What servers take at most, e.g. Apache (LimitRequestLine) and nginx (large_client_header_buffers). */
const LONGEST_URL = 8190;
const ALL_METHODS = METHODS.map((method) => method.toUpperCase() as Uppercase<typeof method>);

/** Serves every operation of the API's description. */
export function serveApi(app: FastifyInstance, parts: SandboxParts): void {
	const gate = makeGate(parts);
	const methodsOf = new Map<string, Set<string>>();
	for (const operation of operations.values()) {
		const url = operation.path.replace(/\{(\w+)\}/g, ':$1');
		methodsOf.set(url, (methodsOf.get(url) ?? new Set()).add(operation.method));
		app.route({
			method: operation.method,
			url,
			preValidation: gate,
			handler: makeHandler(operation, parts),
		});
	}
	for (const [url, methods] of methodsOf) {
		app.route({
			method: ALL_METHODS.filter((method) => !methods.has(method)),
			url,
			preValidation: gate,
			handler: ({ method }) => {
				throw new ApiError(405, `${method} is not offered here`);
			},
		});
	}
	app.setNotFoundHandler({ preValidation: gate }, ({ method, url }) => {
		throw new ApiError(404, `the API has no ${method} ${url}: is the base URL right?`);
	});
}

/** What every request passes first: faults, the rate limit, the API key. */
function makeGate(parts: SandboxParts) {
	const { settings, faults, rateLimit, community, stopped } = parts;
	return async (request: FastifyRequest, reply: FastifyReply) => {
		const { recorded } = request;
		if (!recorded) return;
		recorded.body = request.body;
		if (request.url.length > LONGEST_URL) {
			return answerWith({ kind: 'html', status: 414 }, request, reply, parts);
		}
		const affliction = faults.befall(recorded.method, recorded.path);
		request.affliction = affliction;
		if (settings.delayMs > 0) await sleep(settings.delayMs, undefined, { ref: false });
		for (const fault of affliction?.side ?? []) {
			if (fault.kind === 'slow') {
				await sleep(fault.delayMs, undefined, { ref: false, signal: stopped }).catch(() => {});
			} else if (fault.kind === 'call') {
				await fault.run(community);
			} else {
				for (let count = fault.join ?? 0; count > 0; count--) community.join();
				for (const { msid } of community.members(10, 'joined', 'desc').slice(0, fault.leave ?? 0)) {
					community.removeUser(msid);
				}
			}
		}
		if (affliction?.answer && !affliction.answer.applied) {
			return answerWith(affliction.answer, request, reply, parts);
		}
		if (!rateLimit.admits()) {
			const wait = rateLimit.settings?.retryAfterSeconds;
			if (wait !== undefined) reply.header('retry-after', String(wait));
			throw new ApiError(429, 'too many requests');
		}
		const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
		const [sourceSystem, ...key] = Buffer.from(credentials, 'base64').toString().split(':');
		if (scheme.toLowerCase() !== 'basic' || !sourceSystem || key.join(':') !== settings.apiKey) {
			throw new ApiError(403, 'the API key is not valid');
		}
	};
}

function makeHandler(operation: Operation, parts: SandboxParts) {
	const { settings, community } = parts;
	const handler = handlers[operation.id];
	if (!handler) throw new Error(`The sandbox does not carry out ${operation.id}`);

	return (request: FastifyRequest, reply: FastifyReply) => {
		const { headers } = request;
		const sent = Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers;
		if (sent && !operation.hasBody) {
			throw new ApiError(400, 'payload validation: a body is not expected here');
		}
		if (sent && !/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) {
			throw new ApiError(400, 'the Content-Type of a body must be application/json');
		}
		// The check fills in defaults, which are not part of what was sent.
		const body = structuredClone(request.body);
		const { params, query } = request;
		const findings = operation.check({ path: params, query, header: headers, body });
		if (findings.length > 0) throw new ApiError(400, `payload validation: ${findings.join('; ')}`);
		const answer = handler({ params, query, body, community } as Parameters<Handler>[0]);
		if (request.recorded) parts.recorder.carryOut(request.recorded);
		const fault = request.affliction?.answer;
		if (fault) return answerWith(fault, request, reply, parts);
		if (answer === undefined || (answer === OK && settings.emptyAnswers))
			return reply.code(204).send();
		return sendAnswer(answer, request, reply);
	};
}

function sendAnswer(answer: Answer, request: FastifyRequest, reply: FastifyReply) {
	if (!(answer instanceof Listing)) return json(reply, answer);
	const { page, page_size } = request.query as { page: number; page_size: number };
	const { body, hasMore } = cutPage(answer, page, page_size, request.affliction?.list);
	if (hasMore !== undefined) reply.header('has_more', hasMore);
	return json(reply, body);
}
