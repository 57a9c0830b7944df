// What an accepted request subtracts: with fewer than one refusal in five requests, the sum stays near zero.
const MAKES_UP = 0.25;
// Less once a limit is known, because slowing down costs little then.
const MAKES_UP_WHEN_KNOWN = 0.2;
// While no limit is known, more evidence is needed, because a needless slowdown costs more than some refusals. With
// one request in ten refused by chance, the sum reaches this once in some 4,000 requests.
const ENOUGH_AT_FIRST = 6;
const ENOUGH = 3;

/**
 * Distinguishes a rate limit from chance where the API sends no Retry-After: a limit also refuses the requests that
 * follow a refusal, chance refuses a share of all requests at any rate. Refusals are added up and accepted requests
 * subtract from the sum (CUSUM; Page 1954, "Continuous inspection schemes", Biometrika 41).
 */
export class Refusals {
	private sum = 0;

	/** Notes an accepted request. @param isLimitKnown whether the API is known to have a rate limit */
	accept(isLimitKnown: boolean): void {
		this.sum = Math.max(0, this.sum - (isLimitKnown ? MAKES_UP_WHEN_KNOWN : MAKES_UP));
	}

	/**
	 * Notes a refusal.
	 *
	 * @param isLimitKnown whether the API is known to have a rate limit
	 * @returns whether the refusals mean a rate limit
	 */
	refuse(isLimitKnown: boolean): boolean {
		this.sum++;
		return this.sum >= (isLimitKnown ? ENOUGH : ENOUGH_AT_FIRST);
	}

	/** Resets the sum, after slowing down. */
	reset(): void {
		this.sum = 0;
	}
}
