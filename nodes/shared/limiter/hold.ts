// How long all requests are held when the API refuses without Retry-After; longer each time while it goes on refusing.
// Probing finds the end of the refusals late by at most a quarter of their duration.
const FIRST_BACK_OFF_MS = 100;
const BACK_OFF_GROWTH = 1.25;
const LONGEST_BACK_OFF_MS = 30_000;
// An API that has accepted nothing for so long is down rather than limited, so the rest of the run should end soon.
const DOWN_AFTER_MS = 120_000;
const BACK_OFF_WHEN_DOWN_MS = 1_000;
// After a pause, one request is sent as a probe. It counts as accepted when no refusal has come within twice the time
// that refusals take; others are held for it at most this long.
const LONGEST_PROBE_MS = 1_000;
const PROBE_SLACK_MS = 10;

/** Pauses so far. */
export interface Pauses {
	count: number;
	totalMs: number;
}

/** When nothing may be sent: during pauses, and while the probe after a pause is in flight. */
export class Hold {
	private pausedUntil = 0;
	private probedUntil = 0;
	/** Milliseconds of the pauses that {@link takeNewMs} has not reported yet. */
	private newlyHeldMs = 0;
	private readonly past: Pauses = { count: 0, totalMs: 0 };
	private backOffMs = FIRST_BACK_OFF_MS;
	/** When the API began to refuse everything without asking for a pause. */
	private backingOffSince?: number;
	/** Whether the next request is sent as a probe. */
	private isProbeNext = false;

	/** The end of the last pause, in milliseconds. */
	get resumesAt(): number {
		return this.pausedUntil;
	}

	/** Whether the next request is a probe, sent alone. */
	get isProbing(): boolean {
		return this.isProbeNext;
	}

	/** The earliest time, in milliseconds, at which requests may be sent. */
	get opensAt(): number {
		return Math.max(this.pausedUntil, this.probedUntil);
	}

	/** Pauses so far; of one that is not over, the part that has passed. */
	pauses(now: number): Pauses {
		const { count, totalMs } = this.past;
		return { count, totalMs: totalMs - Math.max(0, this.pausedUntil - now) };
	}

	/** Pauses; a later call can lengthen the pause, never shorten it. */
	pause(ms: number, now: number): void {
		const until = now + ms;
		if (ms <= 0 || until <= this.pausedUntil) return;
		if (now >= this.pausedUntil) this.past.count++;
		const addedMs = until - Math.max(now, this.pausedUntil);
		this.past.totalMs += addedMs;
		this.newlyHeldMs += addedMs;
		this.pausedUntil = until;
	}

	/** Pauses without being asked to (backoff), longer each time until the API accepts something. */
	backOff(now: number): void {
		this.backingOffSince ??= now;
		this.pause(this.isDown(now) ? BACK_OFF_WHEN_DOWN_MS : this.backOffMs, now);
		this.backOffMs = Math.min(LONGEST_BACK_OFF_MS, BACK_OFF_GROWTH * this.backOffMs);
	}

	/** Whether the API has accepted nothing for so long that repeating a request is of no use. */
	isDown(now: number): boolean {
		return this.backingOffSince !== undefined && now - this.backingOffSince > DOWN_AFTER_MS;
	}

	/** Notes that the API accepts requests. */
	accept(): void {
		this.backingOffSince = undefined;
		this.backOffMs = FIRST_BACK_OFF_MS;
	}

	/** Milliseconds of pauses since the last call. */
	takeNewMs(): number {
		const ms = this.newlyHeldMs;
		this.newlyHeldMs = 0;
		return ms;
	}

	/** Makes the next request a probe. */
	probe(): void {
		this.isProbeNext = true;
		this.probedUntil = 0;
	}

	/**
	 * Notes that a request is sent.
	 *
	 * @param refusalMs how long the last refusal took
	 * @returns whether it is the probe
	 */
	send(now: number, refusalMs: number): boolean {
		if (!this.isProbeNext) return false;
		this.isProbeNext = false;
		this.probedUntil = now + Math.min(LONGEST_PROBE_MS, 2 * refusalMs + PROBE_SLACK_MS);
		return true;
	}

	/** Notes that the probe was answered. */
	release(): void {
		this.probedUntil = 0;
	}
}
