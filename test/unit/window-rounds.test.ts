import { Window } from '../../nodes/shared/pacing/window';

const BASE_MS = 60;

interface Round {
	kind?: string;
	/** The most that are wanted; 200 unless given. */
	max?: number;
	/** As many as the window allows and are wanted unless given. */
	inFlight?: number;
	/** As many as are judged together unless given. */
	answers?: number;
	isDelayed?: boolean;
}

/** A window, and rounds of answers that all take equally long. */
class Rounds {
	readonly window = new Window();
	private now = 0;

	get size(): number {
		return this.window.size;
	}

	/** Answers to requests that were sent together, each among as many as are in flight. */
	round(ms: number, round: Round = {}): void {
		const { kind = 'any', max = 200, answers = Math.max(16, this.size), isDelayed } = round;
		const sentAt = this.now;
		this.now += ms;
		for (let answer = 0; answer < answers; answer++) {
			const inFlight = round.inFlight ?? Math.min(this.size, max);
			const departure = this.window.depart(kind, sentAt, inFlight, isDelayed);
			this.window.arrive(departure, this.now, inFlight, max);
		}
	}

	/** What the window is after each of some rounds. */
	sizes(count: number, ms: number, round?: Round): number[] {
		return Array.from({ length: count }, () => {
			this.round(ms, round);
			return this.size;
		});
	}
}

/** Some rounds at the base's speed, in which as many are wanted. */
function begun(max: number): Rounds {
	const rounds = new Rounds();
	rounds.sizes(5, BASE_MS, { max });
	return rounds;
}

/** Narrowed to a size by answers so slow that nearly all must have been waiting. */
function narrowed(size: number): Rounds {
	const rounds = begun(2 * size);
	rounds.round(10 * BASE_MS, { max: 2 * size });
	expect(rounds.size).toBe(size);
	return rounds;
}

describe('a window that was narrowed', () => {
	it('grows by a quarter each round while answers come at the base’s speed', () => {
		// In the first of these it is seen that there is room.
		expect(narrowed(40).sizes(4, BASE_MS)).toEqual([40, 50, 62, 78]);
	});

	it.each([
		['a quarter', 14, 1.17, 10],
		['one', 16, 1.19, 1],
		['one', 29, 1.4, 1],
		['nothing', 31, 1.45, 0],
		['nothing', 39, 1.63, 0],
	])('grows by %s until it is judged again where %d %% wait', (_, __, times, more) => {
		const rounds = narrowed(40);
		rounds.round(times * BASE_MS);
		// What is not judged does not let it grow any further, however much there is of it.
		rounds.round(times * BASE_MS, { answers: 200, isDelayed: true });
		expect(rounds.size).toBe(40 + more);
	});

	it('adds about one with each round trip where some wait', () => {
		const rounds = narrowed(40);
		rounds.round(1.3 * BASE_MS);
		rounds.round(1.3 * BASE_MS, { answers: 39 });
		expect(rounds.size).toBe(40);
		rounds.round(1.3 * BASE_MS, { answers: 3, isDelayed: true });
		expect(rounds.size).toBe(41);
	});

	it('grows by one where a quarter would be less than that', () => {
		const rounds = narrowed(3);
		rounds.round(BASE_MS);
		rounds.round(BASE_MS);
		expect(rounds.size).toBe(4);
	});

	it('stays while it is not full, until it is', () => {
		const rounds = narrowed(40);
		expect(rounds.sizes(3, BASE_MS, { inFlight: 39 })).toEqual([40, 40, 40]);
		rounds.round(BASE_MS);
		expect(rounds.size).toBe(50);
	});
});

describe('how far a window is narrowed', () => {
	it.each([
		['not at all where four in ten wait', 40, 5 / 3, 40],
		// 14 are worked on, which is 0.7 of 20.
		['to what leaves three in ten waiting', 28, 2, 20],
		['to half where nearly all wait', 28, 10, 14],
		['by one at least', 5, 1.72, 4],
		['to two at least', 2, 10, 2],
		['to one where no more is wanted', 1, 10, 1],
	])('%s', (_, max, times, size) => {
		const rounds = begun(max);
		rounds.round(times * BASE_MS, { max });
		expect(rounds.size).toBe(size);
	});

	it('is not told from less than half of it', () => {
		const rounds = begun(40);
		rounds.round(10 * BASE_MS, { inFlight: 19 });
		expect(rounds.size).toBe(40);
		rounds.round(10 * BASE_MS, { inFlight: 20 });
		expect(rounds.size).toBe(20);
	});
});

