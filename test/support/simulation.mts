import { Limiter, type Clock, type Ticket } from '../../nodes/shared/limiter/queue.ts';
import { nextWaitMs } from '../../nodes/shared/transport/retry.ts';
import { Cancellation } from '../../nodes/shared/async/cancel.ts';

/** A clock that only advances while all work waits for it. */
export class SimulatedClock implements Clock {
	private time = 0;
	private readonly sleepers: Array<{ at: number; wake(): void }> = [];

	now(): number {
		return this.time;
	}

	/** The time at which the last sleeper wakes. */
	get busyUntil(): number {
		return this.sleepers.at(-1)?.at ?? this.time;
	}

	async sleep(ms: number): Promise<void> {
		const at = this.time + Math.max(0, ms);
		const index = this.sleepers.findLastIndex((sleeper) => sleeper.at <= at) + 1;
		await new Promise<void>((wake) => this.sleepers.splice(index, 0, { at, wake }));
	}

	/** Advances the time until the work is done. Throws if nothing sleeps, or if it takes too long. */
	async run<T>(work: Promise<T>, longestMs = 3_600_000): Promise<T> {
		let isDone = false;
		const settled = () => {
			isDone = true;
		};
		work.then(settled, settled);
		for (;;) {
			await new Promise(setImmediate);
			if (isDone) return await work;
			const sleeper = this.sleepers.shift();
			if (!sleeper) throw new Error(`Everything waits and nothing sleeps, at ${this.time} ms`);
			if (sleeper.at > longestMs) throw new Error(`Not done after ${longestMs} ms`);
			this.time = sleeper.at;
			sleeper.wake();
		}
	}

	/** Advances the time. */
	async pass(ms: number): Promise<void> {
		await this.run(this.sleep(ms));
	}
}

/** A simulated API's answer to a request. */
export interface Answer {
	status: number;
	retryAfterMs?: number;
	/** The time for which a gateway delays the request. */
	delayMs?: number;
}

/**
 * @param now arrival time of the request, in milliseconds
 * @param working number of other requests in progress
 */
export type Answers = (now: number, working?: number) => Answer;

/** A limit that refills steadily and accepts a burst after an idle time. */
export function tokenBucket(perSecond: number, burst: number, retryAfterMs?: number): Answers {
	let tokens = burst;
	let filledAt = 0;
	return (now) => {
		tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1000);
		filledAt = now;
		if (tokens < 1) return { status: 429, retryAfterMs };
		tokens--;
		return { status: 200 };
	};
}

/**
 * nginx's `limit_req` with a `burst` and without `nodelay`, which spaces the requests of a burst evenly.
 *
 * @param undelayed its `delay`: the number of requests of a burst that pass without delay
 */
export function leakyBucket(perSecond: number, burst: number, undelayed = 0): Answers {
	let excess = -1;
	let countedAt = 0;
	return (now) => {
		const next = excess - ((now - countedAt) * perSecond) / 1000 + 1;
		const after = excess < 0 ? 0 : Math.max(0, next);
		if (after > burst) return { status: 429 };
		excess = after;
		countedAt = now;
		return { status: 200, delayMs: (Math.max(0, excess - undelayed) * 1000) / perSecond };
	};
}

/**
 * HAProxy's `http_req_rate`. It counts all requests, even refused ones, and the share of the last period that is inside
 * the sliding one.
 */
export function slidingCounter(count: number, periodMs: number): Answers {
	let begins = 0;
	let before = 0;
	let current = 0;
	return (now) => {
		const passed = Math.floor((now - begins) / periodMs);
		if (passed > 0) {
			before = passed === 1 ? current : 0;
			current = 0;
			begins += passed * periodMs;
		}
		current++;
		const rate = current + before * (1 - (now - begins) / periodMs);
		return { status: rate > count ? 429 : 200 };
	};
}

