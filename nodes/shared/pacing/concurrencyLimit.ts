import { LEAST_ANSWERS, RoundTrips } from './roundTrips';

// TCP begins with ten, too (RFC 6928): few enough not to harm, enough for short runs.
const INITIAL_LIMIT = 10;
// Of what is in flight, the share that may wait at the API. TCP Vegas and VegasLimit take a number instead; but what
// keeps n8n's process busy for moments at a time looks like a queue, too, the longer the more is in flight.
const QUEUE_SHARE = 0.3;
// Up to this, the limit is not lowered: with a share of 0.4, a round trip takes 1.7 times what it takes without a queue.
const MOST_QUEUE_SHARE = 0.4;
// The most that a round adds after slow start.
const GROWTH = 1.25;
// Slow start goes on more carefully where a round trip has doubled (RFC 9406, CSS_GROWTH_DIVISOR).
const CAREFUL = 0.25;
const CAREFUL_FROM = 0.5;
// To measure the base, this share of what the API works on at once is sent, so that nothing waits.
const DRAINED = 0.9;
// With nothing sent or answered for so many round trips, something hangs. Only one kind is judged at a time, and
// others may be slow.
const PATIENCE = 2 * LEAST_ANSWERS;
const LEAST_PATIENCE_MS = 5_000;

/** What is known of a request when it is sent. */
export interface Departure {
	kind: string;
	/** Milliseconds. */
	at: number;
	/** How many were in flight then, itself included. */
	inFlight: number;
	/** Whether something that is not the API may have held it up. */
	isDelayed: boolean;
	/** Counts the sudden changes of the limit: what was sent before one says nothing of what came after. */
	era: number;
}

/** While the base of a kind is measured: how many answers there have been, and what comes after. */
interface Drained {
	kind: RoundTrips;
	answers: number;
	limitAfter: number;
}

/**
 * How many requests may be in flight at once, in the manner of TCP Vegas and of VegasLimit in Netflix's
 * concurrency-limits. Once a round, which is as many answers as may be in flight:
 *
 *     queueSize = inFlight * (1 - rttNoLoad / rtt)
 *     limit     = (inFlight - queueSize) / (1 - 0.3)     between limit / 2 and limit * 1.25
 *
 * rtt is the second least of the round, rttNoLoad the least that was measured of that kind of request. The limit is
 * not lowered while no more than 0.4 of those in flight wait. Before more have been seen waiting, each answer adds
 * one (slow start, RFC 5681), and a refusal takes one away. What refuses too much halves the limit, and from then on
 * a round trip adds one at most. Knows nothing of clocks; docs/limiter.md says more.
 */
export class ConcurrencyLimit {
	private width = INITIAL_LIMIT;
	private isSlowStart = true;
	private wasDropped = false;
	private era = 0;
	private readonly kinds = new Map<string, RoundTrips>();
	private drained?: Drained;
	/** When a request was last sent or answered. */
	private quietSince = 0;
	private patienceMs = Infinity;

	/** How many may be in flight, at least 1. */
	get limit(): number {
		return Math.floor(this.width);
	}

	/** When {@link relax} may be called, in milliseconds; Infinity until a round has been judged. */
	get relaxesAt(): number {
		return this.quietSince + this.patienceMs;
	}

	/**
	 * Lets one more request be in flight because the limit is reached and nothing has been sent or answered for long:
	 * a request that is never answered must not keep all others waiting.
	 *
	 * @returns whether it was long enough
	 */
	relax(now: number): boolean {
		if (now < this.relaxesAt) return false;
		this.quietSince = now;
		if (this.drained) this.endDraining(this.drained);
		else this.width++;
		return true;
	}

	/**
	 * Notes that a request is sent.
	 *
	 * @param kind of the request: those of one kind take equally long where none has to wait
	 * @param at milliseconds
	 * @param inFlight this one included
	 * @param isDelayed whether something that is not the API may hold it up
	 */
	send(kind: string, at: number, inFlight: number, isDelayed = false): Departure {
		this.quietSince = at;
		return { kind, at, inFlight, era: this.era, isDelayed };
	}

