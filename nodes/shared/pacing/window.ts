import { LEAST_ANSWERS, RoundTrips } from './roundTrips';

// TCP begins with ten, too (RFC 6928): few enough not to harm, enough for short runs.
const FIRST = 10;
// Slow start goes on more carefully where a round trip has grown (RFC 9406, CSS_GROWTH_DIVISOR).
const CAREFUL = 0.25;
// To twice what it takes by itself: half of what is in flight waits. A whole wave of answers keeps n8n's
// process busy nearly as long.
const WAITING_WHEN_SLOW = 0.5;
// Of what is in flight, the share that may wait at the API. TCP Vegas and VegasLimit take a number instead;
// but what keeps n8n's process busy for moments at a time looks like a queue, too, the longer the more is
// in flight. With a share, a round trip takes at most 1.7 times what it takes without a queue.
const MOST_WAITING = 0.4;
const ENOUGH_WAITING = 0.3;
const HARDLY_WAITING = 0.15;
// For a measurement of the base, this share of what the API works on at once.
const DRAINED = 0.9;
// In round trips: with nothing sent or answered for as long, something hangs.
const PATIENCE = 2 * LEAST_ANSWERS;
// Of all kinds only one is judged at a time, and others may be slow.
const LEAST_PATIENCE_MS = 5_000;

/** What is known of a request when it is sent. */
export interface Departure {
	kind: string;
	/** Milliseconds. */
	at: number;
	/** How many were in flight then, itself included. */
	among: number;
	/** Counts the window's sudden changes: what was sent before one says nothing of what came after. */
	era: number;
	/** Whether something that is not the API may have held it up. */
	isDelayed: boolean;
}

/** While the base of a kind is measured: how many answers there have been, and what comes after. */
interface Drained {
	kind: RoundTrips;
	answers: number;
	widthAfter: number;
}

type Growth = 'doubling' | 'searching' | 'adding' | 'holding';

/**
 * How many requests may be in flight at once. Doubled with each round trip at first, as TCP does (slow
 * start, RFC 5681), more carefully once round trips grow (HyStart++, RFC 9406); then kept where only a
 * part of the requests waits at the API, which TCP Vegas, and Netflix's VegasLimit for requests, tell from
 * how much longer answers take than without a queue. Halved when refused, and one more with each round
 * trip after that. Knows nothing of clocks and queues; docs/limiter.md says more.
 */
export class Window {
	private width = FIRST;
	private growth: Growth = 'doubling';
	private wasRefused = false;
	private era = 0;
	/** How far it may grow until the next round has been judged. */
	private ceiling = Infinity;
	private readonly kinds = new Map<string, RoundTrips>();
	private drained?: Drained;
	/** When a request was last sent or answered. */
	private quietSince = 0;
	private patienceMs = Infinity;

	/** How many may be in flight, at least 1. */
	get size(): number {
		return Math.floor(this.width);
	}

	/** When {@link relax} may be called, in milliseconds; Infinity until a round has been judged. */
	get relaxesAt(): number {
		return this.quietSince + this.patienceMs;
	}

	/**
	 * Lets more requests be in flight because it is full and nothing has been sent or answered for long:
	 * what is never answered must not keep all others waiting.
	 *
	 * @returns whether it was long enough
	 */
	relax(now: number): boolean {
		if (now < this.relaxesAt) return false;
		this.quietSince = now;
		if (this.drained) this.fill(this.drained);
		else this.width++;
		return true;
	}

	/**
	 * Notes that a request is sent.
	 *
	 * @param kind of the request: those of one kind take equally long where none has to wait
	 * @param at milliseconds
	 * @param among how many are in flight, this one included
	 * @param isDelayed whether something that is not the API may hold it up
	 */
	depart(kind: string, at: number, among: number, isDelayed = false): Departure {
		this.quietSince = at;
		return { kind, at, among, era: this.era, isDelayed };
	}

