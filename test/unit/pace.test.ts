import { Pace } from '../../nodes/shared/pacing/pace';

/** A pace that has let through as many requests until a moment, beginning at zero. */
function accepted(count: number): Pace {
	const pace = new Pace(0);
	for (let done = 0; done < count; done++) pace.accept();
	return pace;
}

function accept(pace: Pace, count: number): void {
	for (let done = 0; done < count; done++) pace.accept();
}

it('begins again at 0.85 of the pace that was refused, comes back to it in ten seconds and goes beyond', () => {
	const pace = accepted(100);
	expect(pace.at(1_000)).toBe(Infinity);
	pace.refuse(1_000, 1_000);
	expect(pace.at(1_000)).toBeCloseTo(85);
	expect(pace.at(11_000)).toBeCloseTo(100);
	expect(pace.at(21_000)).toBeCloseTo(115);
});

it('begins lower, at the mean of both paces, where the API asks for a long pause', () => {
	const pace = accepted(100);
	// 100 a second were refused, 25 a second can be kept up.
	pace.refuse(1_000, 4_000);
	expect(pace.at(4_000)).toBeCloseTo(50);
	expect(pace.at(14_000)).toBeCloseTo(100);
});

it('leaves pauses between refusals that belong together out of the pace that was refused', () => {
	const pace = accepted(100);
	pace.refuse(1_000, 1_000);
	accept(pace, 5);
	// Five since the last refusal are too few to learn from.
	pace.refuse(1_100, 2_100);
	expect(pace.at(2_100)).toBeCloseTo(85);
	accept(pace, 10);
	pace.refuse(2_200, 3_200);
	// Fifteen in the two tenths of a second in which sending was allowed.
	expect(pace.at(13_200)).toBeCloseTo(75);
	// A pause counts once.
	accept(pace, 10);
	pace.refuse(3_700, 3_700);
	expect(pace.at(13_700)).toBeCloseTo(20);
});

it('does not count a rest, nor a pause that was about something else', () => {
	const rested = accepted(100);
	rested.skip(9_000);
	rested.refuse(10_000, 10_000);
	expect(rested.at(20_000)).toBeCloseTo(100);
	const held = accepted(100);
	held.refuse(1_000, 1_000);
	held.hold(5_000);
	expect(held.at(6_000)).toBeCloseTo(85);
});

it('is never below 0.85 requests a second', () => {
	const pace = new Pace(0);
	pace.accept();
	pace.refuse(600_000, 1_200_000);
	expect(pace.at(1_200_000)).toBeCloseTo(0.85);
	expect(pace.at(1_210_000)).toBeCloseTo(1);
});
