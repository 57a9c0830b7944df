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

/** How long an answer took, and among how many requests in flight, itself included, it was sent. */
export interface RoundTrip {
	ms: number;
	among: number;
}

/**
 * How long the answers to one kind of request take: in rounds of about as many as are in flight, the
 * least of each, and the base, which is what they take where nothing has to wait.
 */
export class RoundTrips {
	private baseMs = Infinity;
	private least?: RoundTrip;
	private secondLeast?: RoundTrip;
	private count = 0;
	private doubt = 0;
	private length = LEAST_ANSWERS;

	/** Begins a round. @param inFlight how many there may be; as many answers are a round */
	begin(inFlight: number): void {
		this.least = undefined;
		this.secondLeast = undefined;
		this.count = 0;
		this.length = Math.max(LEAST_ANSWERS, inFlight);
	}

	/** Notes an answer of the present round. */
	note(roundTrip: RoundTrip): void {
		this.count++;
		if (this.least === undefined || roundTrip.ms < this.least.ms) {
			this.secondLeast = this.least;
			this.least = roundTrip;
		} else if (this.secondLeast === undefined || roundTrip.ms < this.secondLeast.ms) {
			this.secondLeast = roundTrip;
		}
	}

	/** Notes an answer that may have been held up by something else: only if it was fast, that tells something. */
	noteBase(ms: number): void {
		this.baseMs = Math.min(this.baseMs, ms);
	}

	/**
	 * The least of the present round: the second one, because once in a while one answer comes from a cache, or
	 * finds the queue empty.
	 */
	get low(): RoundTrip | undefined {
		return this.secondLeast ?? this.least;
	}

	/** Whether the round has enough answers to be judged. */
	get isOver(): boolean {
		return this.count >= this.length;
	}

	/** Whether there are enough answers for the base. */
	get hasEnough(): boolean {
		return this.count >= LEAST_ANSWERS;
	}

	/** Ends the round, the least of which counts for the base. */
	settle(low: RoundTrip, isBusy: boolean): void {
		this.noteBase(low.ms);
		const isMet = low.ms <= MET * Math.max(LEAST_BASE_MS, this.baseMs);
		this.doubt = isMet ? 0 : this.doubt + (isBusy ? DOUBT_OF_BUSY_ROUND : 1);
	}

	/** Whether the base should be measured anew. */
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
		const before = this.baseMs;
		if (this.low && this.hasEnough) this.baseMs = this.low.ms;
		const hasFallen = MET * this.baseMs < before;
		this.doubt = hasFallen ? ROUNDS_WITHOUT_BASE - DOUBT_OF_BUSY_ROUND : 0;
		return this.baseMs > RISEN * before;
	}

	/**
	 * How many of the requests in flight were waiting at the API rather than being worked on, by Little's
	 * law: in flight times (1 - base / round trip).
	 */
	queueOf({ ms, among }: RoundTrip): number {
		const base = Math.max(LEAST_BASE_MS, Math.min(this.baseMs, this.low?.ms ?? Infinity));
		return among * (1 - base / Math.max(base, ms));
	}
}
