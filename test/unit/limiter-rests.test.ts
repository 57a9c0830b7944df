import type { Answer, Answers } from '../../dev/bench/simulation.mts';
import { sendAll, simulate, SimulatedClock, tokenBucket } from '../../dev/bench/simulation.mts';
import type { Permit } from '../../nodes/shared/limiter/limiter';
import { Limiter } from '../../nodes/shared/limiter/limiter';
import { Stop } from '../../nodes/shared/limiter/stop';

const PER_SECOND = 100;

/** An API with a steady limit, one answer of which is something else. */
function interrupted(at: number, answer: Answer): Answers {
	const limited = tokenBucket(PER_SECOND, 10, 1_000);
	let count = 0;
	return (now) => (++count === at ? answer : limited(now));
}

async function secondsFor(count: number, answers: Answers): Promise<number> {
	const simulation = simulate(answers, () => 10);
	await sendAll(simulation, count, 20);
	return simulation.clock.now() / 1000;
}

/** Takes as many permits as there are for a new run. */
async function acquireAll(limiter: Limiter, clock: SimulatedClock, max: number): Promise<Permit[]> {
	const permits: Permit[] = [];
	const run = new Stop();
	for (let count = 0; count < max; count++) {
		void limiter
			.acquire({ kind: 'any', run, max })
			.then((permit) => permit && permits.push(permit));
	}
	await clock.run(clock.sleep(0));
	run.stop();
	return permits;
}

describe('time in which nothing may be sent', () => {
	it.each([
		[5, 30],
		[1_000, 30],
		[1_000, 120],
	])(
		'for a 503 as answer %d, which asks for %d s, costs no more than that',
		async (at, seconds) => {
			const plain = await secondsFor(2_000, interrupted(0, { status: 503 }));
			const answer = { status: 503, retryAfterMs: seconds * 1_000 };
			const held = await secondsFor(2_000, interrupted(at, answer));
			expect(held).toBeGreaterThan(seconds);
			expect(held).toBeLessThan(seconds + 1.2 * plain);
		},
	);

	it('is not caught up on behind a first request that was answered late', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		const [refused, ...accepted] = await acquireAll(limiter, clock, 10);
		await clock.run(clock.sleep(10));
		limiter.pause(1_000);
		refused.release('limited');
		for (const permit of accepted) permit.release('fine');
		await clock.run(clock.sleep(1_000));
		const [probe] = await acquireAll(limiter, clock, 5);
		const slotMs = 1_000 / limiter.perSecond;
		// Long enough to be owed another one, not long enough to count as accepted without an answer.
		await clock.run(clock.sleep(2 * slotMs));
		probe.release('fine');
		expect(await acquireAll(limiter, clock, 5)).toHaveLength(1);
	});

	it('is a rest also while a slow request of another run is on its way', async () => {
		const simulation = simulate(tokenBucket(PER_SECOND, 10, 1_000), () => 10);
		const { clock, limiter } = simulation;
		const slow = await clock.run(limiter.acquire({ kind: 'any', run: new Stop(), max: 20 }));
		// Measuring begins with the first answer.
		await sendAll(simulation, 1, 20);
		await clock.run(clock.sleep(30_000));
		const before = clock.now();
		await sendAll(simulation, 500, 20);
		slow?.release('fine');
		expect((clock.now() - before) / 1000).toBeLessThan((2 * 500) / PER_SECOND);
	});
});

