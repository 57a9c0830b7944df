import fc from 'fast-check';
import { RateEstimate, type Refusal } from '../../nodes/shared/limiter/rateEstimate';

/** A refusal of the request that was sent last, known at once. */
function refusal(now: number, resumeAt: number, isAsked = true): Refusal {
	return { sentAt: now, now, resumeAt, isAsked };
}

/** Sends requests evenly over a stretch of time, the last one at its end. */
function send(pace: RateEstimate, count: number, from: number, to: number): void {
	for (let sent = 1; sent <= count; sent++) pace.send(from + ((to - from) * sent) / count);
}

/** A rate estimate after as many requests were accepted evenly until a moment, beginning at zero. */
function accepted(count: number, until: number): RateEstimate {
	const pace = new RateEstimate(0);
	send(pace, count, 0, until);
	return pace;
}

const MANY_MS = 600_000;
const counts = fc.integer({ min: 30, max: 2_000 });
const durations = fc.integer({ min: 200, max: 60_000 });

describe('the rate after a refusal', () => {
	it('is unlimited before the first one', () => {
		expect(accepted(100, 1_000).at(1_000)).toBe(Infinity);
	});

	it.each([true, false])('begins below what was refused (named pause: %s)', (isAsked) => {
		fc.assert(
			fc.property(counts, durations, fc.integer({ max: 5_000, min: 0 }), (count, ms, pauseMs) => {
				const pace = accepted(count, ms);
				pace.slowDown(refusal(ms, ms + pauseMs, isAsked));
				const refused = Math.max(1, (1_000 * count) / ms);
				expect(pace.at(ms + pauseMs)).toBeLessThan(refused);
			}),
		);
	});

	it.each([true, false])('never falls until the next one (named pause: %s)', (isAsked) => {
		fc.assert(
			fc.property(counts, durations, fc.integer({ max: 5_000, min: 0 }), (count, ms, pauseMs) => {
				const pace = accepted(count, ms);
				pace.slowDown(refusal(ms, ms + pauseMs, isAsked));
				let before = 0;
				for (let passed = 0; passed < 60_000; passed += 500) {
					const now = pace.at(ms + pauseMs + passed);
					expect(now).toBeGreaterThanOrEqual(before);
					before = now;
				}
			}),
		);
	});

	it.each([true, false])(
		'exceeds in the end what was refused, which may not hold any more (named pause: %s)',
		(isAsked) => {
			fc.assert(
				fc.property(counts, durations, fc.integer({ max: 5_000, min: 0 }), (count, ms, pauseMs) => {
					const pace = accepted(count, ms);
					pace.slowDown(refusal(ms, ms + pauseMs, isAsked));
					expect(pace.at(ms + pauseMs + MANY_MS)).toBeGreaterThan((1_000 * count) / ms);
				}),
			);
		},
	);

	it('is within a tenth of a rate that is certain, with and without a named pause', () => {
		for (const isAsked of [true, false]) {
			const pace = accepted(1_000, 10_000);
			pace.slowDown(refusal(10_000, 10_001, isAsked));
			expect(pace.at(10_001)).toBeGreaterThan(89);
			expect(pace.at(10_001)).toBeLessThan(100);
		}
	});

	it('is found again sooner where refusals name no pause', () => {
		const [asked, unasked] = [accepted(100, 1_000), accepted(100, 1_000)];
		asked.slowDown(refusal(1_000, 1_001));
		unasked.slowDown(refusal(1_000, 1_001, false));
		expect(unasked.at(2_001)).toBeGreaterThan(asked.at(2_001));
		expect(asked.at(11_001)).toBeCloseTo(100, 0);
		expect(unasked.at(2_001)).toBeCloseTo(100, 0);
	});

	it('is never below 0.9 requests a second', () => {
		const pace = accepted(1, 600_000);
		pace.slowDown(refusal(600_000, 1_200_000));
		expect(pace.at(1_200_000)).toBeGreaterThanOrEqual(0.9);
		expect(pace.at(1_200_000)).toBeLessThan(1.1);
	});
});

describe('where the pause is long against the time before it', () => {
	it('the estimate lies between what was kept up with and what was refused', () => {
		const pace = accepted(100, 1_000);
		// 100 a second were refused, 25 a second can be kept up.
		pace.slowDown(refusal(1_000, 4_000));
		expect(pace.at(4_000)).toBeGreaterThan(25);
		expect(pace.at(14_000)).toBeLessThan(100);
	});

	it.each([1, 20, 60, 90])('ten at once and one more each 10 ms for %d ms give the same', (ms) => {
		const pace = accepted(10 + ms / 10, ms);
		pace.slowDown(refusal(ms, 1_000 + ms));
		const slow = pace.at(1_000 + ms);
		expect(slow).toBeGreaterThan(75);
		expect(slow).toBeLessThan(95);
	});

	it.each([1, 20, 60, 90])(
		'it makes no difference that ten at once are refused after %d ms',
		(ms) => {
			const pace = accepted(10, 1);
			pace.slowDown({ ...refusal(ms, 1_000 + ms), sentAt: 1 });
			const slow = pace.at(1_000 + ms);
			expect(slow).toBeGreaterThan(75);
			expect(slow).toBeLessThan(95);
		},
	);

	it('what came after the burst counts more than the pause', () => {
		const pace = accepted(10, 1);
		pace.slowDown(refusal(10, 1_010));
		pace.resume();
		send(pace, 95, 1_010, 2_010);
		pace.slowDown(refusal(2_010, 3_010));
		// 95 in one second, ten of which were let through at once: 85 a second, though 95 in two with the pause.
		expect(pace.at(3_010)).toBeGreaterThan(0.9 * 84);
		expect(pace.at(13_010)).toBeLessThanOrEqual(95);
	});
});

