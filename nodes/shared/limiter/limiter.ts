import { ConcurrencyLimit } from './concurrencyLimit';
import { Hold, type Pauses } from './hold';
import { FairQueue, type RunQueue } from './fairQueue';
import { RateEstimate } from './rateEstimate';
import { Refusals } from './refusals';
import type { Stop } from './stop';

/** A request for a permit. */
export interface Ticket {
	/** The run that the request belongs to. Runs are served round-robin; a stopped run gets no permit. */
	run: Stop;
	/** The most requests that this run may have in flight at once, from `maxRequestsAtOnce`. */
	max: number;
	/** Requests of one kind take equally long, see `kindOf`. */
	kind: string;
	/** Whether it was refused before: retries are served before the other requests of the run. */
	isRepeat?: boolean;
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

/** A permit among the requests in flight. */
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

/** A request in flight. */
interface Sent {
	at: number;
	/** Whether it is the probe after a pause. */
	isProbe: boolean;
}

/** A request that has no permit yet. */
interface Waiting {
	kind: string;
	admit(permit?: Permit): void;
}

// A sleep cannot be cancelled: it ends at most this long after the last request has left the queue.
const LONGEST_SLEEP_MS = 250;
// n8n blocks the process for moments at a time; requests that were due meanwhile are sent afterwards.
const CATCH_UP_MS = 20;
// A run begins with n8n evaluating all items, which can take seconds without anything sent or received. After a rest
// of this length, the rate is measured from the first answer on.
const NEW_RUN_AFTER_MS = 100;
// After minutes without a request, the measurements may be out of date.
const FORGET_AFTER_MS = 120_000;

/**
 * The limiter of one API, shared by all runs of the process that use it (round-robin, {@link FairQueue}).
 *
 * - {@link ConcurrencyLimit}: requests in flight, from round-trip times; halved when the API refuses, once for all
 *   requests in flight.
 * - {@link RateEstimate}: requests per second, from refusals that {@link Refusals} does not attribute to chance.
 * - {@link Hold}: pauses, and the probe after each.
 */
export class Limiter {
	private readonly queue = new FairQueue<Waiting>((sentAway) => {
		for (const { admit } of sentAway) admit();
		this.admitNext();
	});
	private inFlight = 0;
	private concurrency = new ConcurrencyLimit();
	/** Slowdowns so far. Outcomes of requests that were sent before the last one are ignored. */
	private slowdowns = 0;
	private readonly refusals = new Refusals();
	private readonly hold = new Hold();
	private rate: RateEstimate;
	private nextAt = 0;
	/** How long the last refusal took. */
	private refusalMs = 0;
	/** When a request was last sent or answered. */
	private activeAt: number;
	/** When the present rest began; undefined once an answer has ended it. */
	private restSince?: number;
	private wakesAt = Infinity;

	constructor(private readonly clock: Clock) {
		this.activeAt = clock.now();
		this.restSince = this.activeAt;
		this.rate = new RateEstimate(this.activeAt);
	}

	/**
	 * Waits for a permit.
	 *
	 * @returns the permit, or undefined when the run was stopped or the request withdrawn before one came free
	 */
	async acquire({ run, max, kind, withdrawn, isRepeat }: Ticket): Promise<Permit | undefined> {
		if (run.isStopped) return undefined;
		if (!this.queue.isAnyWaiting) this.awake();
		return await new Promise((resolve) => {
			const waiting: Waiting = { kind, admit: resolve };
			const runQueue = this.queue.enter(run, max, waiting, isRepeat);
			const unfollow = withdrawn?.onStop(() => {
				this.queue.remove(runQueue, waiting);
				resolve(undefined);
			});
			if (unfollow) {
				waiting.admit = (permit) => {
					unfollow();
					resolve(permit);
				};
			}
			this.admitNext();
		});
	}

	/**
	 * Holds every request to this API; a later call can lengthen the pause, never shorten it.
	 *
	 * @param ms milliseconds from now
	 */
	pause(ms: number): void {
		this.hold.pause(ms, this.clock.now());
	}

	/** The pauses so far; of one that is not over, the part that has passed. */
	get pauses(): Pauses {
		return this.hold.pauses(this.clock.now());
	}

	/** Whether the API has refused everything for so long that repeating a request is of no use. */
	get isDown(): boolean {
		return this.hold.isDown(this.clock.now());
	}

	/** Milliseconds until the pause is over; zero when there is none. */
	get pausedMs(): number {
		return Math.max(0, this.hold.resumesAt - this.clock.now());
	}

	/** How many requests may be in flight at once now. */
	get concurrencyLimit(): number {
		return this.concurrency.limit;
	}

	/** The rate limit in requests per second; Infinity while none is known. */
	get perSecond(): number {
		return this.rate.at(this.clock.now());
	}

	/** Whether no run uses the limiter and its measurements are out of date, so that it can be dropped. */
	get isForgotten(): boolean {
		return this.queue.size === 0 && this.restedMs >= FORGET_AFTER_MS;
	}

	private get isLimited(): boolean {
		return this.perSecond < Infinity;
	}

	private get restedMs(): number {
		return this.clock.now() - Math.max(this.activeAt, this.hold.resumesAt);
	}

