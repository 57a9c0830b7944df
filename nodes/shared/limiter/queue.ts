import type { Cancellation } from '../async/cancel';
import { Concurrency } from './concurrency';
import { Rate } from './rate';

export interface Ticket {
	/** The run that the request belongs to. Runs are served round-robin; a stopped run gets no permit. */
	run: Cancellation;
	/** The most requests that this run may have in flight at once. */
	max: number;
	/** Whether it was sent before. Retries are served before the other requests of the run. */
	isRetry?: boolean;
	/** Whether a read has decided this change, so that it goes before the requests of all runs (docs/decisions.md, A37). */
	isDecided?: boolean;
	/** Cancels this request alone. */
	cancelled?: Cancellation;
}

/**
 * The outcome of a request, as the limiter sees it:
 * - `fine`: it was carried out;
 * - `limited`: too many requests (429 or 503);
 * - `overloaded`: the same, with a `Retry-After` that is too long to wait for;
 * - `unknown`: any other outcome, e.g. no answer, or a refusal that is not about load;
 * - `unused`: the request was not sent.
 */
export type Feedback = 'fine' | 'limited' | 'overloaded' | 'unknown' | 'unused';

export interface Permit {
	/** Returns the permit. Further calls do nothing. */
	release(feedback: Feedback): void;
}

/** A clock in milliseconds that never goes back. Tests simulate it. */
export interface Clock {
	now(): number;
	sleep(ms: number): Promise<void>;
}

type Admit = (permit?: Permit) => void;

interface RunQueue {
	readonly run: Cancellation;
	/** Changes that are decided. Each follows a read that had its turn, so other runs wait for few of them. */
	readonly decided: Admit[];
	readonly waiting: Admit[];
	inFlight: number;
	max: number;
}

/** A request in flight. */
interface Sent {
	readonly queue: RunQueue;
	/** How long the next request waits because of this one. */
	readonly takenMs: number;
	/** How many slowdowns there were before. */
	readonly slowdowns: number;
}

// A request that is never answered must not block all others. After so long without an answer, one more is sent.
const PATIENCE_MS = 5_000;

// A limit also refuses the requests after a refusal, but chance refuses a share of all requests. So refusals are added
// up, and each accepted request subtracts this much (CUSUM; Page 1954, "Continuous inspection schemes", Biometrika 41).
const ACCEPTED = 0.25;
const ENOUGH = 6;
const ENOUGH_IF_KNOWN = 3;
// A longer `Retry-After` is about an overload rather than about requests per second.
const LONGEST_RATE_PAUSE_MS = 10_000;

const FIRST_BACKOFF_MS = 100;
const MAX_RATE_BACKOFF_MS = 30_000;
const BACKOFF_GROWTH = 2;
// An API that has accepted nothing for so long is down rather than limited, so the rest of the run should end soon.
const DOWN_AFTER_MS = 120_000;
const BACKOFF_WHEN_DOWN_MS = 1_000;

const FORGET_AFTER_MS = 120_000;
// A sleep cannot be cancelled, so it ends at most this long after the last request has left the queue.
const LONGEST_SLEEP_MS = 250;

/**
 * The limiter of one API, shared by all runs of the process (nodes/shared/limiter/README.md). It limits requests in flight
 * (`Concurrency`) and per second (`Rate`), and pauses by `Retry-After` or as backoff. After a slowdown, requests are
 * sent one at a time until the API accepts one (the probe).
 */
export class Limiter {
	/** In the order in which they are served. */
	private readonly runs = new Map<Cancellation, RunQueue>();
	private readonly inFlight = new Set<Sent>();
	/** When a request was last sent or answered. */
	private activeAt: number;
	private wakesAt = Infinity;

	private concurrency = new Concurrency();
	private rate: Rate;
	/** How many requests the API has accepted. */
	accepted = 0;

	private slowdowns = 0;
	/** The sum of refusals, less what accepted requests subtract. */
	private refusals = 0;
	/** Whether nothing was accepted since the last slowdown. */
	private isProbing = false;

	private pausedUntil = 0;
	private backoffMs = FIRST_BACKOFF_MS;
	/** When the API began to refuse everything without asking for a pause. */
	private backingOffSince = Infinity;

	constructor(private readonly clock: Clock) {
		this.activeAt = clock.now();
		this.rate = new Rate(this.activeAt);
	}

	/** Waits for a permit. Undefined if the run or the request was cancelled in the meantime. */
	async acquire({ run, max, isRetry, isDecided, cancelled }: Ticket): Promise<Permit | undefined> {
		if (run.isCancelled || cancelled?.isCancelled) return undefined;
		if (![...this.runs.values()].some(isWaiting)) this.skipRest();
		const queue = this.runs.get(run) ?? { run, decided: [], waiting: [], inFlight: 0, max };
		this.runs.set(run, queue);
		queue.max = max;
		const line = isDecided ? queue.decided : queue.waiting;
		return await new Promise((resolve) => {
			const admit = (permit?: Permit) => {
				for (const each of unregister) each?.();
				resolve(permit);
			};
			const cancel = () => {
				line.splice(line.indexOf(admit), 1);
				this.closeIfEmpty(queue);
				admit();
			};
			const unregister = [run, cancelled].map((cancellation) => cancellation?.onCancel(cancel));
			if (isRetry) line.unshift(admit);
			else line.push(admit);
			this.admitNext();
		});
	}

	/** Delays every request to this API for `ms` milliseconds. A later call can only lengthen the pause. */
	pause(ms: number): void {
		if (ms > 0) this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
	}

