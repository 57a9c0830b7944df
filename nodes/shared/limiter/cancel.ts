import { sleep } from 'n8n-workflow';

// n8n-workflow's sleep cannot be cancelled, so a long wait is cut into slices.
const SLICE_MS = 250;

/** Cancellation of a run, or of one request. Of an AbortSignal with fifty listeners, Node warns as of a leak. */
export class Stop {
	private stopped = false;
	private readonly listeners = new Set<() => void>();

	get isStopped(): boolean {
		return this.stopped;
	}

	get listenerCount(): number {
		return this.listeners.size;
	}

	/** Calls back when it stops, at once if it has. Call the returned function when the wait is over. */
	onStop(listener: () => void): () => void {
		if (this.stopped) {
			listener();
			return () => {};
		}
		this.listeners.add(listener);
		return () => void this.listeners.delete(listener);
	}

	stop(): void {
		this.stopped = true;
		const listeners = [...this.listeners];
		this.listeners.clear();
		for (const listener of listeners) listener();
	}

	/** Stops with n8n's signal, which outlives a run in a loop: call the returned function when the run is over. */
	follow(signal?: AbortSignal): () => void {
		if (signal?.aborted) this.stop();
		const stop = () => this.stop();
		signal?.addEventListener('abort', stop);
		return () => signal?.removeEventListener('abort', stop);
	}
}

/** Waits `ms` milliseconds, or until a quarter of a second after one of the stops is stopped. */
export async function wait(ms: number, ...stops: Array<Stop | undefined>): Promise<void> {
	// Not the time of day: that can be set back.
	const until = performance.now() + ms;
	for (let left = ms; left > 0; left = until - performance.now()) {
		if (stops.some((stop) => stop?.isStopped)) return;
		await sleep(Math.ceil(Math.min(left, SLICE_MS)));
	}
}

/** Resolves once the promise, which must not reject, is settled or the stop is stopped. */
export async function untilStopped(promise: Promise<void>, stop: Stop): Promise<void> {
	await new Promise<void>((resolve) => {
		const unregister = stop.onStop(resolve);
		void promise.then(() => {
			unregister();
			resolve();
		});
	});
}