describe('a run that wants fewer than are in flight', () => {
	it('does not narrow what others use', () => {
		const rounds = begun(40);
		rounds.round(BASE_MS, { max: 5, inFlight: 40 });
		expect(rounds.size).toBe(40);
	});

	it('has the window narrowed by what all use', () => {
		const rounds = begun(40);
		rounds.round(10 * BASE_MS, { max: 5, inFlight: 40 });
		expect(rounds.size).toBe(20);
	});
});

describe('at first', () => {
	it.each([
		['doubles while less than half waits', 1.99, 20],
		['grows by a quarter where half waits', 2, 12],
	])('a window %s', (_, times, size) => {
		const rounds = begun(10);
		rounds.round(times * BASE_MS, { answers: 10 });
		expect(rounds.size).toBe(size);
	});
});

describe('once the base is in doubt', () => {
	const SLOW_MS = 1.72 * BASE_MS;

	/** After five rounds that were too slow; and what the window was before the base is measured. */
	function measuring(rounds = begun(80)): { rounds: Rounds; before: number } {
		const most = { max: rounds.size };
		rounds.sizes(4, SLOW_MS, most);
		// Its last answer has the base measured, instead of only narrowing it to what leaves enough waiting.
		const before = Math.ceil((rounds.size * BASE_MS) / SLOW_MS / 0.7);
		rounds.round(SLOW_MS, most);
		expect(rounds.size).toBeLessThan(0.7 * before);
		return { rounds, before };
	}

	it('as many as before are let through after sixteen answers', () => {
		const { rounds, before } = measuring();
		rounds.round(BASE_MS, { answers: 15 });
		expect(rounds.size).toBeLessThan(before);
		rounds.round(BASE_MS, { answers: 1 });
		expect(rounds.size).toBe(before);
	});

	it('other kinds than the one that is measured keep it narrow for 48 answers', () => {
		const { rounds, before } = measuring();
		rounds.round(BASE_MS, { answers: 47, kind: 'other' });
		expect(rounds.size).toBeLessThan(before);
		rounds.round(BASE_MS, { answers: 1, kind: 'other' });
		expect(rounds.size).toBe(before);
	});

	it('what was sent before tells nothing', () => {
		const begunBefore = begun(80);
		const { window } = begunBefore;
		const sentBefore = Array.from({ length: 60 }, () => window.depart('any', 0, 60));
		const { rounds, before } = measuring(begunBefore);
		const { size } = rounds;
		for (const departure of sentBefore) window.arrive(departure, 10_000, size, 80);
		expect(rounds.size).toBe(size);
		expect(size).toBeLessThan(before);
	});

	it('it doubles again where the API has become slower by itself', () => {
		const { rounds, before } = measuring();
		rounds.round(SLOW_MS, { answers: 16 });
		expect(rounds.sizes(1, SLOW_MS)).toEqual([2 * before]);
	});

	it('it grows no faster than any other where the API is hardly slower by itself', () => {
		const { rounds, before } = measuring();
		rounds.round(1.4 * BASE_MS, { answers: 16 });
		const more = Math.floor(before / 4);
		expect(rounds.sizes(2, 1.4 * BASE_MS)).toEqual([before, before + more]);
	});

	it('it does not double again after a refusal, however slow the API has become by itself', () => {
		const refused = begun(160);
		refused.window.halve(160);
		const { rounds, before } = measuring(refused);
		rounds.round(SLOW_MS, { answers: 16 });
		expect(rounds.sizes(1, SLOW_MS)).toEqual([before]);
	});

	it('a refusal ends the measurement', () => {
		const { rounds } = measuring();
		rounds.window.halve(rounds.size);
		const { size } = rounds;
		rounds.round(BASE_MS);
		expect(rounds.size).toBeLessThanOrEqual(size + 2);
	});

	it('what is never answered ends the measurement', () => {
		const { rounds, before } = measuring();
		const { window } = rounds;
		expect(window.relax(window.relaxesAt)).toBe(true);
		expect(rounds.size).toBe(before);
	});
});