it('a rate that was used only in the end counts, not the average with a slow beginning', () => {
	const pace = accepted(1, 1);
	pace.slowDown(refusal(1, 101, false));
	pace.resume();
	send(pace, 60, 101, 20_101);
	send(pace, 100, 20_101, 21_101);
	pace.slowDown(refusal(21_101, 21_101, false));
	expect(pace.at(21_101)).toBeGreaterThan(80);
});

it('takes the time until the API accepts again into account, refusal by refusal', () => {
	const pace = accepted(100, 20);
	pace.slowDown(refusal(20, 20, false));
	expect(pace.at(20)).toBeGreaterThan(4_000);
	for (const [now, resumeAt] of [
		[21, 500],
		[500, 900],
		[900, 1_000],
	]) {
		pace.slowDown(refusal(now, resumeAt, false));
	}
	// 100 in between 0.9 and 1 second.
	expect(pace.at(1_000)).toBeGreaterThan(0.95 * 100);
	expect(pace.at(1_000)).toBeLessThan(112);
});

it('refusals that follow each other closely are taken together, without the pauses between them', () => {
	const pace = accepted(100, 1_000);
	pace.slowDown(refusal(1_000, 1_001));
	pace.resume();
	const before = pace.at(1_001);
	send(pace, 5, 1_001, 1_101);
	// Five since the last refusal are too few to learn from.
	pace.slowDown(refusal(1_101, 2_101));
	expect(pace.at(2_101)).toBeCloseTo(before);
	send(pace, 10, 2_101, 2_201);
	pace.slowDown(refusal(2_201, 3_201));
	// Fifteen in the two tenths of a second in which sending was allowed.
	expect(pace.at(3_201)).toBeLessThan(75);
	expect(pace.at(13_201)).toBeGreaterThan(10);
});

describe('where no pause is named and a hundred requests lead to the estimate, within a second', () => {
	/** The rate two and a half seconds after it was slowed down, when as many requests had been refused meanwhile. */
	function rateAfter(refused: number, refusedAt: number, perSecond = 100): number {
		const pace = accepted(10 * perSecond, 10_000);
		pace.slowDown(refusal(10_000, 10_001, false));
		for (let request = 0; request < refused; request++) {
			pace.send(refusedAt);
			pace.refuse(refusedAt);
		}
		return pace.at(12_500) / perSecond;
	}

	it('tries a higher rate a second later where at most two of them were refused', () => {
		expect(rateAfter(2, 10_500)).toBeCloseTo(1.02, 2);
		expect(rateAfter(3, 10_500)).toBeGreaterThan(1.4);
	});

	it('does not count what was refused before and after them', () => {
		expect(rateAfter(3, 9_990)).toBeLessThan(1.05);
		expect(rateAfter(3, 11_500)).toBeLessThan(1.05);
	});

	it('keeps to the estimate meanwhile', () => {
		const pace = accepted(1_000, 10_000);
		pace.slowDown(refusal(10_000, 10_001, false));
		expect(pace.at(11_010)).toBeCloseTo(100, 0);
		expect(pace.at(11_990)).toBe(pace.at(11_010));
	});

	it('tries a higher rate at once where fewer than a hundred requests lead to it', () => {
		expect(rateAfter(0, 0, 20)).toBeGreaterThan(1);
	});
});

describe('requests that were not sent after all', () => {
	it('do not count', () => {
		const pace = accepted(100, 1_000);
		for (let request = 0; request < 50; request++) {
			pace.send(1_000);
			pace.takeBack(1_000);
		}
		pace.slowDown(refusal(1_000, 1_001));
		expect(pace.at(11_001)).toBeCloseTo(100, 0);
	});

	it('do not count either where their refusals come after the one that slowed down', () => {
		const pace = accepted(100, 1_000);
		for (let request = 0; request < 50; request++) pace.send(1_000);
		pace.slowDown(refusal(1_000, 1_001));
		for (let request = 0; request < 50; request++) pace.takeBack(1_000);
		expect(pace.at(11_001)).toBeCloseTo(100, 0);
	});

	it('are nothing that was accepted since', () => {
		const pace = accepted(100, 1_000);
		for (let request = 0; request < 50; request++) pace.send(1_000);
		pace.slowDown(refusal(1_000, 1_001));
		pace.resume();
		const before = pace.at(1_001);
		for (let request = 0; request < 50; request++) pace.takeBack(1_000);
		expect(pace.at(1_001)).toBe(before);
	});
});

it('does not count a rest, nor a pause that was about something else', () => {
	const rested = new RateEstimate(0);
	rested.skip(9_000);
	send(rested, 100, 9_000, 10_000);
	rested.slowDown(refusal(10_000, 10_001));
	expect(rested.at(20_001)).toBeCloseTo(100, 0);
	const held = accepted(100, 1_000);
	held.slowDown(refusal(1_000, 1_001));
	const before = held.at(1_001);
	held.hold(5_000, 6_001);
	expect(held.at(6_001)).toBeCloseTo(before);
});

it('begins to count again after a pause as long as no limit is known', () => {
	const pace = accepted(50, 10);
	pace.hold(30_000, 30_010);
	send(pace, 100, 30_010, 31_010);
	pace.slowDown(refusal(31_010, 31_011));
	expect(pace.at(41_011)).toBeCloseTo(100, 0);
});

it('lets through at once what was let through at once before', () => {
	const pace = accepted(25, 10);
	expect(pace.burst).toBeGreaterThan(1_000_000);
	pace.slowDown(refusal(10, 1_010));
	expect(pace.burst).toBe(25);
	pace.resume();
	send(pace, 40, 1_010, 2_000);
	pace.slowDown(refusal(2_000, 3_000));
	expect(pace.burst).toBe(25);
});
