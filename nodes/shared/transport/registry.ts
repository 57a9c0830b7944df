const LEAST_TO_SWEEP = 10;

/**
 * A cache of shared values by key, created when first needed. Idle values are dropped as others are created. A value
 * that a caller still holds is found again by its key, so that there is never a second one.
 */
export class Registry<T extends object> {
	private readonly kept = new Map<string, T>();
	private readonly held = new Map<string, WeakRef<T>>();
	/** The size at which idle values are dropped; it grows with the cache, so that each insertion takes constant time. */
	private sweepAt = LEAST_TO_SWEEP;

	/**
	 * @param make creates a value
	 * @param isIdle whether a value that no caller holds can be dropped
	 */
	constructor(
		private readonly make: () => T,
		private readonly isIdle: (value: T) => boolean,
	) {}

	/** The value of a key. */
	get(key: string): T {
		const known = this.kept.get(key) ?? this.held.get(key)?.deref();
		if (!known && this.held.size >= this.sweepAt) this.forgetIdle();
		const value = known ?? this.make();
		this.kept.set(key, value);
		if (!known) this.held.set(key, new WeakRef(value));
		return value;
	}

	private forgetIdle(): void {
		for (const [key, value] of this.kept) if (this.isIdle(value)) this.kept.delete(key);
		for (const [key, value] of this.held) if (!value.deref()) this.held.delete(key);
		this.sweepAt = Math.max(LEAST_TO_SWEEP, 2 * this.held.size);
	}
}
