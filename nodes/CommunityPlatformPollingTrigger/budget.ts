import { Failure } from '../shared/transport/failure';
import { Stop, wait } from '../shared/limiter';

// The rest of the time is for handing over the items.
const USABLE = 0.9;

/** The time limit of one poll, which begins when this is created. Its end cancels the poll's requests. */
export class Budget {
	/** Cancels the poll's requests; stopped when the time is over. */
	readonly stop = new Stop();
	private readonly ended = new Stop();
	private readonly startedAt = performance.now();
	private longestMs = 0;
	/** Whether the poll continues an earlier one, so that no member is missed when the time is over. */
	isGoingOn = false;

	/** @param ms milliseconds after which n8n ends the poll */
	constructor(private readonly ms: number) {
		void wait(ms * USABLE, this.ended).then(() => {
			if (!this.ended.isStopped) this.stop.stop();
		});
	}

	/** Milliseconds until the time is over. */
	get leftMs(): number {
		return this.startedAt + this.ms * USABLE - performance.now();
	}

	/** Measures how long a page takes. */
	async timed<T>(page: Promise<T>): Promise<T> {
		const askedAt = performance.now();
		try {
			return await page;
		} finally {
			this.longestMs = Math.max(this.longestMs, performance.now() - askedAt);
		}
	}

	/** Call this when the poll has ended. */
	end(): void {
		this.ended.stop();
	}

	/**
	 * The failure when the time was over before the API answered.
	 *
	 * @param refusal why the request in progress was being retried; undefined where it was slow
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
		);
	}
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}
