import type { Setup } from '../bench/sandbox.mts';
import type { WindowLimit } from './fastify.mts';
import type { SlidingLimit } from './gateways.mts';

/** The limiting server: a gateway in front of the community, or the community itself. */
type Gateway =
	/** Directives of nginx's `location`. */
	| { kind: 'nginx'; directives: string }
	| ({ kind: 'haproxy' } & SlidingLimit)
	| ({ kind: 'fastify' } & WindowLimit)
	| { kind: 'community'; setup: Setup };

/** A rate limit, and the limiter's target for it (nodes/shared/limiter/README.md). */
export interface Limit {
	name: string;
	gateway: Gateway;
	updates: number;
	/** Seconds that sending at exactly the limit takes, or the name of an earlier row to compare with. */
	least?: number | string;
	/** The maximum, as a multiple of that time. */
	aim?: number;
}

const UPDATES = 500;
const MANY = 1_000;
const PER_SECOND = 100;
const WITHOUT = 'no limit, 10 ms per answer';

const bucketSeconds = (burst: number) => (UPDATES - burst) / PER_SECOND;

const behindNginx: Array<[directives: string, burst: number, aim: number]> = [
	['limit_req zone=api; limit_req_status 429;', 1, 2],
	['limit_req zone=api burst=20 nodelay;', 21, 1.3],
	['limit_req zone=api burst=20 nodelay; limit_req_status 429;', 21, 1.3],
	['limit_req zone=api burst=200 nodelay; limit_req_status 429;', 201, 1.3],
	['limit_req zone=api burst=30; limit_req_status 429;', 1, 1.3],
	['limit_req zone=api burst=100 delay=20; limit_req_status 429;', 21, 1.3],
];

// A burst of 200, 200 more within the next two seconds, and so on, with any spacing.
const behindHaproxy: Array<[limit: SlidingLimit, updates: number]> = [
	[{ count: 200, seconds: 2 }, UPDATES],
	[{ count: 500, seconds: 10 }, MANY],
];

const behindFastify: Array<[limit: WindowLimit, seconds: number, aim: number]> = [
	// Sent evenly, as by a client that does not know the windows.
	[{ max: 100, windowMs: 1_000, isRetryAfterSent: false }, 5, 1.3],
	[{ max: 10, windowMs: 100, isRetryAfterSent: true }, 4.9, 1.8],
];

const byChance: Array<[share: number, aim: number]> = [
	[0.01, 4],
	[0.03, 4],
	[0.05, 10],
	[0.1, 10],
];

/** All limits, in the order of the table. */
export const LIMITS: Limit[] = [
	...behindNginx.map(([directives, burst, aim]) => ({
		name: `nginx, 100/s: ${directives}`,
		gateway: { kind: 'nginx' as const, directives },
		updates: UPDATES,
		least: bucketSeconds(burst),
		aim,
	})),
	{
		name: 'nginx, 10 connections',
		gateway: { kind: 'nginx', directives: 'limit_conn connections 10;' },
		updates: UPDATES,
	},
	...behindHaproxy.map(([limit, updates]) => ({
		name: `HAProxy, ${limit.count} in a sliding ${limit.seconds} s`,
		gateway: { kind: 'haproxy' as const, ...limit },
		updates,
		least: (updates * limit.seconds) / limit.count,
		aim: 1.6,
	})),
	...behindFastify.map(([limit, least, aim]) => ({
		name: `fastify, ${limit.max} in ${limit.windowMs} ms${limit.isRetryAfterSent ? ', Retry-After' : ''}`,
		gateway: { kind: 'fastify' as const, ...limit },
		updates: UPDATES,
		least,
		aim,
	})),
	{
		name: '100/s, bucket of 10, Retry-After: 1',
		gateway: {
			kind: 'community',
			setup: { rateLimit: { perSecond: PER_SECOND, burst: 10, retryAfterSeconds: 1 } },
		},
		updates: UPDATES,
		least: bucketSeconds(10),
		aim: 1.8,
	},
	{ name: WITHOUT, gateway: { kind: 'community', setup: { delayMs: 10 } }, updates: MANY },
	...byChance.map(([share, aim]) => ({
		name: `429 by chance for ${100 * share} %`,
		gateway: {
			kind: 'community' as const,
			setup: {
				delayMs: 10,
				fault: { kind: 'status' as const, status: 429, probability: share, method: 'PATCH' },
			},
		},
		updates: MANY,
		least: WITHOUT,
		aim,
	})),
];
