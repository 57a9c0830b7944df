// At least so many of the requests that follow a refusal have to be refused, and more than half of them.
const ENOUGH = 3;

/**
 * Tells a limit from chance if refusals have `Retry-After`. During the pause, only requests already in flight can follow
 * the refusal. A limit refuses most of them, and chance refuses few.
 */
export class Followers {
	private sent = 0;
	private refused = 0;
	private sentBeforePause = 0;
	private firstRefused = 0;

	/** Whether a request was sent before the last pause. Requests are numbered in the order of sending. */
	isLate(position: number): boolean {
		return position <= this.sentBeforePause;
	}

	/** Notes a refusal with `Retry-After`, and the number of requests sent so far. Returns whether it is due to a limit. */
	isLimit(position: number, sent: number): boolean {
		if (this.isLate(position)) this.refused++;
		else {
			if (2 * this.refused <= this.sent) this.forget();
			this.firstRefused = this.sentBeforePause = sent;
		}
		// Refusals do not arrive in the order of the requests.
		this.sent += Math.max(0, this.firstRefused - position);
		this.firstRefused = Math.min(this.firstRefused, position);
		return this.refused >= ENOUGH && 2 * this.refused > this.sent;
	}

	forget(): void {
		this.sent = this.refused = 0;
	}
}
