import { LEAST_ANSWERS, RoundTrips } from './roundTrips';

// As TCP's initial window (RFC 6928): harmless to a small server, and enough for short runs.
const INITIAL_LIMIT = 10;
// The share of the requests in flight that may queue at the API. TCP Vegas and VegasLimit use a fixed number instead;
// but moments in which n8n's process is busy look like a queue, too, which grows with the requests in flight.
const QUEUE_SHARE = 0.3;
// Up to this, the limit is not lowered: with a share of 0.4, a round trip takes 1.7 times what it takes without a queue.
const MOST_QUEUE_SHARE = 0.4;
// The largest growth of a round after slow start.
const GROWTH = 1.25;
// Slow start grows more slowly once a round trip has doubled (RFC 9406, CSS_GROWTH_DIVISOR).
const CAREFUL = 0.25;
const CAREFUL_FROM = 0.5;
// While the base is measured, this share of what the API works on at once is sent, so that no request queues.
const DRAINED = 0.9;
// Nothing sent or answered for so many round trips means that requests hang. The number is high because the round trip
// is that of one kind of request, and others may be slower.
const PATIENCE = 2 * LEAST_ANSWERS;
const LEAST_PATIENCE_MS = 5_000;

/** A request at the moment when it is sent. */
export interface Departure {
	kind: string;
	/** Milliseconds. */
	at: number;
	/** Requests in flight, including this one. */
	inFlight: number;
	/** Whether a delay may come from n8n rather than from the API. */
	isDelayed: boolean;
	/** Counts the sudden changes of the limit: requests sent before a change say nothing about the limit after it. */
	era: number;
}

/** The measurement of a base in progress. */
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
 * rtt is the second shortest round trip of the round, rttNoLoad the shortest such value of that kind of request so far.
 * The limit is not lowered while at most 0.4 of the requests in flight queue. Until more have queued, each answer adds
 * one (slow start, RFC 5681) and each refusal subtracts one. {@link drop} halves the limit; from then on, a round trip
 * adds at most one. Has no clock of its own. docs/limiter.md explains the formula.
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

	/** When {@link relax} may be called, in milliseconds; Infinity until a round has ended. */
	get relaxesAt(): number {
		return this.quietSince + this.patienceMs;
	}

	/**
	 * Allows one more request because the limit is reached and nothing has been sent or answered for long: a request
	 * that is never answered must not block all others.
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
	 * Updates the limit after an answer that was not refused.
	 *
	 * @param now milliseconds
	 * @param inFlight until now, this one included
	 * @param max the most requests that the run wants in flight
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
		// Only a limit that was reached grows, because a higher one was not tested otherwise (RFC 7661).
		if (inFlight >= this.limit) {
			const isSlow = counts && kind.queueShare(rtt) >= CAREFUL_FROM;
			this.grow(this.width + this.step(isSlow), max);
		}
		if (counts && kind.isOver) this.judge(kind, inFlight, max);
	}

	/**
	 * Halves the limit because the API was overloaded; to be called once for all requests that were in flight then. The
	 * new limit is half of the requests in flight, not half of the old limit (RFC 5681, section 3.1).
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
	 * Notes a refusal. During slow start, the limit goes down by one until a request is accepted, so that no further
	 * requests are refused before {@link drop} is called than were in flight.
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

	// Called for each answer; a round trip has as many as there are requests in flight.
	private step(isSlow: boolean): number {
		if (this.wasDropped) return 1 / this.width;
		if (!this.isSlowStart) return 0;
		return isSlow ? CAREFUL : 1;
	}

	private grow(limit: number, max: number): void {
		this.width = Math.max(this.width, Math.min(max, limit));
	}

	private judge(kind: RoundTrips, inFlight: number, max: number): void {
		// A limit above what any run wants is not used.
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
			// Two, so that one slow request does not block all others.
			this.change(Math.max(Math.min(2, used), used / 2, Math.min(used - 1, wanted)));
		} else if (!this.isSlowStart && !this.wasDropped && inFlight >= this.limit) {
			const wanted = (this.width * (1 - share)) / (1 - QUEUE_SHARE);
			this.grow(Math.min(wanted, Math.max(this.width + 1, GROWTH * this.width)), max);
		}
		if (kind.isDoubtful) this.drain(kind, low.inFlight - queueSize);
		else kind.begin(this.limit);
	}

	// A queue hides the service time, so the queue is drained to measure it (BBR's ProbeRTT).
	private drain(kind: RoundTrips, workedOn: number): void {
		this.drained = { kind, answers: 0, limitAfter: this.width };
		this.change(DRAINED * workedOn);
	}

	private measure(drained: Drained): void {
		drained.answers++;
		// No request of that kind may be left.
		const isEnough = drained.kind.hasEnough || drained.answers >= 3 * LEAST_ANSWERS;
		if (isEnough) this.endDraining(drained);
	}

	private endDraining({ kind, limitAfter }: Drained): void {
		this.drained = undefined;
		// The API itself is slower: the limit was derived from a base that was too low.
		if (kind.renew() && !this.wasDropped) this.isSlowStart = true;
		this.change(limitAfter);
	}

	private change(limit: number): void {
		this.width = Math.max(1, limit);
		this.era++;
		for (const kind of this.kinds.values()) kind.begin(this.limit);
	}
}