	/**
	 * Learns from an answer with which the API kept up.
	 *
	 * @param now milliseconds
	 * @param inFlight until now, this one included
	 * @param max the most that are wanted
	 */
	update(departure: Departure, now: number, inFlight: number, max: number): void {
		this.quietSince = now;
		const kind = this.kindOf(departure.kind);
		const rtt = now - departure.at;
		const counts = departure.era === this.era && !departure.isDelayed;
		if (counts) kind.note({ rtt, inFlight: departure.inFlight });
		else if (departure.isDelayed) kind.noteBase(rtt);
		if (this.drained) {
			if (counts) this.measure(this.drained);
			return;
		}
		// What was not tried out proves nothing: only a limit that is reached grows (RFC 7661).
		if (inFlight >= this.limit) {
			const isSlow = counts && kind.queueShare(rtt) >= CAREFUL_FROM;
			this.grow(this.width + this.step(isSlow), max);
		}
		if (counts && kind.isOver) this.judge(kind, inFlight, max);
	}

	/**
	 * Notes that the API could not keep up; once for all that was in flight then. Half of that is kept,
	 * which can be less than half of what would have been allowed (RFC 5681, section 3.1).
	 *
	 * @param inFlight this one included
	 */
	drop(inFlight: number): void {
		this.wasDropped = true;
		this.isSlowStart = false;
		this.drained = undefined;
		this.change(Math.min(this.width, inFlight) / 2);
	}

	/**
	 * Notes a refusal, by chance or not: during slow start, its place stays empty until something is accepted, so that
	 * no more follow before {@link drop} is called than were on their way.
	 */
	refuse(): void {
		if (this.isSlowStart) this.width = Math.max(1, this.width - 1);
	}

	private kindOf(name: string): RoundTrips {
		const known = this.kinds.get(name);
		if (known) return known;
		const kind = new RoundTrips(this.limit);
		this.kinds.set(name, kind);
		return kind;
	}

	// With each answer; there are as many in a round trip as are in flight.
	private step(isSlow: boolean): number {
		if (this.wasDropped) return 1 / this.width;
		if (!this.isSlowStart) return 0;
		return isSlow ? CAREFUL : 1;
	}

	private grow(limit: number, max: number): void {
		this.width = Math.max(this.width, Math.min(max, limit));
	}

	private judge(kind: RoundTrips, inFlight: number, max: number): void {
		// A higher limit than anything wants is not used.
		const used = Math.min(this.width, Math.max(max, inFlight));
		// Few requests below a high limit prove nothing either way.
		if (2 * inFlight < Math.floor(used)) return kind.begin(this.limit);
		const { low } = kind;
		const share = kind.queueShare(low.rtt);
		const queueSize = low.inFlight * share;
		const isTooMuch = share > MOST_QUEUE_SHARE;
		this.patienceMs = Math.max(LEAST_PATIENCE_MS, PATIENCE * low.rtt);
		kind.settle(isTooMuch);
		if (isTooMuch) {
			this.isSlowStart = false;
			const wanted = (low.inFlight - queueSize) / (1 - QUEUE_SHARE);
			// Two, so that a slow request does not keep all others waiting.
			this.change(Math.max(Math.min(2, used), used / 2, Math.min(used - 1, wanted)));
		} else if (!this.isSlowStart && !this.wasDropped && inFlight >= this.limit) {
			const wanted = (this.width * (1 - share)) / (1 - QUEUE_SHARE);
			this.grow(Math.min(wanted, Math.max(this.width + 1, GROWTH * this.width)), max);
		}
		if (kind.isDoubtful) this.drain(kind, low.inFlight - queueSize);
		else kind.begin(this.limit);
	}

	// Where the queue hides what the API takes by itself, that shows once there is none (BBR's ProbeRTT).
	private drain(kind: RoundTrips, workedOn: number): void {
		this.drained = { kind, answers: 0, limitAfter: this.width };
		this.change(DRAINED * workedOn);
	}

	private measure(drained: Drained): void {
		drained.answers++;
		// Other kinds can have taken the place of that one.
		const isEnough = drained.kind.hasEnough || drained.answers >= 3 * LEAST_ANSWERS;
		if (isEnough) this.endDraining(drained);
	}

	private endDraining({ kind, limitAfter }: Drained): void {
		this.drained = undefined;
		// Slower by itself: what has been learned since then came from the wrong base.
		if (kind.renew() && !this.wasDropped) this.isSlowStart = true;
		this.change(limitAfter);
	}

	private change(limit: number): void {
		this.width = Math.max(1, limit);
		this.era++;
		for (const kind of this.kinds.values()) kind.begin(this.limit);
	}
}
