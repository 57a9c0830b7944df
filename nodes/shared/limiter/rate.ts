// The share of the measured rate at which sending goes on.
const DECREASE = 0.95;
// The rate rises by this share in the first period, and by twice as much in each further one.
const INCREASE = 0.01;
const PERIOD_MS = 500;
const PERIOD_REQUESTS = 2;
// With Retry-After, each refusal costs a pause.
const PERIOD_WITH_RETRY_AFTER_MS = 2_000;
// Fewer requests, or closer together, are a burst: the first time they count as so many; later they lower the rate at
// most by this factor.
const LEAST_SAMPLE = 10;
const LEAST_SAMPLE_MS = 10;
const LARGEST_DECREASE = 8;
const LEAST_PER_SECOND = 1;
// n8n blocks the process for moments at a time; a request that was due meanwhile is sent afterwards.
const CATCH_UP_MS = 20;

/** A request that was sent: when, and how long it keeps the next one waiting, in milliseconds. */
export interface Slot {
	at: number;
	ms: number;
}

/**
 * How many requests may be sent in a second: unlimited until the API refuses, then what it accepted between two
 * refusals, rising faster and faster. All times are milliseconds of the limiter's clock.
 */
export class Rate {
	/** When the next request is due. */
	nextAt = 0;
	/** In requests per second. */
	private knownRate = Infinity;
	private risesFrom = 0;
	private periodMs = PERIOD_MS;
	/** The requests that the API accepted since it accepted again; those in flight count until they are refused. */
	private acceptedSince: { since: number; accepted: number };
	/** Until the API accepts again: the refusal that ended the sample, with the rate in use then. */
	private rateAtRefusal?: { at: number; perSecond: number; hasRetryAfter: boolean };

	constructor(now: number) {
		this.acceptedSince = { since: now, accepted: 0 };
	}

	get isKnown(): boolean {
		return this.knownRate < Infinity;
	}

	/** The limit in requests per second; Infinity while none is known. */
	perSecond(now: number): number {
		const periods = Math.max(0, now - this.risesFrom) / this.periodMs;
		return this.knownRate * (1 + INCREASE * (2 ** periods - 1));
	}

	/** Leaves a time out of the sample in which nothing was sent. */
	leaveOut(ms: number): void {
		this.acceptedSince.since += ms;
		this.risesFrom += ms;
	}

	/** Takes the slot of a request that is about to be sent. */
	take(now: number): Slot {
		const ms = 1000 / this.perSecond(now);
		this.nextAt = Math.max(this.nextAt, now - Math.min(CATCH_UP_MS, ms)) + ms;
		this.acceptedSince.accepted++;
		return { at: now, ms };
	}

	/** The request was refused, or `unused`: it was not sent. */
	takeBack({ at, ms }: Slot, isUnused: boolean): void {
		if (at >= this.acceptedSince.since) this.acceptedSince.accepted--;
		if (isUnused) this.nextAt -= ms;
	}

	/** The API accepts again; so many are in flight. */
	accepted(inFlight: number): void {
		this.rateAtRefusal = undefined;
		this.acceptedSince = { since: this.risesFrom, accepted: inFlight };
	}

	/** The API refused a request because of the rate. */
	refused(at: number, hasRetryAfter: boolean): void {
		const perSecond = this.rateAtRefusal?.perSecond ?? this.perSecond(at);
		this.rateAtRefusal = { at, perSecond, hasRetryAfter };
	}

	/** From this time on, requests are sent at the measured rate, which rises. */
	riseFrom(time: number): void {
		this.risesFrom = time;
		this.measure();
		this.nextAt = time + 1000 / this.knownRate;
	}

	/**
	 * Divided by the time until the refusal, the requests that the API accepted give too high a rate; divided by the time
	 * until it accepts again, too low a one. To be repeated while requests that were in flight at the refusal are refused.
	 */
	measure(): void {
		if (!this.rateAtRefusal) return;
		const { at, perSecond, hasRetryAfter } = this.rateAtRefusal;
		const { since } = this.acceptedSince;
		const isFirst = perSecond === Infinity;
		const accepted = Math.max(this.acceptedSince.accepted, isFirst ? LEAST_SAMPLE : 1);
		const atMost = rateOf(accepted, at - since);
		const atLeast = rateOf(accepted, this.risesFrom - since);
		const mean = Math.min(perSecond, Math.sqrt(atMost * atLeast));
		const lowest = accepted < LEAST_SAMPLE ? perSecond / LARGEST_DECREASE : 0;
		this.knownRate = Math.max(LEAST_PER_SECOND, DECREASE * Math.max(lowest, mean));
		this.periodMs = Math.max(
			hasRetryAfter ? PERIOD_WITH_RETRY_AFTER_MS : PERIOD_MS,
			(1000 * PERIOD_REQUESTS) / this.knownRate,
		);
	}
}

function rateOf(count: number, ms: number): number {
	return (1000 * count) / Math.max(LEAST_SAMPLE_MS, ms);
}
