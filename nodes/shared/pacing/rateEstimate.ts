// How long the curve takes to come to its flat middle where the API names a pause: long enough for few refusals,
// short enough to find within seconds that an API lets more through than before.
const RECOVERY_MS = 10_000;
// A guess can be far too low, so that it is left sooner.
const GUESS_RECOVERY_MS = 7_000;
// The same where the API names no pause, so that a refusal costs hardly more than itself: as long as so many
// requests take, and no longer than this, so that several processes soon share a limit evenly.
const QUICK_RECOVERY_REQUESTS = 100;
const QUICK_RECOVERY_MS = 2_000;
// Chance refuses on the way to the estimate, too; a limit only what is above it. With fewer refusals than this among
// those hundred requests the estimate holds, and a higher rate is tried as many requests later.
const CHANCE = 3;
// With bounds further apart than this, the middle between them is little more than a guess.
const FAR_APART = 2;
// How much above its middle the curve is after twice that time, where no higher rate is known to be refused.
const FURTHER = 0.15;
// Where it starts, as a share of the estimate. RFC 9438 (section 4.6) takes 0.7 to share a line with strangers; a
// limit is one's own. Where the API names a pause, each refusal costs that pause.
const BACK_OFF = 0.95;
const BACK_OFF_WHEN_ASKED = 0.9;
// A rate measured over fewer requests than this says little. Refusals that follow each other more closely are
// taken together, so that some that have nothing to do with the rate do not bring it down. Without a named pause,
// `Refusals` has told them from chance already.
const LEAST_SAMPLE = 10;
const LEAST_SAMPLE_UNLESS_ASKED = 5;
// What is sent within a moment is sent at once: how long the moment was says nothing.
const LEAST_SAMPLE_MS = 10;
const LEAST_PER_SECOND = 1;
/** How many of the last requests are looked at one by one. */
const MOST_LOOKED_AT = 1_000;

/** A refusal that slows down what follows. Times in milliseconds. */
export interface Refusal {
	/** When the request was sent. */
	sentAt: number;
	now: number;
	/** When requests may be sent again: the end of the pause, or now. */
	resumeAt: number;
	/** Whether the API named the pause. */
	isAsked: boolean;
}

/** What was accepted from when the API accepted again until it refused. */
class Sample {
	accepted = 0;
	/** When the last of those were sent. */
	private readonly sentAt: number[] = [];
	private firstAt?: number;

	/** @param since when the API accepted again, in milliseconds */
	constructor(public since: number) {}

	/** Milliseconds from when the first was sent until the last was. */
	get spanMs(): number {
		const last = this.sentAt.at(-1);
		return last === undefined || this.firstAt === undefined ? 0 : last - this.firstAt;
	}

	add(now: number): void {
		this.firstAt ??= now;
		this.accepted++;
		this.sentAt.push(now);
		if (this.sentAt.length >= 2 * MOST_LOOKED_AT) this.sentAt.splice(0, MOST_LOOKED_AT);
	}

	remove(sentAt: number): void {
		this.accepted--;
		const index = this.sentAt.lastIndexOf(sentAt);
		if (index >= 0) this.sentAt.splice(index, 1);
	}

	/**
	 * The highest rate that was kept up with over any stretch that ends with the refusal.
	 *
	 * @param burst how many of a stretch may have been let through at once; the others came at the rate allowed
	 */
	perSecondBeyond(burst: number, refusedAt: number): number {
		let most = 0;
		for (let count = burst + LEAST_SAMPLE; count <= this.sentAt.length; count++) {
			const ms = refusedAt - this.sentAt[this.sentAt.length - count];
			most = Math.max(most, perSecond(count - burst, ms));
		}
		return most;
	}
}

/** A sample that has ended with a refusal. */
interface Ended {
	sample: Sample;
	/** Milliseconds that it lasted, without pauses. */
	ms: number;
	refusedAt: number;
	/** The rate that was kept to then, in requests a second; Infinity where no limit was known. */
	pace: number;
	/** The last refusal before the API accepted again. */
	last: Refusal;
}

