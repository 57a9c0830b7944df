/** Makes each thing once, by its key. */
export class Once {
	private readonly made = new Map<string, unknown>();

	/** Returns what `make` has made the first time that it was called with this key. */
	get<T>(key: string, make: () => T): T {
		if (!this.made.has(key)) this.made.set(key, make());
		return this.made.get(key) as T;
	}

	has(key: string): boolean {
		return this.made.has(key);
	}

	values(): unknown[] {
		return [...this.made.values()];
	}
}
