// How long the curve takes to its flat middle after a refusal with Retry-After: long enough for few refusals, short
// enough to find a raised limit within seconds.
const RECOVERY_MS = 10_000;
// A guess can be far too low, so the curve leaves it sooner.
const GUESS_RECOVERY_MS = 7_000;
// The same after a refusal without Retry-After, which costs hardly more than one request: the time of so many requests,
// and at most this long, so that several processes soon share a limit evenly.
const QUICK_RECOVERY_REQUESTS = 100;
const QUICK_RECOVERY_MS = 2_000;
// Chance refuses below the estimate, too; a limit only above it. With fewer refusals than this among those hundred
// requests, the estimate is confirmed, and a higher rate is tried only as many requests later.
const CHANCE = 3;
// With bounds further apart than this factor, the middle between them is a guess.
const FAR_APART = 2;
// How far the curve is above its middle after twice that time, if no refused rate is known.
const FURTHER = 0.15;
// Where the curve starts, as a share of the estimate. RFC 9438 (section 4.6) takes 0.7 to share a line with others; a
// rate limit belongs to one caller. With Retry-After, each refusal costs a pause, so the start is lower.
const BACK_OFF = 0.95;
const BACK_OFF_WHEN_ASKED = 0.9;
// A rate measured over fewer requests is too inaccurate: refusals that are closer together count as one. Without
// Retry-After fewer are enough, because `Refusals` has ruled out chance already.
const LEAST_SAMPLE = 10;
const LEAST_SAMPLE_UNLESS_ASKED = 5;
// Requests sent within this time count as a burst: their distance in time says nothing about the rate.
const LEAST_SAMPLE_MS = 10;
const LEAST_PER_SECOND = 1;
/** How many of the last requests are kept one by one. */
const MOST_LOOKED_AT = 1_000;

/** A refusal that slows the caller down. Times in milliseconds. */
export interface Refusal {
	/** When the request was sent. */
	sentAt: number;
	now: number;
	/** When requests may be sent again: the end of the pause, or now. */
	resumeAt: number;
	/** Whether the API asked for the pause (Retry-After). */
	isAsked: boolean;
}

/** The requests that the API accepted between two refusals. */
class Sample {
	accepted = 0;
	/** When the last of them were sent. */
	private readonly sentAt: number[] = [];
	private firstAt?: number;

	/** @param since when the API accepted again, in milliseconds */
	constructor(public since: number) {}

	/** Milliseconds between sending the first and the last. */
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
	 * The highest accepted rate over any stretch that ends with the refusal.
	 *
	 * @param burst how many requests of a stretch may have been a burst; the others were within the rate limit
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

/** A sample that ended with a refusal. */
interface Ended {
	sample: Sample;
	/** Its duration in milliseconds, without pauses. */
	ms: number;
	refusedAt: number;
	/** The rate in use then, in requests per second; Infinity if no limit was known. */
	pace: number;
	/** The last refusal before the API accepted again. */
	last: Refusal;
}

/**
 * An estimate of the API's rate limit in requests per second. Unlimited until the API refuses for the first time, then
 * approached from below.
 *
 * At two successive refusals the API's allowance is used up. The number of requests accepted in between gives a lower
 * bound of the limit, divided by the time until the API accepts again, and an upper one, divided by the time until the
 * last refusal. The burst that the API accepts after a rest is not documented; it is at most the smallest number of
 * requests accepted between two refusals. The estimate is the geometric mean of the bounds. The rate starts just below
 * it, approaches it within seconds, and then rises faster and faster, so that an old refusal does not count for long:
 *
 *     progress = (now - resumed) / recovery
 *     rate     = middle + (middle - start) * (progress - 1)^3    before the middle
 *     rate     = middle + (high - middle)  * (progress - 1)^3    after it
 *
 * Without Retry-After and with hardly any refusal before the middle, the rate stays there for as long again. This is the
 * curve of CUBIC (RFC 9438, section 4.1), which the "adaptive" retry mode of the AWS SDKs applies to request rates,
 * too. docs/limiter.md has a diagram.
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
	/** Whether the bounds are close, and the way to the estimate has enough requests to tell a limit from chance. */
	private isCertain = false;
	/** How many of those requests were refused. */
	private refusedOnTheWay = 0;
	private sample: Sample;
	/** Milliseconds of the present sample in which nothing could be sent. */
	private pausedMs = 0;
	private ended?: Ended;
	/** The smallest number of requests accepted between two refusals: an upper bound of the burst. */
	private mostAtOnce = Number.MAX_SAFE_INTEGER;
	/** Whether no request has been accepted since the last sample ended. */
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
		// It was in flight during the slowdown, so it belongs to an earlier sample.
		if (!this.isExhausted) return;
		this.ended.sample.remove(sentAt);
		this.estimate(this.ended);
	}

	/** Notes the refusal of a request that {@link send} has counted. */
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
	 * Leaves out a rest, because a rate that was not used was not refused either.
	 *
	 * @param ms milliseconds until now in which there was nothing to send
	 */
	skip(ms: number): void {
		this.sample.since += ms;
	}

	/**
	 * Leaves out a pause for overload; the curve stands still meanwhile. While no limit is known, a new sample begins
	 * after it, because the API's burst is available again by then.
	 *
	 * @param ms milliseconds of the pause, from now on
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

	/** The known upper bound of the burst. */
	get burst(): number {
		return this.mostAtOnce;
	}

	/** The rate at a time, in requests per second; Infinity while no limit is known. */
	at(now: number): number {
		if (this.middle === Infinity) return Infinity;
		const progress = this.progressAt(now);
		const gap = progress < 1 ? this.middle - this.start : this.high - this.middle;
		return this.middle + gap * (progress - 1) ** 3;
	}

	/** The position on the curve: 1 is its middle, 2 where it reaches the upper bound. */
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
		// Retry-After has whole seconds: a few accepted requests per pause say little about the rate.
		const accepted = Math.max(isAsked ? LEAST_SAMPLE : 1, sample.accepted);
		const untilRefused = ms + now - refusedAt;
		const tooFast = perSecond(accepted, untilRefused);
		const keptUp = Math.max(
			perSecond(accepted, Math.max(untilRefused, resumeAt - sample.since)),
			sample.perSecondBeyond(this.mostAtOnce, now),
		);
		// If the rate was below the limit at first, the average is no upper bound; the refused rate is.
		const refused = tooFast < keptUp && pace < Infinity ? pace : Math.min(tooFast, pace);
		const isFirst = isAsked && pace === Infinity;
		const between = isFirst ? firstGuess(accepted, sample, last) : Math.sqrt(keptUp * refused);
		const mean = Math.max(LEAST_PER_SECOND, Math.min(between, refused));
		const isGuess = refused > FAR_APART * keptUp;
		// With Retry-After a refusal costs a pause, so a guess starts lower.
		const estimate = isAsked && isGuess ? BACK_OFF * mean : mean;
		this.start = (isAsked ? BACK_OFF_WHEN_ASKED : BACK_OFF) * estimate;
		this.middle = isAsked && !isGuess ? Math.max(mean, refused) : estimate;
		this.high = Math.max(refused, (1 + FURTHER) * this.middle);
		this.recoveryMs = isAsked ? askedRecoveryMs(isGuess) : quickRecoveryMs(isGuess, mean);
		this.isCertain = !isAsked && !isGuess && this.recoveryMs < QUICK_RECOVERY_MS;
	}
}

// The first refusal with Retry-After tells little more than how many requests were accepted. The burst among them may
// be refilled in anything between a moment and the pause. The others were sent at some rate, in the time in which they
// were sent, less n8n's own delay at the beginning.
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
