import type { FastifyInstance } from 'fastify';
import type { Community } from './community.mts';
import { refuseOtherPages } from './same-origin.mts';
import { ApiError } from './errors.mts';
import { type Fault, FAULT_KINDS } from './faults.mts';
import type { SandboxParts, SandboxSettings } from './parts.mts';
import type { RateLimitSettings } from './rate-limit.mts';
import { UserStatus } from './records.mts';
import type { User } from './records.mts';
import { newcomer } from './seed/members.mts';
import type { WebhookAddress } from './webhooks.mts';

/** The development endpoints lie below this path; they need no key and are not recorded. */
export const DEV_PREFIX = '/_sandbox';

const KINDS = ['boards', 'users', 'roles', 'posts', 'comments', 'replies', 'tags'] as const;
type Kind = (typeof KINDS)[number];

/** What another process can ask of the sandbox; see sandbox/README.md. */
export function serveDevelopment(app: FastifyInstance, parts: SandboxParts): void {
	const { settings, community, recorder, faults, rateLimit, webhooks } = parts;
	const at = (path: string) => `${DEV_PREFIX}${path}`;
	app.addHook('onRequest', (request, _reply, next) => {
		if (request.url.startsWith(DEV_PREFIX)) refuseOtherPages(request);
		next();
	});

	app.get<{ Querystring: { method?: string; path?: string } }>(at('/requests'), ({ query }) => ({
		total: recorder.total,
		inFlight: recorder.inFlight,
		maxInFlight: recorder.maxInFlight,
		statuses: recorder.statuses,
		requests: recorder.matching(query.method, query.path),
	}));
	app.delete(at('/requests'), () => {
		recorder.clear();
		return done();
	});

	app.get(at('/faults'), () => faults.list());
	app.post<{ Body: Fault }>(at('/faults'), ({ body }) => {
		if (!FAULT_KINDS.includes(body?.kind) || body.kind === 'call') {
			throw new ApiError(400, `body.kind must be one of ${FAULT_KINDS.join(', ')}, call excepted`);
		}
		return { id: faults.add(body) };
	});
	app.delete(at('/faults'), () => {
		faults.clear();
		return done();
	});
	app.delete<{ Params: { id: string } }>(at('/faults/:id'), ({ params }) => {
		faults.remove(Number(params.id));
		return done();
	});
	app.get(at('/rate-limit'), () => rateLimit.settings);
	app.put<{ Body: RateLimitSettings | null }>(at('/rate-limit'), ({ body }) => {
		rateLimit.set(body ?? null);
		return done();
	});
	app.get(at('/settings'), () => settings);
	app.patch<{ Body: Partial<SandboxSettings> }>(at('/settings'), ({ body }) => {
		return Object.assign(settings, body);
	});

	app.get(at('/webhooks'), () => webhooks.addresses);
	app.put<{ Body: WebhookAddress[] }>(at('/webhooks'), ({ body }) => {
		webhooks.set(body);
		return done();
	});
	app.get(at('/deliveries'), () => webhooks.deliveries);
	app.post<{ Body: { event: string; entities: Record<string, object[]> } }>(
		at('/deliveries'),
		({ body }) => webhooks.send(body.event, body.entities),
	);
	app.post<{ Params: { number: string }; Body: { times?: number } | undefined }>(
		at('/deliveries/:number/repeat'),
		({ params, body }) => webhooks.repeat(Number(params.number), body?.times),
	);

	app.post<{ Body: Partial<User> | undefined }>(at('/members'), ({ body }) =>
		body?.user_status === UserStatus.WAITLIST ? community.waitlist(body) : community.join(body),
	);
	app.post<{ Body: { waitlist?: boolean } | undefined }>(at('/newcomers'), ({ body }) => {
		const before = webhooks.deliveries.length;
		const profile = newcomer(community);
		const member = body?.waitlist ? community.waitlist(profile) : community.join(profile);
		return { member, deliveries: webhooks.deliveries.length - before };
	});
	app.get<{ Params: { msid: string } }>(at('/members/:msid'), ({ params }) =>
		community.user(params.msid),
	);
	app.patch<{ Params: { msid: string }; Body: Partial<User> }>(
		at('/members/:msid'),
		({ params, body }) => community.changeUser(params.msid, body),
	);
	app.post<{ Params: { msid: string } }>(at('/members/:msid/admit'), ({ params }) =>
		community.admit(params.msid),
	);
	app.delete<{ Params: { msid: string } }>(at('/members/:msid'), ({ params }) => {
		community.removeUser(params.msid);
		return done();
	});

	app.delete<{ Params: { id: string } }>(at('/boards/:id'), ({ params }) => {
		community.removeBoard(Number(params.id));
		return done();
	});

	app.get(at('/state'), () => summary(community));
	app.get<{ Params: { kind: Kind } }>(at('/state/:kind'), ({ params }) => {
		if (!KINDS.includes(params.kind)) throw new ApiError(404, `no such kind: ${params.kind}`);
		return [...community[params.kind].values()];
	});
	app.post(at('/start-over'), () => {
		community.startOver();
		return summary(community);
	});
	app.post(at('/reset'), () => {
		parts.reset();
		return summary(community);
	});
}

const done = () => ({ message: 'OK' });

function summary(community: Community) {
	const usersByStatus: Record<string, number> = {};
	for (const { user_status } of community.users.values()) {
		usersByStatus[user_status] = (usersByStatus[user_status] ?? 0) + 1;
	}
	return {
		...Object.fromEntries(KINDS.map((kind) => [kind, community[kind].size])),
		usersByStatus,
		caller: community.caller.msid,
	};
}
