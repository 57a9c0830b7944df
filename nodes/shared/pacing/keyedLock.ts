/** A position in a queue. */
export interface Lock {
	/** Resolves when everyone who came earlier has left; undefined where nobody is there. */
	ready?: Promise<void>;
	/** Lets the next one go; to be called when done, whatever happened. Further calls do nothing. */
	release(): void;
}

interface Waiting {
	admit(): void;
}

/**
 * Queues by key. Those who enter under one key go one after another, in the order in which they
 * entered, so two writes to one record never overlap and creates keep the order of their items.
 * A key is forgotten when its last one has left.
 */
export class KeyedLock {
	private readonly queues = new Map<string, Waiting[]>();

	/**
	 * Takes the next position under a key. Entering is synchronous: the order of calls is the order of turns.
	 *
	 * @param key what must not overlap, e.g. the path of a record
	 */
	acquire(key: string): Lock {
		const queue = this.queues.get(key) ?? [];
		this.queues.set(key, queue);
		const waiting: Waiting = { admit: () => {} };
		const release = () => this.release(key, queue, waiting);
		const isFirst = queue.push(waiting) === 1;
		// For most there is nobody to wait for, and a batch has thousands of them.
		if (isFirst) return { release };
		const ready = new Promise<void>((resolve) => {
			waiting.admit = resolve;
		});
		return { ready, release };
	}

	/** How many keys are in use. */
	get size(): number {
		return this.queues.size;
	}

	private release(key: string, queue: Waiting[], waiting: Waiting): void {
		const position = queue.indexOf(waiting);
		if (position < 0) return;
		if (position > 0) {
			queue.splice(position, 1);
			return;
		}
		queue.shift();
		if (queue.length === 0) this.queues.delete(key);
		else queue[0].admit();
	}
}
