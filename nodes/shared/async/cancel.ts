import { sleep } from 'n8n-workflow';

// n8n-workflow's sleep cannot be cancelled, so a long wait is cut into slices.
const MAX_SLEEP_MS = 250;

/** Cancellation of a run, or of one request. Not an AbortSignal, because Node warns of a leak if one has fifty. */
export class Cancellation {
	private cancelled = false;
	private readonly listeners = new Set<() => void>();

	get isCancelled(): boolean {
		return this.cancelled;
	}

	get listenerCount(): number {
		return this.listeners.size;
	}

	/** Calls back on cancellation, immediately if it has happened. Call the returned function when the wait is over. */
	onCancel(listener: () => void): () => void {
		if (this.cancelled) {
			listener();
			return () => {};
		}
		this.listeners.add(listener);
		return () => void this.listeners.delete(listener);
	}

	cancel(): void {
		this.cancelled = true;
		const listeners = [...this.listeners];
		this.listeners.clear();
		for (const listener of listeners) listener();
	}

	/** Cancels with n8n's signal, which outlives a run in a loop. Call the returned function when the run is over. */
	follow(signal?: AbortSignal): () => void {
		if (signal?.aborted) this.cancel();
		const cancel = () => this.cancel();
		signal?.addEventListener('abort', cancel);
		return () => signal?.removeEventListener('abort', cancel);
	}
}

/** Waits `ms` milliseconds, or until a quarter of a second after a cancellation. */
export async function wait(
	ms: number,
	...cancellations: Array<Cancellation | undefined>
): Promise<void> {
	// Not the time of day, which can be set back.
	const until = performance.now() + ms;
	for (let left = ms; left > 0; left = until - performance.now()) {
		if (cancellations.some((cancellation) => cancellation?.isCancelled)) return;
		await sleep(Math.ceil(Math.min(left, MAX_SLEEP_MS)));
	}
}

/** Resolves once the promise, which must not reject, is settled, or on cancellation. */
export async function untilCancelled(
	promise: Promise<void>,
	cancellation: Cancellation,
): Promise<void> {
	await new Promise<void>((resolve) => {
		const unregister = cancellation.onCancel(resolve);
		void promise.then(() => {
			unregister();
			resolve();
		});
	});
}
