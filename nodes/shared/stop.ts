/**
 * Ends the waiting and sending of one run: the execution was cancelled, or an item failed and the
 * node is set to stop. One listener serves the whole run, however many requests wait.
 */
export class Stop {
	isStopped = false;
	/** Resolves when the run is stopped; never rejects. */
	readonly whenStopped: Promise<void>;
	private resolve = () => {};

	constructor() {
		this.whenStopped = new Promise((resolve) => {
			this.resolve = resolve;
		});
	}

	stop(): void {
		this.isStopped = true;
		this.resolve();
	}

	/** Stops when the signal is aborted. */
	follow(signal?: AbortSignal): void {
		if (signal?.aborted) this.stop();
		else signal?.addEventListener('abort', () => this.stop(), { once: true });
	}
}
