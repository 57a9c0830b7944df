import {
	Limiter,
	type Clock,
	type Ticket,
	type Feedback,
} from '../../nodes/shared/limiter/queue.ts';
import { nextWaitMs } from '../../nodes/shared/transport/retry.ts';
import { Cancellation } from '../../nodes/shared/limiter/cancel.ts';

/** A clock whose time passes only while all work waits for it. */
export class SimulatedClock implements Clock {
	private time = 0;
	private readonly sleepers: Array<{ at: number; wake(): void }> = [];

	now(): number {
		return this.time;
	}

	/** When the last sleeper will wake. */
	get busyUntil(): number {
		return this.sleepers.at(-1)?.at ?? this.time;
	}

	async sleep(ms: number): Promise<void> {
		const at = this.time + Math.max(0, ms);
		const index = this.sleepers.findLastIndex((sleeper) => sleeper.at <= at) + 1;
		await new Promise<void>((wake) => this.sleepers.splice(index, 0, { at, wake }));
	}

	/** Lets time pass until the work is done; throws when nothing sleeps, or when it takes too long. */
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

	/** Lets an amount of time pass. */
	async pass(ms: number): Promise<void> {
		await this.run(this.sleep(ms));
	}
}

/** How a simulated API answers a request. */
export interface Answer {
	status: number;
	retryAfterMs?: number;
	/** How long a gateway keeps the request before it passes it on. */
	delayMs?: number;
}

/**
 * @param now when the request arrives, in milliseconds
 * @param working how many others the API is working on
 */
export type Answers = (now: number, working?: number) => Answer;

/** A limit that refills steadily and accepts a burst after a rest. */
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
 * @param undelayed its `delay`: how many of the burst are passed on at once
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
 * HAProxy's `http_req_rate`: it counts all requests, refused ones too, and of the last period as much as still
 * belongs to a sliding one.
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

/** Refuses a share of all requests at any rate. */
export function byChance(share: number, random: () => number, status = 429): Answers {
	return () => ({ status: random() < share ? status : 200 });
}

/** nginx's `limit_conn`: refuses what would be worked on beside as many others. */
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

/** Random numbers that repeat: a linear congruential generator, good enough for jitter. */
export function repeatable(seed = 1): () => number {
	let state = seed;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** One request as the simulated API saw it. */
export interface Arrival {
	at: number;
	item: number;
	status: number;
}

export interface Simulation {
	clock: SimulatedClock;
	limiter: Limiter;
	arrivals: Arrival[];
	/** The most requests that were in flight at one moment. */
	mostInFlight: number;
	/** Sends one item until it is accepted, as the node does, and gives the number of retries; -1 when cancelled. */
	send(item: number, ticket: Ticket): Promise<number>;
}

interface Setup {
	/** How long an answer takes; half of it until the API sees the request. */
	latencyMs: () => number;
	/** The same for a refusal, where a gateway refuses before the API has seen the request. */
	refusalMs?: () => number;
	random?: () => number;
	/** Shared by clients of one API. */
	clock?: SimulatedClock;
}

/** An API and a client that speaks to it through the limiter, in simulated time. */
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
			for (let earlier = 0; ; earlier++) {
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
				permit.release(feedbackOf(status, retryAfterMs));
				if (isAccepted) return earlier;
				const outcome = { kind: 'refused', isTransient: true, retryAfterMs } as const;
				const waitMs = nextWaitMs(outcome, 'PATCH', earlier, random);
				await clock.sleep(waitMs ?? 0);
			}
		},
	};
	return simulation;
}

// As nodes/shared/transport does.
function feedbackOf(status: number, retryAfterMs?: number): Feedback {
	if (status === 200) return 'fine';
	return status === 503 && retryAfterMs !== undefined ? 'overloaded' : 'limited';
}

/** Sends many items at once as one run; resolves when all are accepted. */
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