	/** Milliseconds until the pause is over. Zero if there is none. */
	get pausedMs(): number {
		return Math.max(0, this.pausedUntil - this.clock.now());
	}

	/** Whether the API has refused everything for so long that a retry cannot help. */
	get isDown(): boolean {
		return this.clock.now() - this.backingOffSince > DOWN_AFTER_MS;
	}

	/** Whether no run uses the limiter and its measurements are out of date, so that it can be dropped. */
	get isForgotten(): boolean {
		return this.runs.size === 0 && this.restedMs >= FORGET_AFTER_MS;
	}

	/** Milliseconds since a request was last sent or answered, without pauses. */
	private get restedMs(): number {
		return Math.max(0, this.clock.now() - Math.max(this.activeAt, this.pausedUntil));
	}

	// A rate that was not used cannot have been refused.
	private skipRest(): void {
		const { restedMs } = this;
		if (restedMs < FORGET_AFTER_MS) return this.rate.skipTime(restedMs);
		this.accept();
		this.refusals = 0;
		this.concurrency = new Concurrency();
		this.rate = new Rate(this.clock.now());
	}

	private closeIfEmpty(queue: RunQueue): void {
		if (queue.inFlight === 0 && !isWaiting(queue)) this.runs.delete(queue.run);
	}

	private admitNext(): void {
		for (;;) {
			const queues = [...this.runs.values()];
			const ready = queues.filter((queue) => isWaiting(queue) && queue.inFlight < queue.max);
			const queue = ready.find(({ decided }) => decided.length > 0) ?? ready[0];
			const max = Math.max(...queues.map((each) => each.max));
			if (!queue || this.inFlight.size >= max) return;
			const now = this.clock.now();
			const isFull = this.inFlight.size >= (this.isProbing ? 1 : this.concurrency.atOnce);
			const freeAt = isFull ? this.activeAt + PATIENCE_MS : now;
			const opensAt = Math.max(this.pausedUntil, this.rate.nextAt, freeAt);
			if (opensAt > now) return this.wakeAt(opensAt, now);
			this.admit(queue, now);
		}
	}

	private admit(queue: RunQueue, now: number): void {
		// Round-robin, so this run goes behind the others.
		this.runs.delete(queue.run);
		this.runs.set(queue.run, queue);
		const sent = { queue, takenMs: this.rate.take(now), slowdowns: this.slowdowns };
		queue.inFlight++;
		this.inFlight.add(sent);
		this.activeAt = now;
		// The last one has been refused the fewest times, so a probe hardly ever uses up the retries of a request.
		const line = queue.decided.length > 0 ? queue.decided : queue.waiting;
		const next = this.isProbing ? line.pop() : line.shift();
		next?.({ release: (feedback) => this.release(sent, feedback) });
	}

	private release(sent: Sent, feedback: Feedback): void {
		if (!this.inFlight.has(sent)) return;
		if (feedback === 'unused') this.rate.nextAt -= sent.takenMs;
		else this.learn(sent, feedback);
		sent.queue.inFlight--;
		this.inFlight.delete(sent);
		this.closeIfEmpty(sent.queue);
		this.admitNext();
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

	private learn({ queue, slowdowns }: Sent, feedback: Exclude<Feedback, 'unused'>): void {
		this.activeAt = this.clock.now();
		if (feedback === 'fine') this.accepted++;
		// A request sent before the last slowdown says nothing about the state after it.
		if (slowdowns !== this.slowdowns) return;
		if (feedback === 'limited' || feedback === 'overloaded') return this.refuse(feedback);
		this.accept();
		if (feedback !== 'fine') return;
		this.concurrency.accepted(this.inFlight.size, queue.max);
		this.rate.accept();
	}

	private accept(): void {
		this.backingOffSince = Infinity;
		this.backoffMs = FIRST_BACKOFF_MS;
		this.refusals = Math.max(0, this.refusals - ACCEPTED);
		this.isProbing = false;
	}

	private refuse(feedback: 'limited' | 'overloaded'): void {
		const now = this.clock.now();
		const isPaused = this.pausedUntil > now;
		if (feedback === 'limited' && !this.isLimit()) return this.rate.pause(now, this.pausedUntil);
		this.slowdowns++;
		this.refusals = 0;
		this.concurrency.refused(this.inFlight.size);
		if (feedback === 'limited') {
			if (this.isProbing && !isPaused) this.backOff(now);
			this.rate.refuse(now, Math.max(now, this.pausedUntil), isPaused);
		}
		this.isProbing = true;
	}

	/** Whether the refusals so far are due to a limit rather than to chance. */
	private isLimit(): boolean {
		// A gateway that asks for a pause counts requests, and each further refusal would cost another pause.
		const isAsked = this.pausedMs > 0 && this.pausedMs <= LONGEST_RATE_PAUSE_MS;
		if (this.isProbing || isAsked) return true;
		return ++this.refusals >= (this.rate.isKnown ? ENOUGH_IF_KNOWN : ENOUGH);
	}

	private backOff(now: number): void {
		this.backingOffSince = Math.min(this.backingOffSince, now);
		this.pause(this.isDown ? BACKOFF_WHEN_DOWN_MS : this.backoffMs);
		this.backoffMs = Math.min(MAX_RATE_BACKOFF_MS, BACKOFF_GROWTH * this.backoffMs);
	}
}

function isWaiting({ decided, waiting }: RunQueue): boolean {
	return decided.length + waiting.length > 0;
}
