import { performance } from 'node:perf_hooks';

export interface RateLimitSettings {
	/** Requests a second that are let through in the long run. */
	perSecond: number;
	/** Requests that may come at once after a rest. */
	burst: number;
	/** Value of Retry-After on a refusal; without it the header is not sent. */
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

	/** Limits from now on, starting with a full bucket; null lifts the limit. */
	set(settings: RateLimitSettings | null): void {
		this.settings = settings;
		this.refused = 0;
		this.tokens = settings?.burst ?? 0;
		this.filledAt = this.now();
	}

	/** Whether a request may pass now; counts it. */
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
