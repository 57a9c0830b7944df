// How much an accepted request makes up for: below one refusal in five requests, the sum stays near zero.
const MAKES_UP = 0.25;
// Once a limit is known, less makes up for it: slowing down costs little then.
const MAKES_UP_WHEN_KNOWN = 0.2;
// As long as no limit is known, more evidence is needed: slowing down for chance costs more than some
// refusals. By chance alone, one request in ten refused, this is reached once in some 4,000 requests.
const ENOUGH_AT_FIRST = 6;
const ENOUGH = 3;

/**
 * Tells a limit from chance, where the API does not say when to come back: a limit refuses what is sent right
 * after a refusal, too, while chance refuses a share of everything, however slowly it is sent. Refusals are summed
 * up and accepted requests make up for them (CUSUM; Page 1954, "Continuous inspection schemes", Biometrika 41).
 */
export class Refusals {
	private sum = 0;

	/** Notes a request that was let through. @param isLimitKnown whether the API has a limit for certain */
	accept(isLimitKnown: boolean): void {
		this.sum = Math.max(0, this.sum - (isLimitKnown ? MAKES_UP_WHEN_KNOWN : MAKES_UP));
	}

	/**
	 * Notes a refusal.
	 *
	 * @param isLimitKnown whether the API has a limit for certain
	 * @returns whether it has to do with how fast requests are sent
	 */
	refuse(isLimitKnown: boolean): boolean {
		this.sum++;
		return this.sum >= (isLimitKnown ? ENOUGH : ENOUGH_AT_FIRST);
	}

	/** Begins again, after slowing down. */
	reset(): void {
		this.sum = 0;
	}
}
