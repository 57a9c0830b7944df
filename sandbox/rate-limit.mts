import { performance } from 'node:perf_hooks';

export interface RateLimitSettings {
	/** Allowed requests per second in the long run. */
	perSecond: number;
	/** Allowed burst after an idle time. */
	burst: number;
	/** The value of Retry-After on a refusal. If left out, the header is not sent. */
	retryAfterSeconds?: number;
}

/** A token bucket. The rate limits of the API are not documented (docs/decisions.md, A12). */
export class RateLimit {
	/** How many requests were refused. */
	refused = 0;
	settings: RateLimitSettings | null = null;
	private tokens = 0;
	private filledAt = 0;

	/** @param now the clock, in milliseconds from any start */
	constructor(private readonly now: () => number = () => performance.now()) {}

	/** Sets the limit, with a full bucket. Null removes it. */
	set(settings: RateLimitSettings | null): void {
		this.settings = settings;
		this.refused = 0;
		this.tokens = settings?.burst ?? 0;
		this.filledAt = this.now();
	}

	/** Counts a request, and returns whether it is allowed. */
	admits(): boolean {
		if (!this.settings) return true;
		const now = this.now();
		const { perSecond, burst } = this.settings;
		this.tokens = Math.min(burst, this.tokens + ((now - this.filledAt) / 1000) * perSecond);
		this.filledAt = now;
		if (this.tokens >= 1) {
			this.tokens--;
			return true;
		}
		this.refused++;
		return false;
	}
}
