import type { Random } from './clock.mts';

/** What a gateway says of a request. Undefined if it passes the request on. */
export interface Refusal {
	status: number;
	/** How long to wait. Undefined if the gateway does not say. */
	retryAfterMs?: number;
}

export interface Gateway {
	/** @param inFlight how many other requests are being worked on */
	judge(now: number, inFlight: number): Refusal | undefined;
	/** How many requests a second it lets pass at least, for the time that a story may take. */
	perSecond: number;
}

export const GATEWAYS = [
	'none',
	'bucket',
	'window',
	'inFlight',
	'chance',
	'counting',
	'oneASecond',
	'oneInTenSeconds',
] as const;

export type GatewayKind = (typeof GATEWAYS)[number];

/** Makes a gateway. `size` is from 0 to 1, from a tight limit to a wide one. */
export function gatewayOf(kind: GatewayKind, size: number, random: Random): Gateway {
	const between = (least: number, most: number) => Math.round(least + size * (most - least));
	switch (kind) {
		case 'none':
			return { judge: () => undefined, perSecond: Infinity };
		case 'bucket':
			return tokenBucket(between(2, 60), between(1, 20));
		case 'window':
			return fixedWindow(between(5, 40), between(500, 5_000));
		case 'inFlight':
			return atMost(between(1, 8));
		case 'chance':
			return byChance(0.02 + 0.15 * size, random);
		case 'counting':
			return slidingCounter(between(10, 60), between(1_000, 10_000));
		case 'oneASecond':
			return tokenBucket(1, 1);
		case 'oneInTenSeconds':
			return tokenBucket(0.1, 1);
	}
}

/** A limit that refills steadily and accepts a burst after an idle time. */
export function tokenBucket(perSecond: number, burst: number, retryAfterMs?: number): Gateway {
	let tokens = burst;
	let filledAt = 0;
	return {
		perSecond,
		judge(now) {
			tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1000);
			filledAt = now;
			// Not exactly one, because adding up fractions rounds.
			if (tokens < 0.999_999)
				return { status: 429, retryAfterMs: retryAfterMs ?? ((1 - tokens) * 1000) / perSecond };
			tokens--;
			return undefined;
		},
	};
}

/** So many requests in each window of time. */
export function fixedWindow(count: number, windowMs: number, retryAfterMs?: number): Gateway {
	let window = -1;
	let used = 0;
	return {
		perSecond: (count * 1000) / windowMs,
		judge(now) {
			const current = Math.floor(now / windowMs);
			if (current !== window) used = 0;
			window = current;
			if (used >= count)
				return { status: 429, retryAfterMs: retryAfterMs ?? (current + 1) * windowMs - now };
			used++;
			return undefined;
		},
	};
}

/** nginx's `limit_conn`. */
function atMost(count: number): Gateway {
	return {
		perSecond: 1,
		judge: (_, inFlight) => (inFlight < count ? undefined : { status: 503, retryAfterMs: 1_000 }),
	};
}

/** Refuses a share of all requests. */
function byChance(share: number, random: Random): Gateway {
	return {
		perSecond: 5,
		judge: () => (random() < share ? { status: 429, retryAfterMs: 1_000 } : undefined),
	};
}

/** HAProxy's `http_req_rate`, which also counts the requests that it refuses. */
function slidingCounter(count: number, periodMs: number): Gateway {
	let begins = 0;
	let before = 0;
	let current = 0;
	return {
		perSecond: (count * 1000) / periodMs / 4,
		judge(now) {
			const passed = Math.floor((now - begins) / periodMs);
			if (passed > 0) {
				before = passed === 1 ? current : 0;
				current = 0;
				begins += passed * periodMs;
			}
			current++;
			const rate = current + before * (1 - (now - begins) / periodMs);
			return rate > count ? { status: 429, retryAfterMs: periodMs } : undefined;
		},
	};
}
