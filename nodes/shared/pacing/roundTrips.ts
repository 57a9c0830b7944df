/** How many answers tell enough: RFC 9406 takes eight, from one line; a community's answers vary more. */
export const LEAST_ANSWERS = 16;

// Below this the time goes into opening connections and into this process, not into the API.
const LEAST_BASE_MS = 5;
// A base that has not been met again for as many rounds may not hold any more.
const ROUNDS_WITHOUT_BASE = 30;
// Where rounds call for fewer requests and nothing gets faster, that is found out sooner.
const DOUBT_OF_BUSY_ROUND = 6;
// Within a tenth it has been met; more than by half it has risen.
const MET = 1.1;
const RISEN = 1.5;

/** How long an answer took in milliseconds, and among how many requests in flight, itself included, it was sent. */
export interface RoundTrip {
	rtt: number;
	inFlight: number;
}

/**
 * The round trips of one kind of request, in rounds of about as many as are in flight: the second least of each
 * round, because once in a while one answer comes from a cache, and the base, which is what they take without load.
 */
export class RoundTrips {
	private rttNoLoad = Infinity;
	private least?: RoundTrip;
	private second?: RoundTrip;
	private count = 0;
	private doubt = 0;
	private length = LEAST_ANSWERS;

	/** @param limit how many may be in flight */
	constructor(limit: number) {
		this.begin(limit);
	}

	/** Begins a round. @param limit how many may be in flight; as many answers are a round */
	begin(limit: number): void {
		this.least = undefined;
		this.second = undefined;
		this.count = 0;
		this.length = Math.max(LEAST_ANSWERS, limit);
	}

	/** Notes an answer of the present round. */
	note(roundTrip: RoundTrip): void {
		this.count++;
		if (this.least === undefined || roundTrip.rtt < this.least.rtt) {
			this.second = this.least;
			this.least = roundTrip;
		} else if (this.second === undefined || roundTrip.rtt < this.second.rtt) {
			this.second = roundTrip;
		}
	}

	/** Notes an answer that may have been held up by something else: only if it was fast, that tells something. */
	noteBase(rtt: number): void {
		this.rttNoLoad = Math.min(this.rttNoLoad, rtt);
	}

	/** The second least of the present round. */
	get low(): RoundTrip {
		return this.second ?? this.least ?? { rtt: Infinity, inFlight: 0 };
	}

	/** Whether the round has enough answers to be judged. */
	get isOver(): boolean {
		return this.count >= this.length;
	}

	/** Whether there are enough answers for the base. */
	get hasEnough(): boolean {
		return this.count >= LEAST_ANSWERS;
	}

	/** Ends the round, the low of which counts for the base. */
	settle(isBusy: boolean): void {
		this.noteBase(this.low.rtt);
		const isMet = this.low.rtt <= MET * Math.max(LEAST_BASE_MS, this.rttNoLoad);
		this.doubt = isMet ? 0 : this.doubt + (isBusy ? DOUBT_OF_BUSY_ROUND : 1);
	}

	/** Whether the base should be measured again. */
	get isDoubtful(): boolean {
		return this.doubt >= ROUNDS_WITHOUT_BASE;
	}

	/**
	 * Takes the round, which was one without a queue, for the base, if it has enough answers. Where that has
	 * fallen, there was still a queue before and may be one now: it is soon measured again.
	 *
	 * @returns whether the base has risen
	 */
	renew(): boolean {
		const before = this.rttNoLoad;
		if (this.hasEnough) this.rttNoLoad = this.low.rtt;
		const hasFallen = MET * this.rttNoLoad < before;
		this.doubt = hasFallen ? ROUNDS_WITHOUT_BASE - DOUBT_OF_BUSY_ROUND : 0;
		return this.rttNoLoad > RISEN * before;
	}

	/** By Little's law, which share of those in flight waited at the API where a round trip took as long. */
	queueShare(rtt: number): number {
		const base = Math.max(LEAST_BASE_MS, Math.min(this.rttNoLoad, this.low.rtt));
		return 1 - base / Math.max(base, rtt);
	}
}
