import { LEAST_ANSWERS, RoundTrips } from '../../nodes/shared/limiter/roundTrips.ts';

/** Round trips of which as many as given have been noted in the present round. */
function noted(...times: number[]): RoundTrips {
	const trips = new RoundTrips(10);
	for (const ms of times) trips.note({ rtt: ms, inFlight: 10 });
	return trips;
}

/** Ends a round that had one answer. */
function settle(trips: RoundTrips, ms: number, isBusy: boolean): void {
	trips.begin(10);
	trips.note({ rtt: ms, inFlight: 10 });
	trips.settle(isBusy);
}

/** As many rounds as given, each of which had the same low; how many it took to doubt the base. */
function roundsUntilDoubt(trips: RoundTrips, ms: number, isBusy: boolean): number {
	for (let rounds = 1; rounds <= 100; rounds++) {
		settle(trips, ms, isBusy);
		if (trips.isDoubtful) return rounds;
	}
	return Infinity;
}

function based(baseMs: number): RoundTrips {
	const trips = noted();
	settle(trips, baseMs, false);
	return trips;
}

/** Takes a round of as many answers for the base. */
function renewed(trips: RoundTrips, ms: number, answers = LEAST_ANSWERS): boolean {
	trips.begin(10);
	for (let answer = 0; answer < answers; answer++) trips.note({ rtt: ms, inFlight: 10 });
	return trips.renew();
}

describe('the low of a round', () => {
	it.each([
		[[30], 30],
		[[30, 20], 30],
		[[20, 30], 30],
		[[40, 20, 30], 30],
		[[20, 30, 40, 10], 20],
	])('of %j ms is the second least, %d ms', (times, low) => {
		expect(noted(...times).low.rtt).toBe(low);
	});

	it('is there once anything was noted', () => {
		expect(noted().low.rtt).toBe(Infinity);
	});

	it('was sent among as many as the first of those that took as long', () => {
		const trips = noted(10);
		trips.note({ rtt: 30, inFlight: 1 });
		trips.note({ rtt: 30, inFlight: 2 });
		expect(trips.low).toEqual({ rtt: 30, inFlight: 1 });
	});
});

describe('a round', () => {
	it.each([
		[4, LEAST_ANSWERS],
		[40, 40],
	])('with %d in flight is over after %d answers', (inFlight, answers) => {
		const trips = new RoundTrips(inFlight);
		for (let answer = 1; answer < answers; answer++) trips.note({ rtt: 20, inFlight: inFlight });
		expect(trips.isOver).toBe(false);
		trips.note({ rtt: 20, inFlight: inFlight });
		expect(trips.isOver).toBe(true);
	});
});

describe('the base', () => {
	it('is in doubt after some rounds that did not meet it, sooner if they were busy', () => {
		const busy = roundsUntilDoubt(based(100), 120, true);
		expect(busy).toBeGreaterThan(1);
		expect(roundsUntilDoubt(based(100), 120, false)).toBeGreaterThan(busy);
		expect(roundsUntilDoubt(based(100), 120, false)).toBeLessThan(Infinity);
	});

	it('is met within a tenth', () => {
		expect(roundsUntilDoubt(based(100), 110, true)).toBe(Infinity);
		expect(roundsUntilDoubt(based(100), 111, true)).toBeLessThan(Infinity);
	});

	it('counts as 5 ms at least', () => {
		expect(roundsUntilDoubt(based(1), 5.4, true)).toBe(Infinity);
		expect(roundsUntilDoubt(based(1), 5.6, true)).toBeLessThan(Infinity);
	});

	it('is out of doubt once it is met', () => {
		const trips = based(100);
		const rounds = roundsUntilDoubt(trips, 200, true);
		settle(trips, 100, true);
		expect(trips.isDoubtful).toBe(false);
		expect(roundsUntilDoubt(trips, 200, true)).toBe(rounds);
	});

	it('has risen where it is more than half as much again', () => {
		expect(renewed(based(100), 151)).toBe(true);
		expect(renewed(based(100), 150)).toBe(false);
		expect(renewed(based(100), 100)).toBe(false);
	});

	it('is not replaced by a round with too few answers', () => {
		expect(renewed(based(100), 400, LEAST_ANSWERS - 1)).toBe(false);
		expect(renewed(based(100), 400)).toBe(true);
	});

	it('is soon in doubt again where it has fallen by more than a tenth, because there was a queue', () => {
		const doubtAfter = (before: number, now: number) => {
			const trips = based(before);
			renewed(trips, now);
			expect(trips.isDoubtful).toBe(false);
			return roundsUntilDoubt(trips, 2 * now, true);
		};
		const kept = doubtAfter(99, 90);
		expect(doubtAfter(100, 90)).toBeLessThan(kept);
		expect(doubtAfter(100, 200)).toBe(kept);
	});
});

describe('the queue', () => {
	it('is what is in flight beyond what is worked on', () => {
		const trips = based(100);
		expect(trips.queueShare(100)).toBe(0.0);
		expect(trips.queueShare(200)).toBe(0.5);
		expect(trips.queueShare(400)).toBe(0.75);
	});

	it('is empty where answers are faster than ever', () => {
		expect(based(100).queueShare(50)).toBe(0.0);
	});

	it('goes by the present round where that is faster', () => {
		const trips = based(100);
		trips.begin(10);
		trips.note({ rtt: 50, inFlight: 10 });
		expect(trips.queueShare(100)).toBe(0.5);
	});

	it('does not count what opening connections takes', () => {
		expect(based(1).queueShare(10)).toBe(0.5);
	});
});