describe('an API that refuses without naming a moment', () => {
	async function heldMs(limiter: Limiter, clock: SimulatedClock): Promise<number> {
		const before = limiter.pauses.totalMs;
		const permit = await clock.run(limiter.acquire({ kind: 'any', run: new Stop(), max: 1 }));
		permit?.release('limited');
		await clock.run(clock.sleep(limiter.pausedMs));
		return limiter.pauses.totalMs - before;
	}

	/** Every pause until it has refused so often. */
	async function pauses(limiter: Limiter, clock: SimulatedClock, count: number): Promise<number[]> {
		const held: number[] = [];
		for (let round = 0; round < count; round++) held.push(await heldMs(limiter, clock));
		return held.filter((ms) => ms > 0);
	}

	it('is given more time after each refusal for two minutes, then a second, until it answers again', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		const held = await pauses(limiter, clock, 40);
		const growing = held.slice(0, held.indexOf(1000));
		expect(growing[0]).toBe(100);
		expect(growing.reduce((sum, ms) => sum + ms)).toBeGreaterThan(120_000);
		expect(Math.max(...growing)).toBeLessThanOrEqual(30_000);
		for (const [index, ms] of growing.slice(1).entries()) {
			expect(ms / growing[index]).toBeLessThan(1.26);
			expect(ms).toBeGreaterThanOrEqual(growing[index]);
		}
		expect(held.slice(growing.length).every((ms) => ms === 1000)).toBe(true);
		expect(limiter.isDown).toBe(true);
		const [permit] = await acquireAll(limiter, clock, 1);
		permit.release('fine');
		expect(limiter.isDown).toBe(false);
		expect((await pauses(limiter, clock, 10))[0]).toBe(100);
	});

	it('is given that time again after two minutes without a request', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		await pauses(limiter, clock, 12);
		await clock.run(clock.sleep(120_000));
		expect((await pauses(limiter, clock, 10))[0]).toBe(100);
	});

	it('is sent one request first after a pause, and the others once that is accepted', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		await pauses(limiter, clock, 8);
		const [probe, ...others] = await acquireAll(limiter, clock, 5);
		expect(others).toEqual([]);
		probe.release('fine');
		await clock.run(clock.sleep(10_000));
		const [next] = await acquireAll(limiter, clock, 5);
		expect(next).toBeDefined();
	});

	it('keeps nothing waiting for a first request that is never answered', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		for (const permit of await acquireAll(limiter, clock, 10)) permit.release('limited');
		await clock.run(clock.sleep(1_000));
		expect(await acquireAll(limiter, clock, 5)).toHaveLength(1);
		const next = limiter.acquire({ kind: 'any', run: new Stop(), max: 2 });
		const before = clock.now();
		expect(await clock.run(next)).toBeDefined();
		expect(clock.now() - before).toBeLessThanOrEqual(1_000);
	});

	it('is given twice as long for the first request as the last refusal took, and a moment', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		await clock.run(clock.sleep(1_000));
		const refused = await acquireAll(limiter, clock, 10);
		await clock.run(clock.sleep(5));
		for (const permit of refused) permit.release('limited');
		await clock.run(clock.sleep(1_000));
		await acquireAll(limiter, clock, 5);
		await clock.run(clock.sleep(19));
		expect(await acquireAll(limiter, clock, 5)).toEqual([]);
		await clock.run(clock.sleep(2));
		expect(await acquireAll(limiter, clock, 5)).not.toEqual([]);
	});

	it('is sent first what it has refused the fewest times', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		await pauses(limiter, clock, 8);
		const run = new Stop();
		const admitted: string[] = [];
		const enter = (name: string, isRepeat: boolean) =>
			void limiter.acquire({ kind: 'any', run, max: 5, isRepeat }).then(() => admitted.push(name));
		limiter.pause(100);
		enter('refused before', true);
		enter('new', false);
		await clock.run(clock.sleep(100));
		expect(admitted).toEqual(['new']);
	});

	it('is sent one more first where the first request was not sent after all', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		await pauses(limiter, clock, 8);
		const [probe] = await acquireAll(limiter, clock, 5);
		probe.release('unused');
		const [next, ...others] = await acquireAll(limiter, clock, 5);
		expect([next === undefined, others]).toEqual([false, []]);
	});
});

describe('after two minutes without a request', () => {
	it('nothing is known any more, and not before', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		const [permit] = await acquireAll(limiter, clock, 1);
		permit.release('fine');
		await clock.run(clock.sleep(119_000));
		expect(limiter.isForgotten).toBe(false);
		await clock.run(clock.sleep(1_000));
		expect(limiter.isForgotten).toBe(true);
	});

	it('begins with ten at once again, and without a rate limit', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		const [first] = await acquireAll(limiter, clock, 1);
		limiter.pause(100);
		first.release('limited');
		await clock.run(clock.sleep(60_000));
		expect(limiter.perSecond).toBeLessThan(Infinity);
		for (const permit of await acquireAll(limiter, clock, 20)) permit.release('unknown');
		await clock.run(clock.sleep(120_000));
		const permits = await acquireAll(limiter, clock, 20);
		expect([permits.length, limiter.perSecond]).toEqual([10, Infinity]);
	});
});
