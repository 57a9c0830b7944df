import type { Limiter, Pauses } from '../limiter';

// Shown with one decimal.
const LEAST_TOLD_SECONDS = 0.05;

/** What the rate limit and the retries did to one run, for n8n's log, the hint beside the output, and tracing. */
export class ThrottleReport {
	/** Requests that were sent, retries included. */
	sent = 0;
	/** Of these, the ones that the API refused because of load: 429 and 503. */
	refused = 0;
	/** Requests that were retried. */
	retried = 0;
	private readonly before: Pauses;

	/** @param limiter of the API, which other runs use as well */
	constructor(private readonly limiter: Limiter) {
		this.before = limiter.pauses;
	}

	/** Seconds in which nothing was sent because the API had refused a request. */
	get pausedSeconds(): number {
		return (this.limiter.pauses.totalMs - this.before.totalMs) / 1000;
	}

	/** @returns what happened, as a sentence without its full stop; undefined when nothing did */
	tell(): string | undefined {
		const { retried, before, limiter, pausedSeconds: seconds } = this;
		const parts: string[] = [];
		if (retried > 0) parts.push(`${times(retried, 'request')} sent again`);
		if (seconds >= LEAST_TOLD_SECONDS) {
			const pauses = Math.max(1, limiter.pauses.count - before.count);
			parts.push(`${times(pauses, 'pause')}, ${seconds.toFixed(1)} s in total`);
		}
		if (parts.length === 0) return undefined;
		if (limiter.perSecond < Infinity) {
			parts.push(`now sending about ${Math.ceil(limiter.perSecond)} requests a second`);
		}
		return parts.join('; ');
	}
}

function times(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}
