// Sending continues at this share of the measured rate.
const DECREASE = 0.95;
// The rate rises by this share in the first period, and by twice as much in each further one.
const INCREASE = 0.03;
const PERIOD_MS = 500;
const PERIOD_REQUESTS = 2;
// With Retry-After, each refusal costs a pause.
const PERIOD_WITH_RETRY_AFTER_MS = 2_000;
// But the first rate is measured from a burst, and a short pause costs less than a rate that is too low.
const FIRST_PERIOD_MS = 250;
const SHORT_PAUSE_MS = 1_500;
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
	/** A pause that is not about the rate, until a request is sent after it. */
	private paused?: { from: number; until: number };

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
		if (this.paused && now >= this.paused.until) {
			this.skipTime(this.paused.until - this.paused.from);
			this.paused = undefined;
		}
		const ms = 1000 / this.perSecond(now);
		this.nextAt = Math.max(this.nextAt, now - Math.min(CATCH_UP_MS, ms)) + ms;
		return ms;
	}

	/** Notes a pause after refusals that are due to chance, so that its time does not count. */
	pause(now: number, until: number): void {
		if (until > now) this.paused = { from: this.paused?.from ?? now, until };
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
		this.paused = undefined;
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
		const mean = Math.sqrt(high * low);
		// With Retry-After, the rate has often risen for long before it is refused, so that the mean is too low.
		const isRisen = hasRetryAfter && perSecond < Infinity;
		const measured = Math.min(perSecond, isRisen ? Math.sqrt(mean * perSecond) : mean);
		const lowest = count < LEAST_SAMPLE ? perSecond / LARGEST_DECREASE : 0;
		this.learned = Math.max(LEAST_PER_SECOND, DECREASE * Math.max(lowest, measured));
		const isFirst = perSecond === Infinity && this.risesFrom - at <= SHORT_PAUSE_MS;
		const withPause = isFirst ? FIRST_PERIOD_MS : PERIOD_WITH_RETRY_AFTER_MS;
		const leastMs = hasRetryAfter ? withPause : PERIOD_MS;
		this.periodMs = Math.max(leastMs, (1000 * PERIOD_REQUESTS) / this.learned);
		this.nextAt = this.risesFrom + 1000 / this.learned;
	}
}
