/** The least answers of a round: RFC 9406 takes eight, on one line; a community's answers vary more. */
export const LEAST_ANSWERS = 16;

// Shorter times are spent on opening connections and in this process, not in the API.
const LEAST_BASE_MS = 5;
// A base that no round has reached for as many rounds may be out of date.
const ROUNDS_WITHOUT_BASE = 30;
// A round that lowers the limit and does not reach the base counts as so many.
const DOUBT_OF_BUSY_ROUND = 6;
// A round reaches the base within a tenth of it; a base has risen if it grew by more than half.
const MET = 1.1;
const RISEN = 1.5;

/** How long an answer took, in milliseconds, and how many requests were in flight, including its own. */
export interface RoundTrip {
	rtt: number;
	inFlight: number;
}

/**
 * The round trips of one kind of request, in rounds of about as many answers as requests in flight: the second shortest
 * of each round, because occasionally an answer comes from a cache, and the base, which is the round trip without load.
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

	/** Notes an answer that n8n may have delayed: it only counts if it was fast. */
	noteBase(rtt: number): void {
		this.rttNoLoad = Math.min(this.rttNoLoad, rtt);
	}

	/** The second shortest round trip of the present round. */
	get low(): RoundTrip {
		return this.second ?? this.least ?? { rtt: Infinity, inFlight: 0 };
	}

	/** Whether the round has enough answers to update the limit. */
	get isOver(): boolean {
		return this.count >= this.length;
	}

	/** Whether the round has enough answers to set the base. */
	get hasEnough(): boolean {
		return this.count >= LEAST_ANSWERS;
	}

	/** Ends the round; its second shortest round trip may lower the base. */
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
	 * Sets the base from the round, which had no queue, if it has enough answers. If the base fell, there was a queue
	 * before and may be one now: it is soon measured again.
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

	/** The share of the requests in flight that queued at the API, from the round trip (Little's law). */
	queueShare(rtt: number): number {
		const base = Math.max(LEAST_BASE_MS, Math.min(this.rttNoLoad, this.low.rtt));
		return 1 - base / Math.max(base, rtt);
	}
}
