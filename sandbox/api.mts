import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWith, json } from './answers.mts';
import { ApiError } from './errors.mts';
import type { MatchedFaults } from './faults.mts';
import { METHODS, type Operation, operations, type Schema, wrongIn } from './openapi.mts';
import { cutPage } from './paging.mts';
import type { RecordedRequest } from './recorder.mts';
import { boards } from './routes/boards.mts';
import { comments } from './routes/comments.mts';
import { type Handler, Listing, OK } from './routes/handler.mts';
import { posts } from './routes/posts.mts';
import { replies } from './routes/replies.mts';
import { roles } from './routes/roles.mts';
import { tags } from './routes/tags.mts';
import { users } from './routes/users.mts';
import type { Sandbox } from './server.mts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Undefined for the development endpoints. */
		recorded?: RecordedRequest;
		faults?: MatchedFaults;
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
/** The maximum that servers accept, e.g. Apache (LimitRequestLine) and nginx (large_client_header_buffers). */
const LONGEST_URL = 8190;
const ALL_METHODS = METHODS.map((method) => method.toUpperCase() as Uppercase<typeof method>);
/** Fastify's names for these parts. */
const PARTS: Record<string, string> = { params: 'path', querystring: 'query' };

/** Serves every operation of the API's description. */
export function serveApi(app: FastifyInstance, sandbox: Sandbox): void {
	const preValidation = makeGate(sandbox);
	app.setValidatorCompiler<Schema>(({ schema, httpPart = '' }) => (data: unknown) => {
		const wrong = wrongIn(PARTS[httpPart] ?? httpPart, schema, data);
		return wrong === undefined
			? { value: data }
			: { error: new ApiError(400, `payload validation: ${wrong}`) };
	});
	const methodsOf = new Map<string, Set<string>>();
	for (const operation of operations.values()) {
		const { method, path, request: schema } = operation;
		const url = path.replace(/\{(\w+)\}/g, ':$1');
		methodsOf.set(url, (methodsOf.get(url) ?? new Set()).add(method));
		const check = async (request: FastifyRequest) => checkHeaders(request, operation);
		const handler = makeHandler(operation, sandbox);
		app.route({ method, url, schema, preValidation: [preValidation, check], handler });
	}
	for (const [url, methods] of methodsOf) {
		app.route({
			method: ALL_METHODS.filter((method) => !methods.has(method)),
			url,
			preValidation,
			handler: ({ method }) => {
				throw new ApiError(405, `${method} is not offered here`);
			},
		});
	}
	app.setNotFoundHandler({ preValidation }, ({ method, url }) => {
		throw new ApiError(404, `the API has no ${method} ${url}: is the base URL right?`);
	});
}

/** Checks that every request passes first: faults, the rate limit, the API key. */
function makeGate(sandbox: Sandbox) {
	const { settings, faults, rateLimit, community } = sandbox;
	return async (request: FastifyRequest, reply: FastifyReply) => {
		const { recorded } = request;
		if (!recorded) return;
		// A copy, because the check fills in defaults that the client did not send.
		recorded.body = structuredClone(request.body);
		if (request.url.length > LONGEST_URL) {
			return answerWith({ kind: 'html', status: 414 }, request, reply, sandbox);
		}
		request.faults = faults.match(recorded.method, recorded.path);
		if (settings.delayMs > 0) await sleep(settings.delayMs, undefined, { ref: false });
		for (const fault of request.faults.before) {
			if (fault.kind === 'slow') await sleep(fault.delayMs, undefined, { ref: false });
			else if (fault.kind === 'call') await fault.run(community);
			else community.joinAndLeave(fault);
		}
		const { answer } = request.faults;
		if (answer && !answer.applied) return answerWith(answer, request, reply, sandbox);
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

function checkHeaders({ headers }: FastifyRequest, operation: Operation): void {
	if (!headers['user-agent']) {
		throw new ApiError(400, 'payload validation: header.user-agent is missing');
	}
	const isSent = Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers;
	if (isSent && !operation.request.body) {
		throw new ApiError(400, 'payload validation: a body is not expected here');
	}
	if (isSent && !/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) {
		throw new ApiError(400, 'the Content-Type of a body must be application/json');
	}
}

function makeHandler({ id }: Operation, sandbox: Sandbox) {
	const { settings, community } = sandbox;
	const handler = handlers[id];
	if (!handler) throw new Error(`The sandbox does not carry out ${id}`);

	return (request: FastifyRequest, reply: FastifyReply) => {
		const { params, query, body, faults, recorded } = request;
		const answer = handler({ params, query, body, community } as Parameters<Handler>[0]);
		if (recorded) recorded.carriedOut = true;
		if (faults?.answer) return answerWith(faults.answer, request, reply, sandbox);
		if (answer === undefined || (answer === OK && settings.emptyAnswers)) {
			return reply.code(204).send();
		}
		if (!(answer instanceof Listing)) return json(reply, answer);
		const { page, page_size } = query as { page: number; page_size: number };
		const cut = cutPage(answer, page, Math.min(page_size, settings.largestPage), faults?.list);
		if (cut.hasMore !== undefined) reply.header('has_more', cut.hasMore);
		return json(reply, cut.body);
	};
}
