import { ConcurrencyLimit } from '../../nodes/shared/limiter/concurrencyLimit';
import { LEAST_ANSWERS } from '../../nodes/shared/limiter/roundTrips';

const BASE_MS = 60;

interface Round {
	kind?: string;
	/** The most that are wanted; 200 unless given. */
	max?: number;
	/** As many as the limit allows and are wanted unless given. */
	inFlight?: number;
	/** As many as are judged together unless given. */
	answers?: number;
	isDelayed?: boolean;
}

/** A concurrency limit, and rounds of answers that all take equally long. */
class Rounds {
	readonly concurrency = new ConcurrencyLimit();
	private now = 0;

	get size(): number {
		return this.concurrency.limit;
	}

	/** Answers to requests that were sent together, each among as many as are in flight. */
	round(ms: number, round: Round = {}): void {
		const { kind = 'any', max = 200, answers = Math.max(16, this.size), isDelayed } = round;
		const sentAt = this.now;
		this.now += ms;
		for (let answer = 0; answer < answers; answer++) {
			const inFlight = round.inFlight ?? Math.min(this.size, max);
			const departure = this.concurrency.send(kind, sentAt, inFlight, isDelayed);
			this.concurrency.update(departure, this.now, inFlight, max);
		}
	}

	/** What the limit is after each of some rounds. */
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

/** Lowered to a size by answers so slow that nearly all requests must have been waiting. */
function narrowed(size: number): Rounds {
	const rounds = begun(2 * size);
	rounds.round(10 * BASE_MS, { max: 2 * size });
	expect(rounds.size).toBe(size);
	return rounds;
}

describe('a limit that was lowered', () => {
	it('is raised by a quarter in a round at most while answers come at the base’s speed', () => {
		const limits = [40, ...narrowed(40).sizes(6, BASE_MS)];
		for (const [round, limit] of limits.slice(1).entries()) {
			expect(limit).toBeGreaterThan(limits[round]);
			expect(limit).toBeLessThanOrEqual(1.25 * limits[round] + 1);
		}
	});

	it.each([
		['raised', 10, 1.11, 41, 50],
		['raised', 20, 1.25, 41, 50],
		['hardly raised', 28, 1.39, 40, 42],
		['kept', 31, 1.45, 40, 40],
		['kept', 39, 1.63, 40, 40],
		['lowered', 45, 1.82, 20, 39],
	])('is %s where %d %% wait', (_, __, times, least, most) => {
		const rounds = narrowed(40);
		rounds.round(times * BASE_MS);
		expect(rounds.size).toBeGreaterThanOrEqual(least);
		expect(rounds.size).toBeLessThanOrEqual(most);
		const { size } = rounds;
		// Answers to delayed requests are not judged and do not raise it, however many there are.
		rounds.round(times * BASE_MS, { answers: 200, isDelayed: true });
		expect(rounds.size).toBe(size);
	});

	it('is raised by one where a quarter would be less than that', () => {
		const rounds = narrowed(3);
		rounds.round(BASE_MS);
		expect(rounds.size).toBe(4);
	});

	it('stays while it is not reached, until it is', () => {
		const rounds = narrowed(40);
		expect(rounds.sizes(3, BASE_MS, { inFlight: 39 })).toEqual([40, 40, 40]);
		rounds.round(BASE_MS);
		expect(rounds.size).toBe(1.25 * 40);
	});
});

describe('how far a limit is lowered', () => {
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

	it('is not judged while less than half of it is used', () => {
		const rounds = begun(40);
		rounds.round(10 * BASE_MS, { inFlight: 19 });
		expect(rounds.size).toBe(40);
		rounds.round(10 * BASE_MS, { inFlight: 20 });
		expect(rounds.size).toBe(20);
	});
});

describe('a run that wants fewer than are in flight', () => {
	it('does not lower the limit that others use', () => {
		const rounds = begun(40);
		rounds.round(BASE_MS, { max: 5, inFlight: 40 });
		expect(rounds.size).toBe(40);
	});

	it('has the limit lowered by the requests of all runs', () => {
		const rounds = begun(40);
		rounds.round(10 * BASE_MS, { max: 5, inFlight: 40 });
		expect(rounds.size).toBe(20);
	});
});

describe('at first', () => {
	it.each([
		['doubles while less than half waits', 1.99, 20],
		['grows by a quarter where half waits', 2, 12],
	])('a limit %s', (_, times, size) => {
		const rounds = begun(10);
		rounds.round(times * BASE_MS, { answers: 10 });
		expect(rounds.size).toBe(size);
	});
});

describe('once the base is in doubt', () => {
	const SLOW_MS = 1.72 * BASE_MS;

	/** After five rounds that were too slow; and what the limit was before the base is measured. */
	function measuring(rounds = begun(80)): { rounds: Rounds; before: number } {
		const most = { max: rounds.size };
		rounds.sizes(4, SLOW_MS, most);
		// Its last answer has the base measured, instead of only narrowing it to what leaves enough waiting.
		const before = Math.floor((rounds.size * BASE_MS) / SLOW_MS / 0.7);
		rounds.round(SLOW_MS, most);
		expect(rounds.size).toBeLessThan(0.7 * before);
		return { rounds, before };
	}

	/** How many answers of a kind it takes until the limit is what it was. */
	function answersUntilRestored(kind: string): number {
		const { rounds, before } = measuring();
		for (let answers = 1; ; answers++) {
			rounds.round(BASE_MS, { answers: 1, kind });
			if (rounds.size === before) return answers;
			expect(answers).toBeLessThan(100);
		}
	}

	it('the limit is restored after enough answers to measure it, of other kinds more', () => {
		expect(answersUntilRestored('any')).toBe(LEAST_ANSWERS);
		expect(answersUntilRestored('other')).toBeGreaterThan(LEAST_ANSWERS);
	});

	it('requests that were sent before it do not count', () => {
		const begunBefore = begun(80);
		const { concurrency } = begunBefore;
		const sentBefore = Array.from({ length: 60 }, () => concurrency.send('any', 0, 60));
		const { rounds, before } = measuring(begunBefore);
		const { size } = rounds;
		for (const departure of sentBefore) concurrency.update(departure, 10_000, size, 80);
		expect(rounds.size).toBe(size);
		expect(size).toBeLessThan(before);
	});

	it('the limit doubles again where the API has become slower without load', () => {
		const { rounds, before } = measuring();
		rounds.round(SLOW_MS, { answers: LEAST_ANSWERS });
		expect(rounds.sizes(1, SLOW_MS)).toEqual([2 * before]);
	});

	it('the limit grows by a quarter at most where the API is hardly slower without load', () => {
		const { rounds, before } = measuring();
		rounds.round(1.4 * BASE_MS, { answers: LEAST_ANSWERS });
		const [first, second] = rounds.sizes(2, 1.4 * BASE_MS);
		expect(first).toBeLessThanOrEqual(1.25 * before + 1);
		expect(second).toBeLessThanOrEqual(1.25 * first + 1);
	});

	it('the limit does not double again after a refusal, however slow the API has become', () => {
		const refused = begun(160);
		refused.concurrency.drop(160);
		const { rounds, before } = measuring(refused);
		rounds.round(SLOW_MS, { answers: LEAST_ANSWERS });
		const [limit] = rounds.sizes(1, SLOW_MS);
		expect(limit).toBeGreaterThanOrEqual(before);
		expect(limit).toBeLessThanOrEqual(before + 1);
	});

	it('a refusal ends the measurement', () => {
		const { rounds } = measuring();
		rounds.concurrency.drop(rounds.size);
		const { size } = rounds;
		rounds.round(BASE_MS);
		expect(rounds.size).toBeLessThanOrEqual(size + 2);
	});

	it('the measurement ends though its requests are never answered', () => {
		const { rounds, before } = measuring();
		const { concurrency } = rounds;
		expect(concurrency.relax(concurrency.relaxesAt)).toBe(true);
		expect(rounds.size).toBe(before);
	});
});
