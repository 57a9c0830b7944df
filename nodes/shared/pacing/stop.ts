/**
 * Ends the waiting and sending of one run: the execution was cancelled, or an item failed and the
 * node is set to stop. It lives as long as the run, so whoever waits has itself called and leaves when the
 * wait is over: a promise would keep what every wait has left behind, until the run ends.
 */
export class Stop {
	private stopped = false;
	private readonly listeners = new Set<() => void>();

	get isStopped(): boolean {
		return this.stopped;
	}

	/** How many are waiting to be called. */
	get listenerCount(): number {
		return this.listeners.size;
	}

	/**
	 * Has a function called when the run is stopped, at once when it is already; never twice.
	 *
	 * @returns to be called when the wait is over, so that nothing of it stays
	 */
	onStop(listener: () => void): () => void {
		if (this.stopped) {
			listener();
			return () => {};
		}
		// Of its own, so that one function can wait several times.
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
	 * @returns to be called when the run is over, so that nothing of it stays
	 */
	follow(signal?: AbortSignal): () => void {
		if (signal?.aborted) this.stop();
		const stop = () => this.stop();
		signal?.addEventListener('abort', stop);
		return () => signal?.removeEventListener('abort', stop);
	}
}
