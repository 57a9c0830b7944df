import type { Stop } from './cancel';

export interface Ticket {
	/** The run that the request belongs to. Runs are served round-robin; a stopped run gets no permit. */
	run: Stop;
	/** The most requests that this run may have in flight at once. */
	max: number;
	/** Whether it was sent before: retries are served before the other requests of the run. */
	isRetry?: boolean;
	/** Cancels this request alone. */
	withdrawn?: Stop;
}

/**
 * The outcome of a request, as the limiter sees it:
 * - `fine`: it was carried out;
 * - `limited`: too many requests (429, and 503 without `Retry-After`);
 * - `overloaded`: the API asks for a pause (503 with `Retry-After`);
 * - `unknown`: any other outcome, e.g. no answer, or a refusal that is not about load;
 * - `unused`: the request was not sent.
 */
export type Feedback = 'fine' | 'limited' | 'overloaded' | 'unknown' | 'unused';

export interface Permit {
	/** Gives the permit back; further calls do nothing. */
	release(feedback: Feedback): void;
}

/** The limiter's clock; injected for tests in simulated time. */
export interface Clock {
	/** Milliseconds that never go back. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

export interface Pauses {
	count: number;
	totalMs: number;
}

interface RunQueue {
	readonly waiting: Array<(permit?: Permit) => void>;
	inFlight: number;
	max: number;
}

// As TCP's initial window (RFC 6928): harmless to a small server, and enough for short runs.
const INITIAL_CONCURRENCY = 10;
// A request that is never answered must not hold all others: after so long without any, one more is sent.
const PATIENCE_MS = 5_000;

// A limit also refuses the requests that follow a refusal; chance refuses a share of all. So refusals are added up, and
// each accepted request subtracts this much (CUSUM; Page 1954, "Continuous inspection schemes", Biometrika 41).
const ACCEPTED = 0.25;
const ENOUGH_AT_FIRST = 6;
const ENOUGH = 3;

// The share of the measured rate at which sending goes on.
const DECREASE = 0.95;
// The rate rises by this share in the first period, and by twice as much in each further one.
const INCREASE = 0.01;
const PERIOD_MS = 500;
const PERIOD_REQUESTS = 2;
// With Retry-After, each refusal costs a pause.
const PERIOD_WITH_RETRY_AFTER_MS = 2_000;
// Fewer requests, or requests closer together, are a burst rather than a rate: the first time they count as so many, and
// later they lower the rate by this factor at most.
const LEAST_SAMPLE = 10;
const LEAST_SAMPLE_MS = 10;
const LARGEST_DECREASE = 8;
const LEAST_PER_SECOND = 1;
// n8n blocks the process for moments at a time; a request that was due meanwhile is sent afterwards.
const CATCH_UP_MS = 20;

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 30_000;
const BACKOFF_GROWTH = 1.25;
// An API that has accepted nothing for so long is down rather than limited, so the rest of the run should end soon.
const DOWN_AFTER_MS = 120_000;
const BACKOFF_WHEN_DOWN_MS = 1_000;

const FORGET_AFTER_MS = 120_000;
// A sleep cannot be cancelled: it ends at most this long after the last request has left the queue.
const LONGEST_SLEEP_MS = 250;

/**
 * The limiter of one API, shared by all runs of the process that use it:
 *
 * - requests in flight: slow start, then additive increase and multiplicative decrease (AIMD, as TCP);
 * - requests per second: unlimited until the API refuses. The rate is measured by what the API accepted between two
 *   refusals, and then rises slowly at first, faster and faster later;
 * - pauses: what the API asks for with `Retry-After`, and backoff while it goes on refusing without. After a slowdown,
 *   requests are sent one at a time until the API accepts one (the probe).
 *
 * docs/limiter.md explains it.
 */
export class Limiter {
	/** In the order in which they are served. */
	private readonly runs = new Map<Stop, RunQueue>();
	private inFlight = 0;
	/** When a request was last sent or answered. */
	private activeAt: number;
	private wakesAt = Infinity;

	private concurrency = INITIAL_CONCURRENCY;
	private isSlowStart = true;

	private slowdowns = 0;
	/** The sum of refusals, less what accepted requests subtract. */
	private refusals = 0;
	/** Whether nothing was accepted since the last slowdown. */
	private isProbing = false;

	private knownRate = Infinity;
	private risesFrom = 0;
	private periodMs = PERIOD_MS;
	/** The requests that the API accepted since it accepted again; those in flight count until they are refused. */
	private acceptedSince: { since: number; accepted: number };
	/** While probing: the refusal that ended the sample, with the rate in use then. */
	private rateAtRefusal?: { at: number; perSecond: number; hasRetryAfter: boolean };
	/** When the next request is due at this rate. */
	private nextAt = 0;

	private pausedUntil = 0;
	private readonly past: Pauses = { count: 0, totalMs: 0 };
	private backoffMs = FIRST_BACKOFF_MS;
	/** When the API began to refuse everything without asking for a pause. */
	private backingOffSince = Infinity;

