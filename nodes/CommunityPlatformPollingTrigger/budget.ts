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

	/** @param ms milliseconds after which n8n gives the poll up */
	constructor(private readonly ms: number) {
		void wait(ms * USABLE, this.ended).then(() => {
			if (!this.ended.isStopped) this.stop.stop();
		});
	}

	/** Whether there is time for more: the other half is left for requests that have to be repeated. */
	get isAmple(): boolean {
		return performance.now() - this.startedAt < this.ms / 2;
	}

	/** Milliseconds until the time is used up. */
	get leftMs(): number {
		return this.startedAt + this.ms * USABLE - performance.now();
	}

	/** How many pages one after another fit into half of what is left, if all are as slow as the slowest. */
	get pages(): number {
		return Math.floor(this.leftMs / 2 / Math.max(1, this.longestMs));
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
		const reason = refusal ? ` The last attempt ended with: "${refusal.message}".` : '';
		return new Failure(
			`The API did not answer within the ${seconds(this.ms * USABLE)} that a poll may take`,
			`Nobody is missed: the next poll continues where the last one stopped. One page of members took ${seconds(this.longestMs)}.${reason} If this keeps happening, poll less often, or tell the operators of the community.`,
			refusal?.details,
			refusal?.backOff ?? { cause: 'temporarily-unavailable' },
		);
	}
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}
