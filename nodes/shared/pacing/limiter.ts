import { ConcurrencyLimit } from './concurrencyLimit';
import { Hold, type Pauses } from './hold';
import { Lanes, type Lane } from './lanes';
import { Pace } from './pace';
import { Refusals } from './refusals';
import type { Stop } from './stop';

/** Who asks for a place, and how many places there may be at most while it is served. */
export interface Ticket {
	/** The run that the request belongs to. Runs that share an API take turns; one that is stopped gets no place. */
	run: Stop;
	/** The most requests that this run may have in flight at once, from `maxRequestsAtOnce`. */
	max: number;
	/** Requests of one kind take equally long, see `kindOf`. */
	kind: string;
	/** Whether it was refused before: it goes before the others of its run. */
	isRepeat?: boolean;
	/** Once stopped, this request needs no place any more, while others of the run do. */
	withdrawn?: Stop;
}

/**
 * What a request in a place taught: the API kept up; it was refused because there were too many (429, and 503 that
 * names no moment); the API cannot cope and says until when (503 with `Retry-After`); or nothing of that kind.
 * Unused: nothing was sent, so that nothing is learned.
 */
export type Verdict = 'fine' | 'limited' | 'overloaded' | 'unknown' | 'unused';

/** A place among the requests in flight. */
export interface Place {
	/** Gives the place back; further calls do nothing. */
	leave(verdict: Verdict): void;
}

/** What the limiter knows of time; injected, so that it can be proved in simulated time. */
export interface Clock {
	/** Milliseconds that never go back. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

/** A request on its way, as far as a refusal of it is of interest. */
interface Sent {
	at: number;
	/** Whether it went first after a pause. */
	isProbe: boolean;
}

/** A request that has no place yet. */
interface Waiting {
	kind: string;
	admit(place?: Place): void;
}

// A sleep cannot be called off: this is the most that is left of one when nobody waits any more.
const LONGEST_SLEEP_MS = 250;
// n8n keeps the process busy for moments at a time; requests that could not be sent meanwhile follow.
const CATCH_UP_MS = 20;
// A run begins with n8n evaluating all items, which can take seconds in which nothing can be sent or
// received: after a rest as long as this, what is learned about the pace counts from the first answer.
const NEW_RUN_AFTER_MS = 100;
// After minutes without a request, what was learned may not hold any more.
const FORGET_AFTER_MS = 120_000;

/**
 * Decides when a request to one API may be sent, for all runs of the process that use it, in turns.
 *
 * - How many at once: {@link ConcurrencyLimit}, by how long answers take; halved once for all that was on its way
 *   when the API refused.
 * - How many a second: {@link Pace}, learned from refusals that are no chance ({@link Refusals}).
 * - Not at all during a pause, and one request first after it: {@link Hold}.
 */
export class Limiter {
	private readonly lanes = new Lanes<Waiting>((sentAway) => {
		for (const { admit } of sentAway) admit();
		this.admitNext();
	});
	private inFlight = 0;
	private concurrency = new ConcurrencyLimit();
	/** How often all was slowed down; requests sent before the last time teach nothing new. */
	private slowdowns = 0;
	private readonly refusals = new Refusals();
	private readonly hold = new Hold();
	private pace: Pace;
	private nextAt = 0;
	/** How long the last refusal took. */
	private refusalMs = 0;
	/** When a request was last sent or answered. */
	private activeAt: number;
	/** When the rest began that lasts until the next answer. */
	private restSince?: number;
	private wakesAt = Infinity;

	constructor(private readonly clock: Clock) {
		this.activeAt = clock.now();
		this.restSince = this.activeAt;
		this.pace = new Pace(this.activeAt);
	}

