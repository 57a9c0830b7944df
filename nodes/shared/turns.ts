/** A place in a queue: `ready` resolves when everyone who came earlier has left. */
export interface Turn {
	ready: Promise<void>;
	/** Lets the next one go; to be called exactly when done, whatever happened. */
	leave(): void;
}

/**
 * Queues by key. Those who enter under one key go one after another, in the order in which they
 * entered, so two writes to one record never overlap and creates keep the order of their items.
 * A key is forgotten when its last one has left.
 */
export class Turns {
	private readonly tails = new Map<string, Promise<void>>();

	/**
	 * Takes the next place under a key. Entering is synchronous: the order of calls is the order of turns.
	 *
	 * @param key what must not overlap, e.g. the path of a record
	 */
	enter(key: string): Turn {
		const ready = this.tails.get(key) ?? Promise.resolve();
		let leave = () => {};
		const left = new Promise<void>((resolve) => {
			leave = resolve;
		});
		const tail = ready.then(async () => await left);
		this.tails.set(key, tail);
		void tail.then(() => {
			if (this.tails.get(key) === tail) this.tails.delete(key);
		});
		return { ready, leave };
	}

	/** How many keys are in use. */
	get size(): number {
		return this.tails.size;
	}
}
