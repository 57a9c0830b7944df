import type { Limiter, Pauses } from '../pacing';

// Shown with one decimal.
const LEAST_TOLD_SECONDS = 0.05;

/** What the rate limit and the retries did to one run, for n8n's log and the hint beside the output. */
export class ThrottleReport {
	/** Requests that were retried. */
	retried = 0;
	private before: Pauses;

	/** @param limiter of the API, which other runs use as well */
	constructor(private readonly limiter: Limiter) {
		this.before = limiter.pauses;
	}

	/**
	 * @returns what happened since the last call, as a sentence without its full stop; undefined when
	 * nothing did
	 */
	tell(): string | undefined {
		const { retried, before, limiter } = this;
		const { count, totalMs } = limiter.pauses;
		this.retried = 0;
		this.before = { count, totalMs };
		const parts: string[] = [];
		if (retried > 0) parts.push(`${times(retried, 'request')} sent again`);
		const seconds = (totalMs - before.totalMs) / 1000;
		if (seconds >= LEAST_TOLD_SECONDS) {
			const pauses = Math.max(1, count - before.count);
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
