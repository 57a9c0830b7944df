// How long the curve takes to come back to the pace that was refused: long enough for few refusals,
// short enough to find within seconds that an API lets more through than before.
const RECOVERY_MS = 10_000;
// The same where the API names no pause, so that a refusal costs hardly more than itself: as long as so many
// requests take, and no longer than this, so that what several processes share is soon shared evenly.
const QUICK_RECOVERY_REQUESTS = 100;
const QUICK_RECOVERY_MS = 3_000;
// How much faster than the pace that was refused it is after twice that time.
const FURTHER = 0.15;
// Where it starts, as a share of the pace that was learned. RFC 9438 (section 4.6) takes 0.7 to share a
// line with strangers; a limit is one's own. Where the API names a pause, each refusal costs that pause;
// where it does not, the end of the pause was found by probing, and the estimate is closer.
const BACK_OFF_WHEN_ASKED = 0.85;
const BACK_OFF = 0.95;
// The two paces between which the truth lies can be far apart after the first refusal.
const HIGHEST_CLIMB = 3;
// A pace measured over fewer requests than this says little. Refusals that follow each other more
// closely are taken together, so that some that have nothing to do with the pace do not bring it down.
const LEAST_SAMPLE = 10;
// What is sent within a moment is sent at once: how long the moment was says nothing.
const LEAST_SAMPLE_MS = 10;
const LEAST_PER_SECOND = 1;

/** A refusal that slows down what follows. Times in milliseconds. */
export interface Refusal {
	/** When the request was sent. */
	sentAt: number;
	/** How many others have been sent since. */
	sentSince: number;
	now: number;
	/** When requests may be sent again: the end of the pause, or now. */
	resumeAt: number;
	/** Whether the API named the pause. */
	isAsked: boolean;
}

/** What was accepted until the API refused. */
interface Sample {
	accepted: number;
	/** Milliseconds from the refusal before to this one, without pauses in between. */
	ms: number;
	/** When the refusal before was over. */
	since: number;
	refusedAt: number;
	/** The pace that was kept to then, in requests a second. */
	pace: number;
}

/**
 * A rate estimate: the requests a second at which an API with a rate limit can be used. Unlimited until it
 * refuses for the first time, then approached from below.
 *
 * Between two refusals the API's allowance goes from used up to used up. What it accepted meanwhile,
 * divided by the time until it accepts again, is therefore a pace that it keeps up with; divided by the time
 * until it last refused, one that it may not keep up with. Which of the two is nearer to the truth
 * depends on how much it lets through at once after a rest, which is not documented, so the next try begins
 * near their geometric mean and climbs within seconds to the pace that was refused, the slower
 * the nearer it comes; then it probes further, ever faster, so that an old refusal does not count for
 * long. That is the curve of CUBIC (RFC 9438, section 4.1), which the "adaptive" retry mode of the AWS
 * SDKs applies to request rates too. docs/limiter.md shows it at work.
 *
 * Requests count when they are sent, not when they are answered: a gateway refuses at once, before the API
 * has answered what was sent earlier.
 */
export class Pace {
	/** Where the curve starts, in requests a second. */
	private start = Infinity;
	/** Its flat middle. */
	private refused = Infinity;
	private climbsFrom = 0;
	private recoveryMs = RECOVERY_MS;
	private sent = 0;
	private pausedMs = 0;
	private sample?: Sample;
	/** The fewest that were accepted between two refusals: at most so many are let through at once. */
	private mostAtOnce = Number.MAX_SAFE_INTEGER;
	/** Whether nothing has been accepted since the last sample. */
	private isExhausted = false;

	/** @param since when sending began, in milliseconds of the clock that all methods share */
	constructor(private since: number) {}

	/** Counts a request that is sent. */
	send(): void {
		this.sent++;
	}

	/** Takes back what {@link send} has counted, for a request that was refused or not sent after all. */
	takeBack(): void {
		this.sent--;
	}

	/** Notes that the API accepts again after a refusal. */
	resume(): void {
		this.isExhausted = false;
	}

	/**
	 * Leaves a rest out of account: a pace that was not used was not refused either.
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

	/** Slows down after a refusal, which {@link takeBack} has taken out of the count. */
	slowDown(refusal: Refusal): void {
		const { now, resumeAt } = refusal;
		const accepted = this.sent - refusal.sentSince;
		if (!this.sample || accepted >= LEAST_SAMPLE) {
			this.sample = this.sampleOf(refusal, Math.max(1, accepted));
			this.mostAtOnce = Math.min(this.mostAtOnce, this.sample.accepted);
			this.isExhausted = true;
		}
		if (this.isExhausted) this.estimate(this.sample, refusal);
		else this.pausedMs += resumeAt - now;
		this.climbsFrom = resumeAt;
		const quickMs = Math.min(QUICK_RECOVERY_MS, (QUICK_RECOVERY_REQUESTS * 1000) / this.refused);
		this.recoveryMs = refusal.isAsked ? RECOVERY_MS : quickMs;
	}

	/** How many requests may be sent at once at most, as far as is known. */
	get burst(): number {
		return this.mostAtOnce;
	}

	/** Requests a second that may be sent now; Infinity while no limit is known. */
	at(now: number): number {
		if (this.refused === Infinity) return Infinity;
		const progress = Math.max(0, now - this.climbsFrom) / this.recoveryMs;
		const gap = progress < 1 ? this.refused - this.start : FURTHER * this.refused;
		return this.refused + gap * (progress - 1) ** 3;
	}

	private sampleOf({ sentAt, now }: Refusal, accepted: number): Sample {
		const ms = Math.max(LEAST_SAMPLE_MS, sentAt - this.since - this.pausedMs);
		return { accepted, ms, since: this.since, refusedAt: now, pace: this.at(sentAt) };
	}

	private estimate(sample: Sample, { now, resumeAt, isAsked }: Refusal): void {
		const { accepted, ms, since, refusedAt, pace } = sample;
		const perSecond = (count: number, inMs: number) => (1000 * count) / Math.max(1, inMs);
		const tooFast = perSecond(accepted, ms + now - refusedAt);
		// Beyond what may have been let through at once, the rest came at the pace that the API keeps up with.
		const beyondBurst = perSecond(accepted - this.mostAtOnce, ms + now - refusedAt);
		const sustained = Math.max(perSecond(accepted, resumeAt - since), beyondBurst);
		// What was refused is at most what was allowed.
		const refused = Math.max(LEAST_PER_SECOND, Math.min(tooFast, pace));
		const backOff = isAsked ? BACK_OFF_WHEN_ASKED : BACK_OFF;
		const start = backOff * Math.min(Math.sqrt(sustained * tooFast), refused);
		this.start = Math.max(backOff * LEAST_PER_SECOND, start);
		this.refused = Math.min(refused, HIGHEST_CLIMB * this.start);
		this.since = resumeAt;
		this.sent = 0;
		this.pausedMs = 0;
	}
}
