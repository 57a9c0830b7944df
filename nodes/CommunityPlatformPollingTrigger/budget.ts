import { Failure } from '../shared/failures/failure';
import { Stop, wait } from '../shared/pacing';

// What is left of the time is for handing over what was found.
const USABLE = 0.9;

/** The time that one poll may take, from when it is made. */
export class Budget {
	/** Stopped when the time is used up. */
	readonly stop = new Stop();
	private readonly ended = new Stop();
	private readonly startedAt = performance.now();
	private longestMs = 0;
	/** Whether the poll goes on from an earlier one, so that none is missed when the time is not enough. */
	isGoingOn = false;

	/** @param ms milliseconds after which n8n gives the poll up */
	constructor(private readonly ms: number) {
		void wait(ms * USABLE, this.ended).then(() => {
			if (!this.ended.isStopped) this.stop.stop();
		});
	}

	/** Milliseconds until the time is used up. */
	get leftMs(): number {
		return this.startedAt + this.ms * USABLE - performance.now();
	}

	/** Takes note of how long a page takes. */
	async timed<T>(page: Promise<T>): Promise<T> {
		const askedAt = performance.now();
		try {
			return await page;
		} finally {
			this.longestMs = Math.max(this.longestMs, performance.now() - askedAt);
		}
	}

	/** To be called when the poll has ended. */
	end(): void {
		this.ended.stop();
	}

	/**
	 * What the user is told when the time was not enough.
	 *
	 * @param refusal what the request under way was waiting for; undefined where it just took long
	 */
	failure(refusal?: Failure): Failure {
		const next = this.isGoingOn
			? 'No member is missed: the next poll goes on where the last one stopped. '
			: '';
		const reason = refusal ? ` The last attempt ended with: "${refusal.message}".` : '';
		return new Failure(
			`The API did not answer within the ${seconds(this.ms * USABLE)} that a poll may take`,
			`${next}One page of members took ${seconds(this.longestMs)}.${reason} If this keeps happening, poll less often, or tell the operators of the community.`,
			refusal?.details,
			refusal?.backOff ?? { cause: 'temporarily-unavailable' },
		);
	}
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}