/** Refuses a share of all requests, independent of the rate. */
export function byChance(
	share: number,
	random: () => number,
	status = 429,
	retryAfterMs?: number,
): Answers {
	return () => (random() < share ? { status, retryAfterMs } : { status: 200 });
}

/** nginx's `limit_conn`. Refuses a request if this many others are in progress. */
export function atMost(count: number, status = 503): Answers {
	return (_, working = 0) => ({ status: working < count ? 200 : status });
}

/** A fixed-window rate limit. */
export function fixedWindow(count: number, windowMs: number, retryAfterMs?: number): Answers {
	let window = -1;
	let used = 0;
	return (now) => {
		const current = Math.floor(now / windowMs);
		if (current !== window) used = 0;
		window = current;
		if (used >= count) return { status: 429, retryAfterMs };
		used++;
		return { status: 200 };
	};
}

/** Reproducible random numbers from a linear congruential generator, which is good enough for jitter. */
export function repeatable(seed = 1): () => number {
	let state = seed;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** A request at the simulated API. */
export interface Arrival {
	at: number;
	item: number;
	status: number;
}

export interface Simulation {
	clock: SimulatedClock;
	limiter: Limiter;
	arrivals: Arrival[];
	/** The maximum number of requests in flight. */
	mostInFlight: number;
	/** Sends an item until it is accepted, like the node, and returns how many retries count, or -1 if cancelled. */
	send(item: number, ticket: Ticket): Promise<number>;
}

interface Setup {
	/** The time until an answer. Half of it passes before the API receives the request. */
	latencyMs: () => number;
	/** The same for a refusal, if a gateway refuses before the API receives the request. */
	refusalMs?: () => number;
	random?: () => number;
	/** Shared by clients of an API. */
	clock?: SimulatedClock;
}

/** An API and a client with the limiter, in simulated time. */
export function simulate(
	answers: Answers,
	{ latencyMs, refusalMs = latencyMs, random = Math.random, clock = new SimulatedClock() }: Setup,
): Simulation {
	const limiter = new Limiter(clock);
	let inFlight = 0;
	let working = 0;
	const simulation: Simulation = {
		clock,
		limiter,
		arrivals: [],
		mostInFlight: 0,
		async send(item, ticket) {
			let counted = 0;
			for (let earlier = 0, accepted = 0; ; earlier++) {
				const permit = await limiter.acquire({ ...ticket, isRetry: earlier > 0 });
				if (!permit) return -1;
				simulation.mostInFlight = Math.max(simulation.mostInFlight, ++inFlight);
				const latency = latencyMs();
				const earlyMs = Math.min(latency, refusalMs());
				await clock.sleep(earlyMs / 2);
				const { status, retryAfterMs, delayMs = 0 } = answers(clock.now(), working);
				simulation.arrivals.push({ at: clock.now(), item, status });
				const isAccepted = status === 200;
				if (isAccepted) working++;
				await clock.sleep((isAccepted ? latency + delayMs : earlyMs) - earlyMs / 2);
				if (isAccepted) working--;
				inFlight--;
				if (retryAfterMs !== undefined) limiter.pause(retryAfterMs);
				permit.release(isAccepted ? 'fine' : 'limited');
				if (isAccepted) return counted;
				// As in `call`.
				if (limiter.accepted === accepted) counted++;
				accepted = limiter.accepted;
				const outcome = { kind: 'refused', isTransient: true, retryAfterMs } as const;
				const waitMs = nextWaitMs(outcome, 'sets', earlier, random);
				await clock.sleep(waitMs ?? 0);
			}
		},
	};
	return simulation;
}

/** Sends many items concurrently in one execution. Resolves after all are accepted. */
export async function sendAll(
	{ clock, send }: Simulation,
	count: number,
	max: number,
): Promise<number[]> {
	const run = new Cancellation();
	return await clock.run(
		Promise.all(Array.from({ length: count }, async (_, item) => await send(item, { run, max }))),
	);
}