	// Called when a request arrives at an empty queue. The rest began when something was last sent or answered, even if
	// a slow request is still in flight.
	private awake(): void {
		const { restedMs } = this;
		const restedSince = this.clock.now() - restedMs;
		if (restedMs >= FORGET_AFTER_MS) {
			this.concurrency = new ConcurrencyLimit();
			this.rate = new RateEstimate(restedSince);
			this.hold.accept();
			this.refusals.reset();
			this.restSince = restedSince;
		}
		// Without an answer since then, an earlier rest has not ended.
		if (this.restSince !== undefined) return;
		if (restedMs < NEW_RUN_AFTER_MS) this.rate.skip(Math.max(0, restedMs));
		else this.restSince = restedSince;
	}

	private admitNext(): void {
		for (let runQueue = this.queue.next(); runQueue; runQueue = this.queue.next()) {
			const now = this.clock.now();
			if (this.inFlight >= this.queue.max) return;
			if (this.inFlight >= this.concurrency.limit) {
				if (this.concurrency.relax(now)) continue;
				return this.wakeAt(this.concurrency.relaxesAt, now);
			}
			const opensAt = Math.max(this.hold.opensAt, this.nextAt);
			if (opensAt > now) return this.wakeAt(opensAt, now);
			const slotMs = 1000 / this.rate.at(now);
			// At most as many at once as the API's burst.
			const catchUpMs = Math.min(CATCH_UP_MS, (this.rate.burst - 1) * slotMs);
			this.nextAt = Math.max(this.nextAt, now - catchUpMs) + slotMs;
			this.rate.send(now);
			const { kind, admit } = this.queue.serve(runQueue, this.hold.isProbing);
			this.inFlight++;
			this.activeAt = now;
			admit(this.newPermit(runQueue, kind, slotMs, now));
		}
	}

	private wakeAt(time: number, now: number): void {
		if (time === Infinity) return;
		const at = Math.min(time, now + LONGEST_SLEEP_MS);
		if (this.wakesAt <= at) return;
		this.wakesAt = at;
		void this.clock.sleep(at - now).then(() => {
			if (this.wakesAt === at) this.wakesAt = Infinity;
			this.admitNext();
		});
	}

	private newPermit(
		runQueue: RunQueue<Waiting>,
		kind: string,
		slotMs: number,
		sentAt: number,
	): Permit {
		const sentAfter = this.slowdowns;
		const isProbe = this.hold.send(sentAt, this.refusalMs);
		const sent: Sent = { at: sentAt, isProbe };
		// A run begins with n8n evaluating all items: until the first answer, delays come from n8n.
		const isDelayed = this.restSince !== undefined;
		const departure = this.concurrency.send(kind, sentAt, this.inFlight, isDelayed);
		let isTaken = true;
		return {
			release: (feedback) => {
				if (!isTaken) return;
				isTaken = false;
				const isNews = sentAfter === this.slowdowns;
				if (feedback === 'unused') this.takeBack(slotMs, isNews, sent);
				else {
					this.learn(feedback, isNews, sent);
					if (feedback === 'fine') {
						this.concurrency.update(departure, this.clock.now(), this.inFlight, runQueue.max);
					}
					this.activeAt = this.clock.now();
				}
				this.queue.finish(runQueue);
				this.inFlight--;
				this.admitNext();
			},
		};
	}

	private takeBack(slotMs: number, isNews: boolean, { at, isProbe }: Sent): void {
		this.nextAt -= slotMs;
		this.rate.takeBack(at);
		if (isNews && isProbe) this.hold.probe();
	}

	private learn(feedback: Feedback, isNews: boolean, sent: Sent): void {
		if (this.restSince !== undefined) this.rate.skip(this.clock.now() - this.restSince);
		this.restSince = undefined;
		if (feedback === 'limited' || feedback === 'overloaded') {
			this.rate.refuse(sent.at);
			if (isNews) this.refuse(feedback, sent);
			// A pause for overload is not part of the time over which the rate is measured.
			this.rate.hold(this.hold.takeNewMs(), this.hold.resumesAt);
		} else if (isNews) {
			this.refusals.accept(this.isLimited);
			this.hold.accept();
			this.rate.resume();
			if (sent.isProbe) this.goOn();
		}
	}

	// Requests that were held for the probe are not caught up on, because they would follow it as a burst.
	private goOn(): void {
		this.hold.release();
		this.nextAt = Math.max(this.nextAt, this.clock.now());
	}

	private refuse(feedback: Feedback, { at: sentAt, isProbe }: Sent): void {
		const now = this.clock.now();
		const isAsked = this.hold.resumesAt > now;
		this.refusalMs = now - sentAt;
		if (feedback === 'limited') {
			this.concurrency.refuse();
			const isLimit = this.refusals.refuse(this.isLimited);
			if (!isLimit && !isAsked && !isProbe) return;
		}
		this.slowdowns++;
		this.refusals.reset();
		this.concurrency.drop(this.inFlight);
		if (feedback === 'limited') {
			if (isProbe && !isAsked) this.hold.backOff(now);
			const resumeAt = Math.max(now, this.hold.resumesAt);
			this.rate.slowDown({ sentAt, now, resumeAt, isAsked });
			this.hold.takeNewMs();
			this.nextAt = resumeAt > now ? resumeAt : now + 1000 / this.rate.at(now);
		}
		if (feedback === 'limited' || isAsked) this.hold.probe();
	}
}
