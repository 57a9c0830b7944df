// As TCP's initial window (RFC 6928): harmless to a small server, and enough for short runs.
const INITIAL = 10;

/** How many requests may be in flight: slow start, then additive increase and multiplicative decrease (AIMD, as TCP). */
export class Concurrency {
	private limit = INITIAL;
	private isSlowStart = true;

	get atOnce(): number {
		return Math.floor(this.limit);
	}

	/** Notes a request that was carried out. Only a limit that is reached grows (RFC 7661). */
	accepted(inFlight: number, max: number): void {
		if (inFlight < this.atOnce) return;
		this.limit = Math.min(max, this.limit + (this.isSlowStart ? 1 : 1 / this.limit));
	}

	/** Call it once for all requests that were in flight. */
	refused(inFlight: number): void {
		this.isSlowStart = false;
		this.limit = Math.max(1, Math.min(this.limit, inFlight) / 2);
	}
}
