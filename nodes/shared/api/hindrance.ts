import type { Limiter, Pauses } from '../pacing';

// Told with one digit behind the point.
const LEAST_TOLD_SECONDS = 0.05;

/** How an API hindered one run: what n8n's log and the hint beside the output say of it. */
export class Hindrance {
	/** Requests that were sent again. */
	repeated = 0;
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
		const { repeated, before, limiter } = this;
		const { count, totalMs } = limiter.pauses;
		this.repeated = 0;
		this.before = { count, totalMs };
		const parts: string[] = [];
		if (repeated > 0) parts.push(`${times(repeated, 'request')} had to be sent again`);
		const seconds = (totalMs - before.totalMs) / 1000;
		if (seconds >= LEAST_TOLD_SECONDS) {
			const pauses = Math.max(1, count - before.count);
			parts.push(
				`everything was held for ${times(pauses, 'pause')}, ${seconds.toFixed(1)} s in all`,
			);
		}
		if (parts.length === 0) return undefined;
		if (limiter.perSecond < Infinity) {
			parts.push(`the pace is now kept to about ${Math.ceil(limiter.perSecond)} requests a second`);
		}
		return parts.join('; ');
	}
}

function times(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}
