// How long the curve takes to come back to the pace that was refused: long enough for few refusals,
// short enough to find within seconds that an API lets more through than before.
const RECOVERY_MS = 10_000;
// Where it starts at most, as a share of the pace that was refused. RFC 9438 (section 4.6) takes 0.7 to
// share a line with strangers; a limit is one's own.
const BACK_OFF = 0.85;
// A pace measured over fewer requests than this says little. Refusals that follow each other more
// closely are taken together, so that some that have nothing to do with the pace do not bring it down.
const LEAST_SAMPLE = 10;
const LEAST_PER_SECOND = 1;

/**
 * The pace, in requests a second, at which an API with a rate limit can be used: unlimited until it
 * refuses for the first time, then approached from below.
 *
 * Between two refusals the API's allowance goes from used up to used up. What it accepted meanwhile,
 * divided by that time, is therefore a pace that it keeps up with; divided by the time outside of the
 * pause that it asked for, one that it may not keep up with. Which of the two is nearer to the truth
 * depends on how much it lets through at once after a rest, which nobody tells, so the next try begins
 * at their geometric mean and climbs within {@link RECOVERY_MS} to the pace that was refused, the slower
 * the nearer it comes; then it probes further, ever faster, so that an old refusal does not count for
 * long. That is the curve of CUBIC (RFC 9438, section 4.1), which the "adaptive" retry mode of the AWS
 * SDKs applies to request rates too. docs/limiter.md shows it at work.
 */
export class Pace {
	/** Where the curve starts, in requests a second. */
	private start = Infinity;
	/** Its flat middle. */
	private refused = Infinity;
	private climbsFrom = 0;
	private accepted = 0;
	private pausedMs = 0;

	/** @param since when sending began, in milliseconds of the clock that all methods share */
	constructor(private since: number) {}

	/** Notes a request that was let through. */
	accept(): void {
		this.accepted++;
	}

	/**
	 * Leaves a rest out of account: a pace that nobody asked for was not refused either.
	 *
	 * @param ms in which nothing was to be sent, just before
	 */
	skip(ms: number): void {
		this.since += ms;
	}

	/**
	 * Leaves a pause out of account that was not about the pace; nothing is probed meanwhile either.
	 *
	 * @param ms of the pause, from now on
	 */
	hold(ms: number): void {
		this.since += ms;
		this.climbsFrom += ms;
	}

	/**
	 * Notes a refusal.
	 *
	 * @param now milliseconds
	 * @param resumeAt when requests may be sent again: the end of the pause asked for, at least now
	 */
	refuse(now: number, resumeAt: number): void {
		if (this.accepted >= LEAST_SAMPLE || this.refused === Infinity) this.learn(now, resumeAt);
		else this.pausedMs += resumeAt - now;
		this.climbsFrom = resumeAt;
	}

	/** Requests a second that may be sent now; Infinity while no limit is known. */
	at(now: number): number {
		if (this.refused === Infinity) return Infinity;
		const progress = Math.max(0, now - this.climbsFrom) / RECOVERY_MS;
		return this.refused + (this.refused - this.start) * (progress - 1) ** 3;
	}

	private learn(now: number, resumeAt: number): void {
		const accepted = Math.max(1, this.accepted) * 1000;
		const tooFast = accepted / Math.max(1, now - this.since - this.pausedMs);
		const sustained = accepted / Math.max(1, resumeAt - this.since);
		// What was refused is at most what was allowed.
		this.refused = Math.max(LEAST_PER_SECOND, Math.min(tooFast, this.at(now)));
		const start = Math.min(Math.sqrt(sustained * tooFast), BACK_OFF * this.refused);
		this.start = Math.max(BACK_OFF * LEAST_PER_SECOND, start);
		this.since = resumeAt;
		this.accepted = 0;
		this.pausedMs = 0;
	}
}
