import { Stopped } from '../../shared/transport';
import { Failure } from '../../shared/transport/failure';
import type { Limiter } from '../../shared/limiter';
import { Stop, unlessStopped, wait } from '../../shared/limiter';

/** How long a person waits for a list. */
const BUDGET_MS = 8000;
// Shorter pauses come from the limiter itself, while it finds the rate limit.
const LONGEST_PAUSE_MS = 500;
const LOOK_EVERY_MS = 100;

const INSTEAD = 'or choose "By ID" instead of "From List" and enter the ID';

/**
 * The time limit of a picker. Once the API asks for a pause, because of this or another run, the picker sends nothing
 * new.
 */
export class Patience {
	/** Once stopped, nothing more is sent; requests in flight are still waited for. */
	readonly sending = new Stop();
	private readonly waiting = new Stop();
	private readonly until = performance.now() + BUDGET_MS;
	private limiter?: Limiter;
	private pausedMs = 0;

	/** Begins to watch an API. */
	async watch(limiter: Limiter): Promise<void> {
		this.limiter = limiter;
		while (!this.waiting.isStopped) {
			this.look();
			await wait(LOOK_EVERY_MS, this.waiting);
		}
	}

	private look(): void {
		const pausedMs = this.limiter?.pausedMs ?? 0;
		if (pausedMs > LONGEST_PAUSE_MS) {
			this.pausedMs = pausedMs;
			this.sending.stop();
		}
		if (performance.now() >= this.until) this.end();
	}

	/** Stops sending and waiting. */
	end(): void {
		this.sending.stop();
		this.waiting.stop();
	}

	/**
	 * @param begin starts the work; not called when the time is up already
	 * @throws Stopped when the time is up before the work is done
	 */
	async waitFor<T>(begin: () => Promise<T>): Promise<T> {
		this.look();
		if (this.waiting.isStopped) throw new Stopped();
		const done = await unlessStopped(
			begin().then((value) => ({ value })),
			this.waiting,
		);
		if (!done) throw new Stopped();
		return done.value;
	}

	/** Whether the picker ended early because the API asked for a pause. */
	get isPaused(): boolean {
		return this.pausedMs > 0;
	}

	/** The failure shown when there is nothing to list. */
	get failure(): Failure {
		if (this.isPaused) {
			const seconds = Math.ceil(this.pausedMs / 1000).toLocaleString('en');
			return new Failure(
				'The community asks for a pause before the next request',
				`Try again in ${seconds} s, ${INSTEAD}.`,
			);
		}
		return new Failure(
			`The API did not answer within ${BUDGET_MS / 1000} seconds`,
			`Try again in a moment, ${INSTEAD}.`,
		);
	}
}
