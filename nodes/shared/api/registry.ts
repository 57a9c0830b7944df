/**
 * Values by key, made when first asked for. A value that is idle is forgotten when the next one is made, unless
 * something still holds it: whoever asks under its key gets the same one, never a second one beside it.
 */
export class Registry<T extends object> {
	private readonly kept = new Map<string, T>();
	private readonly held = new Map<string, WeakRef<T>>();

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
		if (!known) this.forgetIdle();
		const value = known ?? this.make();
		this.kept.set(key, value);
		if (!known) this.held.set(key, new WeakRef(value));
		return value;
	}

	private forgetIdle(): void {
		for (const [key, value] of this.kept) if (this.isIdle(value)) this.kept.delete(key);
		for (const [key, value] of this.held) if (!value.deref()) this.held.delete(key);
	}
}