/**
 * A rate estimate: the requests a second at which an API with a rate limit can be used. Unlimited until it
 * refuses for the first time, then approached from below.
 *
 * Between two refusals the API's allowance goes from used up to used up. What it accepted meanwhile gives two
 * bounds: divided by the time until it accepts again, a rate that it keeps up with; divided by the time until it
 * last refused, one that it may not keep up with. What it lets through at once after a rest is not documented, but
 * never more than the fewest that were accepted between two refusals. The estimate is the geometric mean of the
 * bounds. Sending goes on just below it, comes close within seconds, the slower the nearer, then probes
 * further, ever faster, so that an old refusal does not count for long:
 *
 *     progress = (now - resumed) / recovery
 *     rate     = middle + (middle - start) * (progress - 1)^3    before the middle
 *     rate     = middle + (high - middle)  * (progress - 1)^3    after it
 *
 * Where no pause is named and hardly anything was refused before the middle, the middle lasts as long as the way to it.
 * That is the curve of CUBIC (RFC 9438, section 4.1), which the "adaptive" retry mode of the AWS
 * SDKs applies to request rates too. docs/limiter.md shows it at work.
 *
 * Requests count when they are sent, not when they are answered: a gateway refuses at once, before the API
 * has answered what was sent earlier.
 */
export class RateEstimate {
	private start = Infinity;
	private middle = Infinity;
	private high = Infinity;
	private climbsFrom = 0;
	private recoveryMs = RECOVERY_MS;
	/** Whether the bounds are close, and enough requests lead to the estimate to tell a limit from chance. */
	private isCertain = false;
	/** How many of those requests were refused. */
	private refusedOnTheWay = 0;
	private sample: Sample;
	/** Of the present sample, milliseconds in which nothing might be sent. */
	private pausedMs = 0;
	private ended?: Ended;
	/** The fewest that were accepted between two refusals: at most so many are let through at once. */
	private mostAtOnce = Number.MAX_SAFE_INTEGER;
	/** Whether nothing has been accepted since the sample that has ended. */
	private isExhausted = false;

	/** @param since when sending began, in milliseconds of the clock that all methods share */
	constructor(since: number) {
		this.sample = new Sample(since);
	}

	/** Counts a request that is sent. */
	send(now: number): void {
		this.sample.add(now);
	}

	/** Takes back what {@link send} has counted, for a request that was not sent after all. */
	takeBack(sentAt: number): void {
		if (!this.ended || sentAt > this.ended.refusedAt) return this.sample.remove(sentAt);
		// It was on its way when all was slowed down.
		if (!this.isExhausted) return;
		this.ended.sample.remove(sentAt);
		this.estimate(this.ended);
	}

	/** Notes a refusal, by chance or not, of a request that {@link send} has counted. */
	refuse(sentAt: number): void {
		this.takeBack(sentAt);
		const progress = (sentAt - this.climbsFrom) / this.recoveryMs;
		if (progress > 0 && progress < 1) this.refusedOnTheWay++;
	}

	/** Notes that the API accepts again after a refusal. */
	resume(): void {
		this.isExhausted = false;
	}

	/**
	 * Leaves a rest out of account: a rate that was not used was not refused either.
	 *
	 * @param ms in which nothing was to be sent, just before
	 */
	skip(ms: number): void {
		this.sample.since += ms;
	}

	/**
	 * Leaves a pause out of account that was not about the rate; nothing is probed meanwhile either. While no limit is
	 * known, counting begins again after it: what an API allows at once is whole again by then.
	 *
	 * @param ms of the pause, from now on
	 * @param resumeAt when it ends
	 */
	hold(ms: number, resumeAt: number): void {
		if (ms > 0 && this.middle === Infinity) this.sample = new Sample(resumeAt);
		else this.sample.since += ms;
		this.climbsFrom += ms;
	}

	/** Slows down after a refusal that {@link refuse} has noted. */
	slowDown(refusal: Refusal): void {
		const { now, resumeAt, isAsked } = refusal;
		const least = isAsked ? LEAST_SAMPLE : LEAST_SAMPLE_UNLESS_ASKED;
		if (!this.ended || this.sample.accepted >= least) this.end(refusal);
		this.climbsFrom = resumeAt;
		this.refusedOnTheWay = 0;
		if (!this.ended || !this.isExhausted) {
			this.pausedMs += resumeAt - now;
			return;
		}
		this.ended.last = refusal;
		this.estimate(this.ended);
		this.sample = new Sample(resumeAt);
		this.pausedMs = 0;
	}