	/**
	 * Notes that the API kept up with a request.
	 *
	 * @param now milliseconds
	 * @param inFlight how many were in flight until now, this one included
	 * @param max the most that are wanted
	 */
	arrive(departure: Departure, now: number, inFlight: number, max: number): void {
		this.quietSince = now;
		const kind = this.kindOf(departure.kind);
		const roundTrip = { ms: now - departure.at, among: departure.among };
		const counts = departure.era === this.era && !departure.isDelayed;
		if (counts) kind.note(roundTrip);
		else if (departure.isDelayed) kind.noteBase(roundTrip.ms);
		if (this.drained) {
			if (counts) this.measure(this.drained);
			return;
		}
		// What was not tried out proves nothing: only a full window grows (RFC 7661).
		if (inFlight >= this.size && this.width < Math.min(max, this.ceiling)) {
			const isSlow = counts && kind.queueOf(roundTrip) >= WAITING_WHEN_SLOW * roundTrip.among;
			this.width = Math.min(max, this.ceiling, this.width + this.step(isSlow));
		}
		// A wider window than anybody wants is not used.
		const used = Math.min(this.width, Math.max(max, inFlight));
		if (counts && kind.isOver) this.judge(kind, inFlight, used);
	}

	/**
	 * Notes that the API could not keep up; once for all that was in flight then. Half of that is kept,
	 * which can be less than half of what would have been allowed (RFC 5681, section 3.1).
	 *
	 * @param inFlight how many were in flight, this one included
	 */
	halve(inFlight: number): void {
		this.wasRefused = true;
		this.growth = 'adding';
		this.ceiling = Infinity;
		this.drained = undefined;
		this.change(Math.min(this.width, inFlight) / 2);
	}

	private kindOf(name: string): RoundTrips {
		const known = this.kinds.get(name);
		if (known) return known;
		const kind = new RoundTrips();
		kind.begin(this.size);
		this.kinds.set(name, kind);
		return kind;
	}

	// With each answer; there are as many in a round trip as are in flight.
	private step(isSlow: boolean): number {
		if (this.growth === 'doubling') return isSlow ? CAREFUL : 1;
		if (this.growth === 'searching') return CAREFUL;
		return this.growth === 'adding' ? 1 / this.width : 0;
	}

	private judge(kind: RoundTrips, inFlight: number, used: number): void {
		const { low } = kind;
		// Few requests in a wide window prove nothing either way.
		if (!low || 2 * inFlight < Math.floor(used)) return kind.begin(this.size);
		const waiting = kind.queueOf(low);
		const isTooMuch = waiting > MOST_WAITING * low.among;
		kind.settle(low, isTooMuch);
		this.patienceMs = Math.max(LEAST_PATIENCE_MS, PATIENCE * low.ms);
		if (isTooMuch) this.narrow(used, low.among - waiting);
		else if (this.growth !== 'doubling') this.grow(waiting / low.among);
		if (kind.isDoubtful) this.drain(kind, low.among - waiting);
		else kind.begin(this.size);
	}

	// To what would leave enough waiting beside those that are worked on.
	private narrow(used: number, workedOn: number): void {
		this.growth = 'holding';
		const wanted = Math.ceil(workedOn / (1 - ENOUGH_WAITING));
		const width = Math.min(used - 1, Math.max(used / 2, wanted));
		// Two, so that a slow request does not keep all others waiting.
		this.change(Math.max(Math.min(2, used), width));
	}

	private grow(shareWaiting: number): void {
		const isFree = shareWaiting < HARDLY_WAITING && !this.wasRefused;
		if (isFree) this.growth = 'searching';
		else this.growth = shareWaiting < ENOUGH_WAITING ? 'adding' : 'holding';
		const gain = Math.max(1, isFree ? CAREFUL * this.width : 1);
		this.ceiling = this.wasRefused ? Infinity : this.width + gain;
	}

	// Where the queue hides what the API takes by itself, that shows once there is none (BBR's ProbeRTT).
	private drain(kind: RoundTrips, workedOn: number): void {
		this.drained = { kind, answers: 0, widthAfter: this.width };
		this.change(DRAINED * workedOn);
	}

	private measure(drained: Drained): void {
		drained.answers++;
		// Other kinds can have taken the place of that one.
		const isEnough = drained.kind.hasEnough || drained.answers >= 3 * LEAST_ANSWERS;
		if (isEnough) this.fill(drained);
	}

	private fill({ kind, widthAfter }: Drained): void {
		this.drained = undefined;
		// Slower by itself: what has been learned since then came from the wrong base.
		if (kind.renew() && !this.wasRefused) {
			this.growth = 'doubling';
			this.ceiling = Infinity;
		}
		this.change(widthAfter);
	}

	private change(width: number): void {
		this.width = Math.max(1, width);
		this.era++;
		for (const kind of this.kinds.values()) kind.begin(this.size);
	}
}
