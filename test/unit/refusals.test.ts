import { repeatable } from '../../dev/bench/simulation.mts';
import { Refusals } from '../../nodes/shared/limiter/refusals';

/** How often a share of random refusals counts as a limit, in so many requests. */
function alarms(share: number, requests: number, isLimitKnown = false): number {
	const random = repeatable(7);
	const refusals = new Refusals();
	let count = 0;
	for (let request = 0; request < requests; request++) {
		if (random() >= share) refusals.accept(isLimitKnown);
		else if (refusals.refuse(isLimitKnown)) {
			count++;
			refusals.reset();
		}
	}
	return count;
}

/** How many requests in a row are refused until that is a limit. */
function untilAlarm(isLimitKnown: boolean): number {
	const refusals = new Refusals();
	let count = 1;
	while (!refusals.refuse(isLimitKnown)) count++;
	return count;
}

describe('refusals by chance', () => {
	it.each([
		[0.01, 0],
		[0.03, 0],
		[0.05, 0],
		[0.1, 5],
	])('of a share of %f hardly ever count as a limit', (share, most) => {
		expect(alarms(share, 10_000)).toBeLessThanOrEqual(most);
	});

	it('count as one sooner where a limit is known', () => {
		expect(alarms(0.1, 10_000, true)).toBeGreaterThan(alarms(0.1, 10_000));
		expect(alarms(0.03, 10_000, true)).toBeLessThan(10);
	});
});

describe('a rate limit', () => {
	it('is recognised after few refusals in a row, sooner where it is known', () => {
		expect(untilAlarm(false)).toBeLessThanOrEqual(6);
		expect(untilAlarm(true)).toBeLessThan(untilAlarm(false));
	});

	it('is recognised where every third request is refused, however far apart', () => {
		expect(alarms(1 / 3, 300)).toBeGreaterThan(1);
	});
});

it('what was refused before slowing down does not count after it', () => {
	const refusals = new Refusals();
	for (let request = 0; request < 5; request++) refusals.refuse(false);
	refusals.reset();
	expect(refusals.refuse(false)).toBe(false);
});
