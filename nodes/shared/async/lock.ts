/** A requested lock. It is held immediately, or once `ready` resolves. */
export interface Lock {
	/** Undefined if there is no earlier holder. */
	ready?: Promise<void>;
	/** Call it in any case, even before the lock is held. Further calls do nothing. */
	release(): void;
}

interface Waiting {
	admit(): void;
}

/** A lock (mutex) for each key, held in the order of the calls. A key is dropped when its last lock is released. */
export class KeyedLock {
	private readonly queues = new Map<string, Waiting[]>();

	/** Requests the lock of a key. Synchronous, so the order of calls is the order of holders. */
	acquire(key: string): Lock {
		const queue = this.queues.get(key) ?? [];
		this.queues.set(key, queue);
		const waiting: Waiting = { admit: () => {} };
		const release = () => this.release(key, queue, waiting);
		// Most callers wait for no other, and a batch has thousands of them, so these get no promise.
		if (queue.push(waiting) === 1) return { release };
		const ready = new Promise<void>((resolve) => {
			waiting.admit = resolve;
		});
		return { ready, release };
	}

	get size(): number {
		return this.queues.size;
	}

	private release(key: string, queue: Waiting[], waiting: Waiting): void {
		const position = queue.indexOf(waiting);
		if (position < 0) return;
		queue.splice(position, 1);
		if (queue.length === 0) this.queues.delete(key);
		else if (position === 0) queue[0].admit();
	}
}

/** The locks of all records that this process writes to, so that two writes to one record never overlap. */
export const recordLocks = new KeyedLock();