	/**
	 * Waits for a place.
	 *
	 * @returns the place, or undefined when the run was stopped or the request withdrawn before one came free
	 */
	async take({ run, max, kind, withdrawn, isRepeat }: Ticket): Promise<Place | undefined> {
		if (run.isStopped) return undefined;
		if (!this.lanes.isAnyWaiting) this.awake();
		return await new Promise((resolve) => {
			const waiting: Waiting = { kind, admit: resolve };
			const lane = this.lanes.enter(run, max, waiting, isRepeat);
			const unfollow = withdrawn?.onStop(() => {
				this.lanes.remove(lane, waiting);
				resolve(undefined);
			});
			if (unfollow) {
				waiting.admit = (place) => {
					unfollow();
					resolve(place);
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

	/** Requests a second that may be sent now; Infinity while no limit is known. */
	get perSecond(): number {
		return this.pace.at(this.clock.now());
	}

	/** Whether nobody uses it any more, and nothing that it has learned would count for the next one. */
	get isForgotten(): boolean {
		return this.lanes.size === 0 && this.restedMs >= FORGET_AFTER_MS;
	}

	private get isLimited(): boolean {
		return this.perSecond < Infinity;
	}

	private get restedMs(): number {
		return this.clock.now() - Math.max(this.activeAt, this.hold.resumesAt);
	}

	// When a request comes and none was waiting. The API has rested since something was last sent or
	// answered, even if a slow request is still on its way.
	private awake(): void {
		const { restedMs } = this;
		const restedSince = this.clock.now() - restedMs;
		if (restedMs >= FORGET_AFTER_MS) {
			this.concurrency = new ConcurrencyLimit();
			this.pace = new Pace(restedSince);
			this.hold.accept();
			this.refusals.reset();
			this.restSince = restedSince;
		}
		// Nothing was answered since an earlier rest began, so it is still the same rest.
		if (this.restSince !== undefined) return;
		if (restedMs < NEW_RUN_AFTER_MS) this.pace.skip(Math.max(0, restedMs));
		else this.restSince = restedSince;
	}

	private admitNext(): void {
		for (let lane = this.lanes.next(); lane; lane = this.lanes.next()) {
			const now = this.clock.now();
			if (this.inFlight >= this.lanes.max) return;
			if (this.inFlight >= this.concurrency.limit) {
				if (this.concurrency.relax(now)) continue;
				return this.wakeAt(this.concurrency.relaxesAt, now);
			}
			const opensAt = Math.max(this.hold.opensAt, this.nextAt);
			if (opensAt > now) return this.wakeAt(opensAt, now);
			const slotMs = 1000 / this.pace.at(now);
			// No more at once than the API has let through at once.
			const catchUpMs = Math.min(CATCH_UP_MS, (this.pace.burst - 1) * slotMs);
			this.nextAt = Math.max(this.nextAt, now - catchUpMs) + slotMs;
			this.pace.send(now);
			const { kind, admit } = this.lanes.serve(lane, this.hold.isProbing);
			this.inFlight++;
			this.activeAt = now;
			admit(this.newPlace(lane, kind, slotMs, now));
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

	private newPlace(lane: Lane<Waiting>, kind: string, slotMs: number, sentAt: number): Place {
		const sentAfter = this.slowdowns;
		const isProbe = this.hold.send(sentAt, this.refusalMs);
		const sent: Sent = { at: sentAt, isProbe };
		// A run begins with n8n evaluating all items: until an answer has come, it is n8n that takes long.
		const isDelayed = this.restSince !== undefined;
		const departure = this.concurrency.send(kind, sentAt, this.inFlight, isDelayed);
		let isTaken = true;
		return {
			leave: (verdict) => {
				if (!isTaken) return;
				isTaken = false;
				const isNews = sentAfter === this.slowdowns;
				if (verdict === 'unused') this.takeBack(slotMs, isNews, sent);
				else {
					this.learn(verdict, isNews, sent);
					if (verdict === 'fine') {
						this.concurrency.update(departure, this.clock.now(), this.inFlight, lane.max);
					}
					this.activeAt = this.clock.now();
				}
				this.lanes.finish(lane);
				this.inFlight--;
				this.admitNext();
			},
		};
	}

	private takeBack(slotMs: number, isNews: boolean, { at, isProbe }: Sent): void {
		this.nextAt -= slotMs;
		this.pace.takeBack(at);
		if (isNews && isProbe) this.hold.probe();
	}

	private learn(verdict: Verdict, isNews: boolean, sent: Sent): void {
		if (this.restSince !== undefined) this.pace.skip(this.clock.now() - this.restSince);
		this.restSince = undefined;
		if (verdict === 'limited' || verdict === 'overloaded') {
			this.pace.takeBack(sent.at);
			if (isNews) this.refuse(verdict, sent);
			// A pause that says nothing about the pace is none of the time over which that is measured.
			this.pace.hold(this.hold.takeNewMs());
		} else if (isNews) {
			this.refusals.accept(this.isLimited);
			this.hold.accept();
			this.pace.resume();
			if (sent.isProbe) this.hold.release();
		}
	}

	private refuse(verdict: Verdict, { at: sentAt, isProbe }: Sent): void {
		const now = this.clock.now();
		const isAsked = this.hold.resumesAt > now;
		this.refusalMs = now - sentAt;
		if (verdict === 'limited') {
			const isLimit = this.refusals.refuse(this.isLimited);
			if (!isLimit && !isAsked && !isProbe) return;
		}
		this.slowdowns++;
		this.refusals.reset();
		this.concurrency.drop(this.inFlight);
		if (verdict === 'limited') {
			if (isProbe && !isAsked) this.hold.backOff(now);
			const resumeAt = Math.max(now, this.hold.resumesAt);
			this.pace.slowDown({ sentAt, now, resumeAt, isAsked });
			this.hold.takeNewMs();
			this.nextAt = resumeAt > now ? resumeAt : now + 1000 / this.pace.at(now);
		}
		if (verdict === 'limited' || isAsked) this.hold.probe();
	}
}
