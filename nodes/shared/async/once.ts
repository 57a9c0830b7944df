/** Makes each thing once, by its key. */
export class Once<T = unknown> {
	private readonly made = new Map<unknown, T>();

	/** Returns what `make` has made the first time that it was called with this key. */
	get<Made extends T>(key: unknown, make: () => Made): Made {
		if (!this.made.has(key)) this.made.set(key, make());
		return this.made.get(key) as Made;
	}

	has(key: unknown): boolean {
		return this.made.has(key);
	}

	values(): T[] {
		return [...this.made.values()];
	}
}