	constructor(private readonly clock: Clock) {
		this.activeAt = clock.now();
		this.acceptedSince = { since: this.activeAt, accepted: 0 };
	}

	/** Waits for a permit; undefined if the run was stopped or the request withdrawn before one came free. */
	async acquire({ run, max, isRetry, withdrawn }: Ticket): Promise<Permit | undefined> {
		if (run.isStopped || withdrawn?.isStopped) return undefined;
		if (![...this.runs.values()].some(({ waiting }) => waiting.length > 0)) this.leaveOutRest();
		const queue = this.runs.get(run) ?? { waiting: [], inFlight: 0, max };
		this.runs.set(run, queue);
		queue.max = max;
		return await new Promise((resolve) => {
			const admit = (permit?: Permit) => {
				for (const each of unregister) each?.();
				resolve(permit);
			};
			const cancel = () => {
				queue.waiting.splice(queue.waiting.indexOf(admit), 1);
				this.closeIfEmpty(run, queue);
				admit();
			};
			const unregister = [run, withdrawn].map((stop) => stop?.onStop(cancel));
			if (isRetry) queue.waiting.unshift(admit);
			else queue.waiting.push(admit);
			this.admitNext();
		});
	}

	/** Holds every request to this API for `ms` milliseconds; a later call can lengthen the pause, not shorten it. */
	pause(ms: number): void {
		const now = this.clock.now();
		const until = now + ms;
		if (ms <= 0 || until <= this.pausedUntil) return;
		if (now >= this.pausedUntil) this.past.count++;
		this.past.totalMs += until - Math.max(now, this.pausedUntil);
		this.pausedUntil = until;
	}

	/** The pauses so far; of one that is not over, the part that has passed. */
	get pauses(): Pauses {
		return { count: this.past.count, totalMs: this.past.totalMs - this.pausedMs };
	}

	/** Milliseconds until the pause is over; zero when there is none. */
	get pausedMs(): number {
		return Math.max(0, this.pausedUntil - this.clock.now());
	}

	/** Whether the API has refused everything for so long that repeating a request is of no use. */
	get isDown(): boolean {
		return this.clock.now() - this.backingOffSince > DOWN_AFTER_MS;
	}

	/** The rate limit in requests per second; Infinity while none is known. */
	get perSecond(): number {
		const periods = Math.max(0, this.clock.now() - this.risesFrom) / this.periodMs;
		return this.knownRate * (1 + INCREASE * (2 ** periods - 1));
	}

	/** Whether no run uses the limiter and its measurements are out of date, so that it can be dropped. */
	get isForgotten(): boolean {
		return this.runs.size === 0 && this.restedMs >= FORGET_AFTER_MS;
	}

	/** Milliseconds since a request was last sent or answered, without pauses. */
	private get restedMs(): number {
		return Math.max(0, this.clock.now() - Math.max(this.activeAt, this.pausedUntil));
	}

	// A rate that was not used was not refused either.
	private leaveOutRest(): void {
		const { restedMs } = this;
		if (restedMs >= FORGET_AFTER_MS) {
			this.concurrency = INITIAL_CONCURRENCY;
			this.isSlowStart = true;
			this.knownRate = Infinity;
			this.refusals = 0;
			this.accept();
			this.acceptedSince = { since: this.clock.now() - restedMs, accepted: 0 };
		}
		this.leaveOut(restedMs);
	}

	private leaveOut(ms: number): void {
		this.acceptedSince.since += ms;
		this.risesFrom += ms;
	}

	private closeIfEmpty(run: Stop, queue: RunQueue): void {
		if (queue.inFlight === 0 && queue.waiting.length === 0) this.runs.delete(run);
	}

	private admitNext(): void {
		for (;;) {
			const turn = [...this.runs].find(
				([, { waiting, inFlight, max }]) => waiting.length > 0 && inFlight < max,
			);
			const max = Math.max(...[...this.runs.values()].map((queue) => queue.max));
			if (!turn || this.inFlight >= max) return;
			const now = this.clock.now();
			const isFull = this.inFlight >= (this.isProbing ? 1 : Math.floor(this.concurrency));
			const freeAt = isFull ? this.activeAt + PATIENCE_MS : now;
			const opensAt = Math.max(this.pausedUntil, this.nextAt, freeAt);
			if (opensAt > now) return this.wakeAt(opensAt, now);
			this.admit(...turn, now);
		}
	}

