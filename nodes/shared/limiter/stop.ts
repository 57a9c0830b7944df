/**
 * Cancellation of one run: the execution was cancelled, or an item failed and the node is set to stop. It lives as
 * long as the run, so waiters register a callback and unregister it when done: a promise would keep a reaction of
 * every wait until the run ends.
 */
export class Stop {
	private stopped = false;
	private readonly listeners = new Set<() => void>();

	get isStopped(): boolean {
		return this.stopped;
	}

	/** How many callbacks are registered. */
	get listenerCount(): number {
		return this.listeners.size;
	}

	/**
	 * Registers a callback for when the run is stopped; called at once if it already is, and never twice.
	 *
	 * @returns unregisters it; to be called when the wait is over
	 */
	onStop(listener: () => void): () => void {
		if (this.stopped) {
			listener();
			return () => {};
		}
		// A new function each time, so that one callback can be registered several times.
		const entry = () => listener();
		this.listeners.add(entry);
		return () => void this.listeners.delete(entry);
	}

	stop(): void {
		this.stopped = true;
		const listeners = [...this.listeners];
		this.listeners.clear();
		for (const listener of listeners) listener();
	}

	/**
	 * Stops when the signal is aborted.
	 *
	 * @param signal n8n's, of an execution: it outlives the run of one node, which a loop repeats hundreds of times
	 * @returns unregisters the listener; to be called when the run is over
	 */
	follow(signal?: AbortSignal): () => void {
		if (signal?.aborted) this.stop();
		const stop = () => this.stop();
		signal?.addEventListener('abort', stop);
		return () => signal?.removeEventListener('abort', stop);
	}
}
