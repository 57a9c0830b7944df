import type { Setup } from '../bench/sandbox.mts';

/** What limits the requests: a gateway in front of the community, or the community itself. */
type Gateway =
	/** Directives of nginx's `location`; the zone `api` allows 100 requests a second. */
	| { kind: 'nginx'; directives: string }
	/** More requests than `count` in a sliding period are refused with 429; refused ones count, too. */
	| { kind: 'haproxy'; count: number; seconds: number }
	/** A fixed window of @fastify/rate-limit. */
	| { kind: 'fastify'; max: number; windowMs: number; isRetryAfterSent: boolean }
	| { kind: 'community'; setup: Setup };

/** One row of the table. */
export interface Limit {
	name: string;
	gateway: Gateway;
	updates: number;
	/** What the limit itself takes, in seconds, or the name of a row before with the same updates and no limit. */
	least?: number | string;
	/** How many times as long it is meant to take, and the share of requests refused. */
	aim?: { times: number; refused?: number };
	/** Above which share of refused requests it does not hold. */
	mostRefused?: number;
}

const UPDATES = 500;
const MANY = 1_000;
const PER_SECOND = 100;
const WITHOUT = 'no limit, 10 ms per answer';
const NGINX_429 = 'limit_req_status 429;';

const nginx = (directives: string): Gateway => ({ kind: 'nginx', directives });
const bucketSeconds = (burst: number) => (UPDATES - burst) / PER_SECOND;

/** All limits that are tried, in the order of the table. */
export const LIMITS: Limit[] = [
	{
		name: 'nginx, 100/s, no burst',
		gateway: nginx(`limit_req zone=api; ${NGINX_429}`),
		updates: UPDATES,
		least: bucketSeconds(1),
		aim: { times: 2 },
		mostRefused: 0.25,
	},
	{
		name: 'nginx, 100/s, burst 20, its 503',
		gateway: nginx('limit_req zone=api burst=20 nodelay;'),
		updates: UPDATES,
		least: bucketSeconds(21),
		aim: { times: 1.3, refused: 0.1 },
		mostRefused: 0.2,
	},
	{
		name: 'nginx, 100/s, burst 20, 429',
		gateway: nginx(`limit_req zone=api burst=20 nodelay; ${NGINX_429}`),
		updates: UPDATES,
		least: bucketSeconds(21),
		aim: { times: 1.1 },
		mostRefused: 0.2,
	},
	{
		name: 'nginx, 100/s, burst 200, 429',
		gateway: nginx(`limit_req zone=api burst=200 nodelay; ${NGINX_429}`),
		updates: UPDATES,
		least: bucketSeconds(201),
		aim: { times: 1.07 },
		mostRefused: 0.25,
	},
	{
		name: 'nginx, 100/s, burst 30, delayed',
		gateway: nginx(`limit_req zone=api burst=30; ${NGINX_429}`),
		updates: UPDATES,
		least: bucketSeconds(1),
		aim: { times: 1.11 },
		mostRefused: 0.1,
	},
	{
		name: 'nginx, 100/s, burst 100, delayed from 20 on',
		gateway: nginx(`limit_req zone=api burst=100 delay=20; ${NGINX_429}`),
		updates: UPDATES,
		least: bucketSeconds(21),
		aim: { times: 1.23 },
		mostRefused: 0.1,
	},
	{
		name: 'nginx, 10 connections',
		gateway: nginx('limit_conn connections 10;'),
		updates: UPDATES,
		mostRefused: 0.2,
	},
	{
		// Its counter weighs the period before with what is left of it: 200 at once, 200 more within the
		// next two seconds, and so on, however the requests are spaced.
		name: 'HAProxy, 200 in a sliding 2 s',
		gateway: { kind: 'haproxy', count: 200, seconds: 2 },
		updates: UPDATES,
		least: 5,
		aim: { times: 1.5 },
		mostRefused: 0.2,
	},
	{
		name: 'HAProxy, 500 in a sliding 10 s',
		gateway: { kind: 'haproxy', count: 500, seconds: 10 },
		updates: MANY,
		least: 20,
		aim: { times: 1.5 },
		mostRefused: 0.2,
	},
	{
		// Evenly sent, as without knowing the windows; with a hundred at the beginning of each it would be four seconds.
		name: '100 in each second, no Retry-After',
		gateway: { kind: 'fastify', max: 100, windowMs: 1_000, isRetryAfterSent: false },
		updates: UPDATES,
		least: 5,
		aim: { times: 1.3, refused: 0.1 },
		mostRefused: 0.2,
	},
	{
		name: '10 in each 100 ms, Retry-After: 1',
		gateway: { kind: 'fastify', max: 10, windowMs: 100, isRetryAfterSent: true },
		updates: UPDATES,
		least: 4.9,
		aim: { times: 1.5 },
		mostRefused: 0.1,
	},
	{
		name: '100/s, 10 at once, Retry-After: 1',
		gateway: {
			kind: 'community',
			setup: { rateLimit: { perSecond: PER_SECOND, burst: 10, retryAfterSeconds: 1 } },
		},
		updates: UPDATES,
		least: bucketSeconds(10),
		aim: { times: 1.4 },
		mostRefused: 0.1,
	},
	{
		name: WITHOUT,
		gateway: { kind: 'community', setup: { delayMs: 10 } },
		updates: MANY,
		least: WITHOUT,
	},
	...[0.01, 0.03, 0.05, 0.1].map((share) => ({
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
		aim: { times: share > 0.03 ? 5 : 3 },
		mostRefused: share + 0.05,
	})),
];