	private admit(run: Stop, queue: RunQueue, now: number): void {
		// Round-robin: behind the other runs.
		this.runs.delete(run);
		this.runs.set(run, queue);
		const slotMs = 1000 / this.perSecond;
		this.nextAt = Math.max(this.nextAt, now - Math.min(CATCH_UP_MS, slotMs)) + slotMs;
		queue.inFlight++;
		this.inFlight++;
		this.acceptedSince.accepted++;
		this.activeAt = now;
		const sentAfter = this.slowdowns;
		let isHeld = true;
		const release = (feedback: Feedback) => {
			if (!isHeld) return;
			isHeld = false;
			const isCounted = now >= this.acceptedSince.since;
			if (isCounted && !['fine', 'unknown'].includes(feedback)) this.acceptedSince.accepted--;
			if (feedback === 'unused') this.nextAt -= slotMs;
			else {
				// What was sent before the last slowdown says nothing about the state after it.
				if (sentAfter === this.slowdowns) this.learn(feedback, queue.max);
				this.measure();
				this.activeAt = this.clock.now();
			}
			queue.inFlight--;
			this.inFlight--;
			this.closeIfEmpty(run, queue);
			this.admitNext();
		};
		// The last one has been refused the fewest times, so a probe hardly ever uses up the retries of a request.
		const next = this.isProbing ? queue.waiting.pop() : queue.waiting.shift();
		next?.({ release });
	}

	private wakeAt(time: number, now: number): void {
		const at = Math.min(time, now + LONGEST_SLEEP_MS);
		if (this.wakesAt <= at) return;
		this.wakesAt = at;
		void this.clock.sleep(at - now).then(() => {
			if (this.wakesAt === at) this.wakesAt = Infinity;
			this.admitNext();
		});
	}

	private learn(feedback: Exclude<Feedback, 'unused'>, max: number): void {
		if (feedback === 'limited' || feedback === 'overloaded') return this.refuse(feedback);
		this.accept();
		if (feedback === 'fine') this.widen(max);
	}

	private accept(): void {
		this.backingOffSince = Infinity;
		this.backoffMs = FIRST_BACKOFF_MS;
		this.refusals = Math.max(0, this.refusals - ACCEPTED);
		if (!this.isProbing) return;
		this.isProbing = false;
		this.rateAtRefusal = undefined;
		this.acceptedSince = { since: this.risesFrom, accepted: this.inFlight };
	}

	// Only a limit that is rateAtRefusal grows (RFC 7661).
	private widen(max: number): void {
		if (this.inFlight < Math.floor(this.concurrency)) return;
		this.concurrency += this.isSlowStart ? 1 : 1 / this.concurrency;
		this.concurrency = Math.min(this.concurrency, max);
	}

	private refuse(feedback: 'limited' | 'overloaded'): void {
		const now = this.clock.now();
		const hasRetryAfter = this.pausedUntil > now;
		this.refusals++;
		const enough = this.knownRate < Infinity ? ENOUGH : ENOUGH_AT_FIRST;
		const isByChance = !hasRetryAfter && !this.isProbing && this.refusals < enough;
		if (feedback === 'limited' && isByChance) return;
		this.slowdowns++;
		this.refusals = 0;
		this.isSlowStart = false;
		// Once for all that were in flight.
		this.concurrency = Math.max(1, Math.min(this.concurrency, this.inFlight) / 2);
		if (feedback === 'limited') {
			if (this.isProbing && !hasRetryAfter) this.backOff(now);
			const perSecond = this.rateAtRefusal?.perSecond ?? this.perSecond;
			this.rateAtRefusal = { at: now, perSecond, hasRetryAfter };
		} else this.leaveOut(this.pausedMs);
		this.isProbing = true;
		this.risesFrom = Math.max(now, this.pausedUntil);
		this.measure();
		this.nextAt = this.risesFrom + 1000 / this.knownRate;
	}

	private backOff(now: number): void {
		this.backingOffSince = Math.min(this.backingOffSince, now);
		this.pause(this.isDown ? BACKOFF_WHEN_DOWN_MS : this.backoffMs);
		this.backoffMs = Math.min(LONGEST_BACKOFF_MS, BACKOFF_GROWTH * this.backoffMs);
	}

	// Divided by the time until the refusal, the requests that the API accepted give too high a rate; divided by the time
	// until it accepts again, too low a one. Repeated while requests that were in flight at the refusal are refused.
	private measure(): void {
		if (!this.rateAtRefusal) return;
		const { at, perSecond, hasRetryAfter } = this.rateAtRefusal;
		const { since } = this.acceptedSince;
		const isFirst = perSecond === Infinity;
		const accepted = Math.max(this.acceptedSince.accepted, isFirst ? LEAST_SAMPLE : 1);
		const atMost = rate(accepted, at - since);
		const atLeast = rate(accepted, this.risesFrom - since);
		const mean = Math.min(perSecond, Math.sqrt(atMost * atLeast));
		const lowest = accepted < LEAST_SAMPLE ? perSecond / LARGEST_DECREASE : 0;
		this.knownRate = Math.max(LEAST_PER_SECOND, DECREASE * Math.max(lowest, mean));
		this.periodMs = Math.max(
			hasRetryAfter ? PERIOD_WITH_RETRY_AFTER_MS : PERIOD_MS,
			(1000 * PERIOD_REQUESTS) / this.knownRate,
		);
	}
}

function rate(count: number, ms: number): number {
	return (1000 * count) / Math.max(LEAST_SAMPLE_MS, ms);
}
