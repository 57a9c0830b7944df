const LEAST_TO_SWEEP = 10;

/**
 * Values by key, made when first asked for. Idle ones are forgotten as others are made, unless something still
 * holds them: then their key goes on giving the same one, never a second one beside it.
 */
export class Registry<T extends object> {
	private readonly kept = new Map<string, T>();
	private readonly held = new Map<string, WeakRef<T>>();
	/** How many there may be before idle ones are looked for, so that each new one takes the same time. */
	private sweepAt = LEAST_TO_SWEEP;

	/**
	 * @param make gives a new value
	 * @param isIdle whether a value that nothing holds can be forgotten
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
