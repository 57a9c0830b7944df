/** Reproducible random numbers (mulberry32). The same seed returns the same values in the same order. */
export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = seed >>> 0;
	}

	/** Returns a copy that continues with the same numbers. */
	copy(): Random {
		return new Random(this.state);
	}

	/** A number from 0 up to, not including, 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let t = this.state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}

	/** A whole number from 0 up to, not including, `limit`. */
	below(limit: number): number {
		return Math.floor(this.next() * limit);
	}

	pick<T>(list: readonly T[]): T {
		return list[this.below(list.length)];
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	/** `length` hexadecimal digits. */
	hex(length: number): string {
		return Array.from({ length }, () => this.below(16).toString(16)).join('');
	}
}
