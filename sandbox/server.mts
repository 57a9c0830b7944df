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
	/** 0, the default, takes a free one. */
	port?: number;
	/** Start value of everything left to chance. */
	seed?: number;
	/** Number of members, the API caller included. */
	members?: number;
	/** Every answer waits this long. */
	delayMs?: number;
	apiKey?: string;
	/** What the page proposes as the secret of a webhook. */
	webhookSecret?: string;
	/** Changes that have nothing to show answer 204 without a body. */
	emptyAnswers?: boolean;
	rateLimit?: RateLimitSettings;
	/** The clock that new records are stamped by. */
	now?: () => Date;
}

/** What can be changed while the sandbox runs. */
export interface SandboxSettings {
	/** The basic-auth password that is accepted. */
	apiKey: string;
	/** Every answer waits this long. */
	delayMs: number;
	/** Changes that have nothing to show answer 204 without a body instead of `{ message: 'OK' }`. */
	emptyAnswers: boolean;
}

/** A running community. */
export interface Sandbox {
	/** E.g. `http://127.0.0.1:40123`, without a trailing slash. */
	baseUrl: string;
	apiKey: string;
	/** A basic-auth user name; any is accepted that is not empty. */
	sourceSystem: string;
	/** What the page proposes as the secret of a webhook; a webhook gets the one it is set up with. */
	webhookSecret: string;
	settings: SandboxSettings;
	community: Community;
	requests: Recorder;
	faults: Faults;
	rateLimit: RateLimit;
	webhooks: Webhooks;
	/** Switches faults and the rate limit off, and puts the settings back to how they started. */
	calm(): void;
	/** Puts everything back to how it started, webhooks and recorded requests included. */
	reset(): void;
	/** Ends every connection and stops listening. */
	close(): Promise<void>;
}

/** Large enough for anything a test sends; size limits are not documented. */
const BODY_LIMIT = 10 * 1024 * 1024;
const EVENTS: MemberEvent[] = ['member.joined', 'member.joined_waitlist'];

/**
 * Starts a local community that speaks the whole API, with its state in memory, on 127.0.0.1.
 * Rejects when the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, seed = 1, members = 430, now = () => new Date(), rateLimit } = options;
	const { apiKey = 'sandbox-key', delayMs = 0, emptyAnswers = false } = options;
	const community = new Community({ seed, members, now });
	const webhooks = new Webhooks((delivery) => community.tell(sentenceOf(delivery)));
	const sandbox: Sandbox = {
		baseUrl: '',
		apiKey,
		sourceSystem: 'sandbox',
		community,
		webhooks,
		webhookSecret: options.webhookSecret ?? 'sandbox-webhook-secret',
		settings: { apiKey, delayMs, emptyAnswers },
		requests: new Recorder(),
		faults: new Faults(),
		rateLimit: new RateLimit(),
		calm: () => {
			Object.assign(sandbox.settings, { apiKey, delayMs, emptyAnswers });
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
		// What Fastify itself refuses is a malformed request, for example a body that is broken JSON.
		const status = error instanceof ApiError ? error.status : error.statusCode ? 400 : 500;
		return json(reply.code(status), errorBody(status, error.message));
	});
	// Required on every request, also without a body (docs/api/README.md, "Authentication").
	app.removeContentTypeParser('application/json');
	const parse = app.getDefaultJsonParser('error', 'error');
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
		if (text === '') done(null, undefined);
		else parse(request, String(text), done);
	});
	// Bodies that are not JSON are refused later, when it is clear that path, method and key are right.
	app.removeContentTypeParser('text/plain');
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
	serveApi(app, sandbox);
	serveDevelopment(app, sandbox);
	servePage(app, sandbox);
	return app;
}

/** Notes the beginning and the end of every request but those to the development endpoints. */
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
			// A connection that ends early, from either side, ends the request without an answer.
			reply.raw.once('close', () => requests.end(recorded, null));
		}
		next();
	});
	// Before the answer leaves, so that a client never sees it earlier than the record does.
	app.addHook('onSend', (request, reply, payload, next) => {
		if (request.recorded) requests.end(request.recorded, reply.statusCode);
		next(null, payload);
	});
}