	/** How many requests may be sent at once at most, as far as is known. */
	get burst(): number {
		return this.mostAtOnce;
	}

	/** Requests a second that may be sent now; Infinity while no limit is known. */
	at(now: number): number {
		if (this.middle === Infinity) return Infinity;
		const progress = this.progressAt(now);
		const gap = progress < 1 ? this.middle - this.start : this.high - this.middle;
		return this.middle + gap * (progress - 1) ** 3;
	}

	/** How far along the curve: 1 is its middle, 2 where it comes to the upper bound. */
	private progressAt(now: number): number {
		const progress = Math.max(0, now - this.climbsFrom) / this.recoveryMs;
		const isKept = this.isCertain && this.refusedOnTheWay < CHANCE;
		return isKept && progress > 1 ? Math.max(1, progress - 1) : progress;
	}

	private end(refusal: Refusal): void {
		const { sentAt, now } = refusal;
		const { sample } = this;
		const ms = sentAt - sample.since - this.pausedMs;
		this.ended = {
			sample,
			ms: Math.max(LEAST_SAMPLE_MS, ms),
			refusedAt: now,
			pace: this.at(sentAt),
			last: refusal,
		};
		this.isExhausted = true;
	}

	private estimate({ sample, ms, refusedAt, pace, last }: Ended): void {
		const { now, resumeAt, isAsked } = last;
		this.mostAtOnce = Math.max(1, Math.min(this.mostAtOnce, sample.accepted));
		// A named pause is of whole seconds: how many were accepted per pause says little where they were few.
		const accepted = Math.max(isAsked ? LEAST_SAMPLE : 1, sample.accepted);
		const untilRefused = ms + now - refusedAt;
		const tooFast = perSecond(accepted, untilRefused);
		const keptUp = Math.max(
			perSecond(accepted, Math.max(untilRefused, resumeAt - sample.since)),
			sample.perSecondBeyond(this.mostAtOnce, now),
		);
		// Where less was sent than allowed at first, the average is no upper bound; the rate refused in the end is.
		const refused = tooFast < keptUp && pace < Infinity ? pace : Math.min(tooFast, pace);
		const isFirst = isAsked && pace === Infinity;
		const between = isFirst ? firstGuess(accepted, sample, last) : Math.sqrt(keptUp * refused);
		const mean = Math.max(LEAST_PER_SECOND, Math.min(between, refused));
		const isGuess = refused > FAR_APART * keptUp;
		// A refusal that names a pause costs it, so a guess is put lower then.
		const estimate = isAsked && isGuess ? BACK_OFF * mean : mean;
		this.start = (isAsked ? BACK_OFF_WHEN_ASKED : BACK_OFF) * estimate;
		this.middle = isAsked && !isGuess ? Math.max(mean, refused) : estimate;
		this.high = Math.max(refused, (1 + FURTHER) * this.middle);
		this.recoveryMs = isAsked ? askedRecoveryMs(isGuess) : quickRecoveryMs(isGuess, mean);
		this.isCertain = !isAsked && !isGuess && this.recoveryMs < QUICK_RECOVERY_MS;
	}
}

// Where the API names a pause, its first refusal tells little more than how many it accepted. Some were let through at
// once, which takes no time: as many may come in anything between a moment and each pause. The others came at the rate,
// in the time in which they were sent, less what n8n's own beginning took of it.
function firstGuess(
	accepted: number,
	{ spanMs, since }: Sample,
	{ now, resumeAt }: Refusal,
): number {
	const atOnceMs = Math.sqrt(LEAST_SAMPLE_MS * (resumeAt - now));
	return perSecond(accepted, atOnceMs + Math.min(spanMs, now - since));
}

function askedRecoveryMs(isGuess: boolean): number {
	return isGuess ? GUESS_RECOVERY_MS : RECOVERY_MS;
}

function quickRecoveryMs(isGuess: boolean, estimate: number): number {
	const requests = isGuess ? LEAST_SAMPLE : QUICK_RECOVERY_REQUESTS;
	return Math.min(QUICK_RECOVERY_MS, (1_000 * requests) / estimate);
}

function perSecond(count: number, ms: number): number {
	return (1_000 * count) / Math.max(LEAST_SAMPLE_MS, ms);
}
