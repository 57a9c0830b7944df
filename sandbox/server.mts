import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';
import { json } from './answers.mts';
import { serveApi } from './api.mts';
import { Community, type MemberEvent } from './community.mts';
import { DEV_PREFIX, serveDevelopment } from './dev.mts';
import { ApiError, errorBody } from './errors.mts';
import { Faults } from './faults.mts';
import { sentenceOf } from './outcome.mts';
import { rewriteUrl, servePage } from './page.mts';
import { RateLimit, type RateLimitSettings } from './rate-limit.mts';
import { Recorder } from './recorder.mts';
import { Webhooks } from './webhooks.mts';

export interface SandboxOptions {
	/** 0, the default, chooses a free port. */
	port?: number;
	/** Seed of all random values. */
	seed?: number;
	/** Number of members, the API caller included. */
	members?: number;
	/** The delay of every answer. */
	delayMs?: number;
	/** The records on a page, for any larger `page_size`. */
	largestPage?: number;
	apiKey?: string;
	/** The webhook secret that the page suggests. */
	webhookSecret?: string;
	/** Changes without a record to return answer 204 without a body. */
	emptyAnswers?: boolean;
	rateLimit?: RateLimitSettings;
	/** The clock for the end of the seeded history, and for the timestamps of new records. */
	now?: () => Date;
}

/** Settings that can change while the sandbox runs. */
export interface SandboxSettings {
	/** The basic-auth password that is accepted. */
	apiKey: string;
	/** The delay of every answer. */
	delayMs: number;
	/** Changes without a record to return answer 204 without a body instead of `{ message: 'OK' }`. */
	emptyAnswers: boolean;
	/** The records on a page, for any larger `page_size`. */
	largestPage: number;
}

/** A running community. */
export interface Sandbox {
	/** E.g. `http://127.0.0.1:40123`, without a trailing slash. */
	baseUrl: string;
	apiKey: string;
	/** The basic-auth user name. Any name is accepted unless it is empty. */
	sourceSystem: string;
	/** The webhook secret that the page suggests. A webhook uses the one it is set up with. */
	webhookSecret: string;
	settings: SandboxSettings;
	community: Community;
	requests: Recorder;
	faults: Faults;
	rateLimit: RateLimit;
	webhooks: Webhooks;
	/** Switches faults and the rate limit off, and restores the initial settings. */
	calm(): void;
	/** Restores the initial state, including webhooks and recorded requests. */
	reset(): void;
	/** Ends every connection and stops listening. */
	close(): Promise<void>;
}

/** Large enough for all tests. The API documents no size limit. */
const BODY_LIMIT = 10 * 1024 * 1024;
const EVENTS: MemberEvent[] = ['member.joined', 'member.joined_waitlist'];

/** Starts a local community with the whole API on 127.0.0.1, with its state in memory. Rejects if the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, seed = 1, members = 430, now = () => new Date(), rateLimit } = options;
	const { apiKey = 'sandbox-key', delayMs = 0, emptyAnswers = false, largestPage = 50 } = options;
	const community = new Community({ seed, members, now });
	const webhooks = new Webhooks((delivery) => community.tell(sentenceOf(delivery)));
	const sandbox: Sandbox = {
		baseUrl: '',
		apiKey,
		sourceSystem: 'sandbox',
		community,
		webhooks,
		webhookSecret: options.webhookSecret ?? 'sandbox-webhook-secret',
		settings: { apiKey, delayMs, emptyAnswers, largestPage },
		requests: new Recorder(),
		faults: new Faults(),
		rateLimit: new RateLimit(),
		calm: () => {
			Object.assign(sandbox.settings, { apiKey, delayMs, emptyAnswers, largestPage });
			sandbox.faults.clear();
			sandbox.rateLimit.set(rateLimit ?? null);
		},
		reset: () => {
			sandbox.calm();
			webhooks.reset();
			community.reset();
			sandbox.requests.clear();
		},
		close: async () => {
			webhooks.close();
			await app.close();
			await webhooks.settled();
		},
	};
	sandbox.calm();
	for (const event of EVENTS) community.on(event, (user) => void webhooks.announce(event, user));
	const app = makeServer(sandbox);
	await app.listen({ host: '127.0.0.1', port });
	sandbox.baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
	return sandbox;
}

function makeServer(sandbox: Sandbox): FastifyInstance {
	const app = fastify({
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		rewriteUrl,
		routerOptions: { maxParamLength: 1000 },
		frameworkErrors: (error, _request, reply: FastifyReply) => {
			json(reply.code(400), errorBody(400, error.message));
		},
	});
	record(app, sandbox.requests);
	app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
		// Fastify itself refuses malformed requests, e.g. a body with broken JSON.
		const status = error instanceof ApiError ? error.status : error.statusCode ? 400 : 500;
		return json(reply.code(status), errorBody(status, error.message));
	});
	// Required on every request, even without a body (docs/api/README.md, "Authentication").
	app.removeContentTypeParser('application/json');
	const parse = app.getDefaultJsonParser('error', 'error');
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
		if (text === '') done(null, undefined);
		else parse(request, String(text), done);
	});
	// Bodies that are not JSON are refused later, after the checks of path, method and key.
	app.removeContentTypeParser('text/plain');
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
	serveApi(app, sandbox);
	serveDevelopment(app, sandbox);
	servePage(app, sandbox);
	return app;
}

/** Records the start and the end of every request, except those to the development endpoints. */
function record(app: FastifyInstance, requests: Recorder): void {
	app.decorateRequest('recorded', undefined);
	app.decorateRequest('faults', undefined);
	app.addHook('onRequest', (request, reply, next) => {
		const { method, url, headers } = request;
		if (!url.startsWith(DEV_PREFIX)) {
			const [path] = url.split('?', 1);
			const query = { ...(request.query as Record<string, string | string[]>) };
			const recorded = requests.begin({ method, path, query, url, headers });
			request.recorded = recorded;
			// If either side closes the connection early, the request ends without an answer.
			reply.raw.once('close', () => requests.end(recorded, null));
		}
		next();
	});
	// Before the answer is sent, so that the request is recorded when the client receives it.
	app.addHook('onSend', (request, reply, payload, next) => {
		if (request.recorded) requests.end(request.recorded, reply.statusCode);
		next(null, payload);
	});
}
