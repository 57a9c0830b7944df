import { Pace } from '../../nodes/shared/pacing/pace';

/** A refusal of the request that was sent last, known at once. */
function refusal(now: number, resumeAt: number, isAsked = true) {
	return { sentAt: now, sentSince: 0, now, resumeAt, isAsked };
}

function send(pace: Pace, count: number): void {
	for (let done = 0; done < count; done++) pace.send();
}

/** A pace at which as many requests were accepted until a moment, beginning at zero. */
function accepted(count: number): Pace {
	const pace = new Pace(0);
	send(pace, count);
	return pace;
}

describe('after a refusal that names a pause', () => {
	it('begins again below the pace that was refused, comes back to it in ten seconds and goes beyond', () => {
		const pace = accepted(100);
		expect(pace.at(1_000)).toBe(Infinity);
		pace.slowDown(refusal(1_000, 1_001));
		expect(pace.at(1_001)).toBeCloseTo(85, 0);
		expect(pace.at(11_001)).toBeCloseTo(100);
		expect(pace.at(21_001)).toBeCloseTo(115, 0);
	});

	it('begins lower, near the mean of both paces, where the pause is long', () => {
		const pace = accepted(100);
		// 100 a second were refused, 25 a second can be kept up.
		pace.slowDown(refusal(1_000, 4_000));
		expect(pace.at(4_000)).toBeCloseTo(0.85 * 50);
		expect(pace.at(14_000)).toBeCloseTo(100);
	});

	it('climbs to three times where it begins at most within ten seconds', () => {
		const pace = accepted(10);
		pace.slowDown(refusal(10, 1_000));
		// 1,000 a second were refused, 10 a second can be kept up.
		expect(pace.at(1_000)).toBeCloseTo(85);
		expect(pace.at(11_000)).toBeCloseTo(3 * 85);
	});

	it('leaves out what was let through at once before it takes the rest for the pace', () => {
		const pace = accepted(10);
		pace.slowDown(refusal(10, 1_010));
		send(pace, 110);
		pace.slowDown(refusal(2_010, 3_010));
		// 110 in one second, ten of which were let through at once: between 100 and 110 a second.
		expect(pace.at(3_010)).toBeGreaterThan(0.85 * 100 - 1);
		expect(pace.at(3_010)).toBeLessThan(0.85 * 110);
	});

	it('leaves pauses between refusals that belong together out of the pace that was refused', () => {
		const pace = accepted(100);
		pace.slowDown(refusal(1_000, 1_001));
		pace.resume();
		send(pace, 5);
		// Five since the last refusal are too few to learn from.
		pace.slowDown(refusal(1_101, 2_101));
		expect(pace.at(2_101)).toBeCloseTo(85, 0);
		send(pace, 10);
		pace.slowDown(refusal(2_201, 3_201));
		// Fifteen in the two tenths of a second in which sending was allowed.
		expect(pace.at(13_201)).toBeLessThanOrEqual(75);
		expect(pace.at(13_201)).toBeGreaterThan(50);
	});
});

describe('after a refusal that names no pause', () => {
	it('begins just below the pace that was accepted, and is back after a hundred requests', () => {
		const pace = accepted(100);
		pace.slowDown(refusal(1_000, 1_000, false));
		expect(pace.at(1_000)).toBeCloseTo(95);
		expect(pace.at(2_000)).toBeCloseTo(100);
		expect(pace.at(3_000)).toBeCloseTo(115);
	});

	it('is back after three seconds where a hundred requests take longer', () => {
		const pace = accepted(100);
		pace.slowDown(refusal(10_000, 10_000, false));
		expect(pace.at(10_000)).toBeCloseTo(9.5);
		expect(pace.at(13_000)).toBeCloseTo(10);
	});

	it('takes the time until the API accepts again into account, refusal by refusal', () => {
		const pace = accepted(100);
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
		expect(pace.at(1_000)).toBeLessThan(0.95 * 112);
		expect(pace.at(1_900)).toBeLessThan(112);
	});
});

it('counts what was sent until the request that was refused, and nothing that was sent after it', () => {
	const pace = accepted(150);
	// 50 more were on their way when the refusal came.
	pace.slowDown({ sentAt: 1_000, sentSince: 50, now: 1_500, resumeAt: 1_501, isAsked: true });
	expect(pace.at(11_501)).toBeCloseTo(100, 0);
});

it('does not count requests that were refused or not sent after all', () => {
	const pace = accepted(150);
	for (let request = 0; request < 50; request++) pace.takeBack();
	pace.slowDown(refusal(1_000, 1_001));
	expect(pace.at(11_001)).toBeCloseTo(100);
});

it('does not count a rest, nor a pause that was about something else', () => {
	const rested = accepted(100);
	rested.skip(9_000);
	rested.slowDown(refusal(10_000, 10_001));
	expect(rested.at(20_001)).toBeCloseTo(100);
	const held = accepted(100);
	held.slowDown(refusal(1_000, 1_001));
	held.hold(5_000);
	expect(held.at(6_001)).toBeCloseTo(85, 0);
});

it('is never below 0.85 requests a second', () => {
	const pace = accepted(1);
	pace.slowDown(refusal(600_000, 1_200_000));
	expect(pace.at(1_200_000)).toBeCloseTo(0.85);
	expect(pace.at(1_210_000)).toBeCloseTo(1);
});

it('lets through at once what was let through at once before', () => {
	const pace = accepted(25);
	expect(pace.burst).toBeGreaterThan(1_000_000);
	pace.slowDown(refusal(10, 1_010));
	expect(pace.burst).toBe(25);
	send(pace, 40);
	pace.slowDown(refusal(2_000, 3_000));
	expect(pace.burst).toBe(25);
});
