// How long all requests are held when the API refuses without naming a moment; longer each time while it
// goes on. The end is found by probing, so it is missed by a quarter of what has passed at most.
const FIRST_BACK_OFF_MS = 100;
const BACK_OFF_GROWTH = 1.25;
const LONGEST_BACK_OFF_MS = 30_000;
// An API that has accepted nothing for so long is down rather than limited: what is left of a run is to end soon.
const DOWN_AFTER_MS = 120_000;
const BACK_OFF_WHEN_DOWN_MS = 1_000;
// After a pause, one request goes first. While no refusal has come for twice as long as refusals take, it counts
// as accepted: at most so long are others held for it.
const LONGEST_PROBE_MS = 1_000;
const PROBE_SLACK_MS = 10;

/** Pauses so far. */
export interface Pauses {
	count: number;
	totalMs: number;
}

/** When nothing may be sent: during pauses, and while the one request that goes first after them is on its way. */
export class Hold {
	private pausedUntil = 0;
	private probedUntil = 0;
	/** Of the pause, what no refusal has been learned from yet. */
	private newlyHeldMs = 0;
	private readonly past: Pauses = { count: 0, totalMs: 0 };
	private backOffMs = FIRST_BACK_OFF_MS;
	/** When the first of the back-offs began that lasts until the API accepts something. */
	private backingOffSince?: number;
	/** Whether the next request is to go first. */
	private isProbeNext = false;

	/** The end of the last pause, in milliseconds. */
	get resumesAt(): number {
		return this.pausedUntil;
	}

	/** Whether the next request goes first, and alone. */
	get isProbing(): boolean {
		return this.isProbeNext;
	}

	/** When requests may be sent, as far as is known now. */
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

	/** Pauses although the API has not asked for it, longer each time until it accepts something. */
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

	/** How much of the pauses is new since the last call, in milliseconds. */
	takeNewMs(): number {
		const ms = this.newlyHeldMs;
		this.newlyHeldMs = 0;
		return ms;
	}

	/** Lets one request go first when sending goes on. */
	probe(): void {
		this.isProbeNext = true;
		this.probedUntil = 0;
	}

	/**
	 * Notes that a request is sent.
	 *
	 * @param refusalMs how long the last refusal took
	 * @returns whether it is the one that goes first
	 */
	send(now: number, refusalMs: number): boolean {
		if (!this.isProbeNext) return false;
		this.isProbeNext = false;
		this.probedUntil = now + Math.min(LONGEST_PROBE_MS, 2 * refusalMs + PROBE_SLACK_MS);
		return true;
	}

	/** Notes that the one that went first was answered. */
	release(): void {
		this.probedUntil = 0;
	}
}
