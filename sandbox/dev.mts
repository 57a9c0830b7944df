import type { FastifyInstance } from 'fastify';
import { changeMember } from './changes.mts';
import { ApiError } from './errors.mts';
import { type Fault, REMOTE_KINDS } from './faults.mts';
import { personIn } from './person.mts';
import type { RateLimitSettings } from './rate-limit.mts';
import { type User, UserStatus } from './records.mts';
import { refuseOtherPages } from './same-origin.mts';
import { newcomer } from './seed/members.mts';
import type { Sandbox, SandboxSettings } from './server.mts';
import type { WebhookAddress } from './webhooks.mts';

/** The path of the development endpoints, which need no key and are not recorded. */
export const DEV_PREFIX = '/_sandbox';

const KINDS = ['boards', 'users', 'roles', 'posts', 'comments', 'replies', 'tags'] as const;
type Kind = (typeof KINDS)[number];

/** The endpoints for other processes and for the page (sandbox/README.md). */
export function serveDevelopment(app: FastifyInstance, sandbox: Sandbox): void {
	const { settings, community, requests, faults, rateLimit, webhooks } = sandbox;
	const at = (path: string) => `${DEV_PREFIX}${path}`;
	const done = () => ({ message: 'OK' });
	app.addHook('onRequest', (request, _reply, next) => {
		if (request.url.startsWith(DEV_PREFIX)) refuseOtherPages(request);
		next();
	});

	app.get<{ Querystring: { method?: string; path?: string } }>(at('/requests'), ({ query }) => {
		const { total, inFlight, maxInFlight, statuses } = requests;
		const matching = requests.matching(query.method, query.path);
		return { total, inFlight, maxInFlight, statuses, requests: matching };
	});
	app.delete(at('/requests'), () => {
		requests.clear();
		return done();
	});

	app.post<{ Body: Fault }>(at('/faults'), ({ body }) => {
		if (!REMOTE_KINDS.includes(body?.kind)) {
			throw new ApiError(400, `body.kind must be one of ${REMOTE_KINDS.join(', ')}`);
		}
		return { id: faults.add(body) };
	});
	app.delete(at('/faults'), () => {
		faults.clear();
		return done();
	});
	app.put<{ Body: RateLimitSettings | null }>(at('/rate-limit'), ({ body }) => {
		rateLimit.set(body ?? null);
		return done();
	});
	app.patch<{ Body: Partial<SandboxSettings> }>(at('/settings'), ({ body }) =>
		Object.assign(settings, body),
	);

	app.put<{ Body: WebhookAddress[] }>(at('/webhooks'), ({ body }) => {
		webhooks.set(body);
		return done();
	});

	app.post<{ Body?: Partial<User> & { who?: string } }>(at('/members'), ({ body }) => {
		const { who = '', ...fields } = body ?? {};
		const person = { ...personIn(who), ...fields };
		const profile = person.first_name ? person : { ...newcomer(community), ...person };
		return person.user_status === UserStatus.WAITLIST
			? community.waitlist(profile)
			: community.join(profile);
	});
	app.post<{ Params: { msid: string; change: string }; Body?: { role_id?: number } }>(
		at('/members/:msid/:change'),
		({ params: { msid, change }, body }) =>
			changeMember(community, msid, change, Number(body?.role_id)),
	);
	app.delete<{ Params: { msid: string } }>(at('/members/:msid'), ({ params }) => {
		community.removeUser(params.msid);
		return done();
	});

	app.get<{ Params: { kind: Kind } }>(at('/state/:kind'), ({ params: { kind } }) => {
		if (!KINDS.includes(kind)) throw new ApiError(404, `no such kind: ${kind}`);
		return [...community[kind].values()];
	});
	app.post(at('/start-over'), () => {
		sandbox.calm();
		community.startOver();
		return done();
	});
}
