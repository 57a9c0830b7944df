// Sending continues at this share of the measured rate.
const DECREASE = 0.95;
// The rate rises by this share in the first period, and by twice as much in each further one.
const INCREASE = 0.01;
const PERIOD_MS = 500;
const PERIOD_REQUESTS = 2;
// With Retry-After, each refusal costs a pause.
const PERIOD_WITH_RETRY_AFTER_MS = 2_000;
// Fewer requests are a burst. The first time, they count as so many. Later, they lower the rate by at most this factor.
const LEAST_SAMPLE = 10;
const LARGEST_DECREASE = 8;
const LEAST_PER_SECOND = 0.1;
// n8n blocks the process for moments at a time. Requests that were due then are sent afterwards.
const CATCH_UP_MS = 20;

interface Refusal {
	at: number;
	/** The rate in use then. */
	perSecond: number;
	hasRetryAfter: boolean;
}

/**
 * How many requests may be sent in a second: unlimited until the API refuses, then what it accepted between two
 * refusals, rising faster and faster. All times are milliseconds of the limiter's clock.
 */
export class Rate {
	/** When the next request is due. */
	nextAt = 0;
	private learned = Infinity;
	private risesFrom: number;
	private periodMs = PERIOD_MS;
	/** How many requests the API accepted since it accepted again. */
	private accepted = 0;
	/** The first refusal since the API last accepted a request. */
	private refused?: Refusal;

	constructor(private since: number) {
		this.risesFrom = since;
	}

	get isKnown(): boolean {
		return this.learned < Infinity;
	}

	/** The limit in requests per second. Infinity while none is known. */
	perSecond(now: number): number {
		const periods = Math.max(0, now - this.risesFrom) / this.periodMs;
		return this.learned * (1 + INCREASE * (2 ** periods - 1));
	}

	/** Leaves out a time in which nothing was sent. */
	skipTime(ms: number): void {
		this.since += ms;
		this.risesFrom += ms;
	}

	/** Notes that a request is sent. Returns for how many milliseconds the next one has to wait. */
	take(now: number): number {
		const ms = 1000 / this.perSecond(now);
		this.nextAt = Math.max(this.nextAt, now - Math.min(CATCH_UP_MS, ms)) + ms;
		return ms;
	}

	/** Notes that the API accepted a request. */
	accept(): void {
		if (this.refused) {
			this.refused = undefined;
			this.since = this.risesFrom;
			this.accepted = 0;
		}
		this.accepted++;
	}

	/** Notes that the API refused a request because of a limit, and that the next one is sent at `until`. */
	refuse(now: number, until: number, hasRetryAfter: boolean): void {
		this.refused ??= { at: now, perSecond: this.perSecond(now), hasRetryAfter };
		this.risesFrom = until;
		this.measure(this.refused);
	}

	// Divided by the time until the refusal, the accepted requests are too high a rate. Divided by the time until the API
	// accepts again, too low.
	private measure({ at, perSecond, hasRetryAfter }: Refusal): void {
		const count = Math.max(this.accepted, perSecond === Infinity ? LEAST_SAMPLE : 1);
		const [high, low] = [at, this.risesFrom].map(
			(end) => (1000 * count) / Math.max(10, end - this.since),
		);
		const measured = Math.min(perSecond, Math.sqrt(high * low));
		const lowest = count < LEAST_SAMPLE ? perSecond / LARGEST_DECREASE : 0;
		this.learned = Math.max(LEAST_PER_SECOND, DECREASE * Math.max(lowest, measured));
		const leastMs = hasRetryAfter ? PERIOD_WITH_RETRY_AFTER_MS : PERIOD_MS;
		this.periodMs = Math.max(leastMs, (1000 * PERIOD_REQUESTS) / this.learned);
		this.nextAt = this.risesFrom + 1000 / this.learned;
	}
}
