// TCP begins with ten, too (RFC 6928): few enough not to harm, enough for short runs.
const FIRST = 10;

/**
 * How many requests may be in flight at once, as TCP finds it (RFC 5681): doubled with each round trip
 * at first (slow start), one more with each later (congestion avoidance), halved when refused. Netflix's
 * concurrency-limits does the same for requests under the name of AIMD.
 */
export class Window {
	private width = FIRST;
	private isDoubling = true;

	/** How many may be in flight, at least 1. */
	get size(): number {
		return Math.floor(this.width);
	}

	/**
	 * Notes that the API kept up. What was not tried out proves nothing, so only a full window grows
	 * (RFC 7661).
	 *
	 * @param inFlight how many were in flight, this one included
	 * @param max the most that are wanted
	 */
	widen(inFlight: number, max: number): void {
		if (inFlight < this.size || this.width >= max) return;
		this.width += this.isDoubling ? 1 : 1 / this.width;
	}

	/**
	 * Notes that the API could not keep up; once for all that was in flight then. Half of that is kept,
	 * which can be less than half of what would have been allowed (RFC 5681, section 3.1).
	 *
	 * @param inFlight how many were in flight, this one included
	 */
	halve(inFlight: number): void {
		this.width = Math.max(1, Math.min(this.width, inFlight) / 2);
		this.isDoubling = false;
	}
}
