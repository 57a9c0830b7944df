import fc from 'fast-check';
import type { Answer } from '../../dev/bench/simulation.mts';
import {
	fixedWindow,
	sendAll,
	simulate,
	SimulatedClock,
	tokenBucket,
} from '../../dev/bench/simulation.mts';
import { Limiter } from '../../nodes/shared/limiter/limiter';
import { Stop } from '../../nodes/shared/limiter/stop';

const OK: Answer = { status: 200 };

/** Any answer of an API that is, in the long run, able to serve. */
const answers = fc.oneof(
	{ weight: 5, arbitrary: fc.constant(OK) },
	fc.record({
		status: fc.constantFrom(429, 503),
		retryAfterMs: fc.option(fc.constantFrom(0, 10, 1_000, 20_000), { nil: undefined }),
	}),
);
const patterns = fc.array(answers, { maxLength: 40 });
const latencies = fc.constantFrom(1, 7, 50, 400);

/** Answers by the pattern first, then always well. */
function following(pattern: Answer[]): () => Answer {
	let next = 0;
	return () => pattern[next++] ?? OK;
}

function refusedShare(sent: Array<{ status: number }>): number {
	return sent.filter(({ status }) => status !== 200).length / sent.length;
}

async function isTaken(promise: Promise<unknown>, clock: SimulatedClock): Promise<boolean> {
	const no = clock.sleep(1).then(() => false);
	return await clock.run(Promise.race([promise.then(() => true), no]));
}

describe('whatever the API answers', () => {
	it('every item is applied once, and there are never more in flight than allowed', async () => {
		await fc.assert(
			fc.asyncProperty(
				patterns,
				latencies,
				fc.integer({ min: 1, max: 50 }),
				async (pattern, latency, max) => {
					const simulation = simulate(following(pattern), () => latency);
					await sendAll(simulation, 30, max);
					const applied = simulation.sent.filter(({ status }) => status === 200);
					expect(applied.map(({ item }) => item).sort((a, b) => a - b)).toEqual(
						Array.from({ length: 30 }, (_, item) => item),
					);
					expect(simulation.mostInFlight).toBeLessThanOrEqual(max);
					await simulation.clock.run(simulation.clock.sleep(150_000));
					expect(simulation.limiter.isForgotten).toBe(true);
				},
			),
		);
	});

	it('nothing is sent while it wants a pause', async () => {
		await fc.assert(
			fc.asyncProperty(patterns, latencies, async (pattern, latency) => {
				const simulation = simulate(following(pattern), () => latency);
				await sendAll(simulation, 30, 20);
				const { sent } = simulation;
				for (const [index, refusal] of sent.entries()) {
					const asked = pattern[index]?.retryAfterMs ?? 0;
					// It is known half a latency after the refusal, and what is on its way arrives as late.
					const held = { from: refusal.at + latency, to: refusal.at + latency / 2 + asked };
					expect(sent.filter(({ at }) => at > held.from && at < held.to)).toEqual([]);
				}
			}),
		);
	});

	it('a run that is stopped gets no permit any more, and gives back those it has', async () => {
		await fc.assert(
			fc.asyncProperty(patterns, fc.integer({ min: 0, max: 3_000 }), async (pattern, stopAt) => {
				const simulation = simulate(following(pattern), () => 20);
				const { clock, limiter, sent } = simulation;
				const [stopped, other] = [new Stop(), new Stop()];
				const ended = Array.from({ length: 30 }, async (_, item) => {
					await simulation.send(item, { kind: 'any', run: stopped, max: 20 });
				});
				const others = Array.from({ length: 30 }, async (_, item) => {
					await simulation.send(100 + item, { kind: 'any', run: other, max: 20 });
				});
				void clock.sleep(stopAt).then(() => stopped.stop());
				await clock.run(Promise.all([...ended, ...others]));
				expect(sent.filter(({ item, at }) => item < 100 && at > stopAt + 10)).toEqual([]);
				expect(sent.filter(({ item, status }) => item >= 100 && status === 200)).toHaveLength(30);
				await clock.run(clock.sleep(150_000));
				expect(limiter.isForgotten).toBe(true);
			}),
		);
	});
});

describe('runs that share an API', () => {
	it('take turns: a small one waits for no more than one request of each other run', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 4 }),
				fc.integer({ min: 1, max: 20 }),
				async (bigRuns, small) => {
					const simulation = simulate(
						() => OK,
						() => 10,
					);
					const { clock, sent } = simulation;
					const big = Array.from({ length: bigRuns }, async () => await many(300, 0));
					await clock.run(clock.sleep(50));
					const before = sent.length;
					await clock.run(many(small, 1_000));
					const meanwhile = sent.slice(before).filter(({ item }) => item < 1_000).length;
					// 20 were on their way, and 20 more when its last one has been sent.
					expect(meanwhile).toBeLessThanOrEqual(small * bigRuns + 40);
					await clock.run(Promise.all(big));

					async function many(count: number, first: number): Promise<unknown> {
						const run = new Stop();
						return await Promise.all(
							Array.from({ length: count }, async (_, index) => {
								await simulation.send(first + index, { kind: 'any', run, max: 20 });
							}),
						);
					}
				},
			),
			{ numRuns: 30 },
		);
	});

	it('each keep to their own maximum, and one with 1 does not slow the other down', async () => {
		const simulation = simulate(
			() => OK,
			() => 10,
		);
		const { clock, limiter } = simulation;
		const [wide, narrow] = [new Stop(), new Stop()];
		const first = await limiter.acquire({ kind: 'any', run: narrow, max: 1 });
		expect(await isTaken(limiter.acquire({ kind: 'any', run: narrow, max: 1 }), clock)).toBe(false);
		for (let count = 0; count < 9; count++) {
			expect(await isTaken(limiter.acquire({ kind: 'any', run: wide, max: 20 }), clock)).toBe(true);
		}
		first?.release('unknown');
	});
});

describe('a limit of 100 requests a second, each refusal with Retry-After: 1', () => {
	const limits = {
		'10 at once': { make: () => tokenBucket(100, 10, 1_000), saved: 10 },
		'100 at once': { make: () => tokenBucket(100, 100, 1_000), saved: 100 },
		'a window of a second': { make: () => fixedWindow(100, 1_000, 1_000), saved: 100 },
	};
	for (const [name, { make, saved }] of Object.entries(limits)) {
		it.each([
			[500, 2],
			[5_000, 1.25],
		])(`and ${name} is used well by %i updates`, async (count, times) => {
			const simulation = simulate(make(), () => 5);
			const retries = await sendAll(simulation, count, 20);
			expect(simulation.clock.now()).toBeLessThan(((count - saved) / 100) * 1000 * times);
			expect(refusedShare(simulation.sent)).toBeLessThan(0.1);
			expect(Math.max(...retries)).toBeLessThan(5);
		});
	}
});

describe('what is learned', () => {
	it('a refusal halves how many are sent at once, once for those that were on their way', async () => {
		const simulation = simulate(
			() => ({ status: 200 }),
			() => 10,
		);
		const { limiter, clock } = simulation;
		const run = new Stop();
		const permits = await Promise.all(
			Array.from({ length: 10 }, async () => await limiter.acquire({ kind: 'any', run, max: 20 })),
		);
		for (const permit of permits) permit?.release('overloaded');
		for (let count = 0; count < 5; count++) {
			expect(await isTaken(limiter.acquire({ kind: 'any', run, max: 20 }), clock)).toBe(true);
		}
		expect(await isTaken(limiter.acquire({ kind: 'any', run, max: 20 }), clock)).toBe(false);
	});

	it('grows to the maximum within one round trip when nothing is refused', async () => {
		const simulation = simulate(
			() => OK,
			() => 10,
		);
		await sendAll(simulation, 100, 20);
		expect(simulation.mostInFlight).toBe(20);
		expect(simulation.clock.now()).toBeLessThanOrEqual(60);
	});

	it('is followed when the API lets more through than before', async () => {
		let limit = tokenBucket(20, 10, 1_000);
		const simulation = simulate(
			(now) => limit(now),
			() => 5,
		);
		await sendAll(simulation, 400, 20);
		limit = tokenBucket(1_000, 100, 1_000);
		const before = simulation.clock.now();
		await sendAll(simulation, 1_000, 20);
		expect(simulation.clock.now() - before).toBeLessThan(40_000);
	});

	it.each([50, 1_000])('does not come from rests of %i ms', async (restMs) => {
		const { clock, limiter } = simulate(
			() => OK,
			() => 5,
		);
		const run = new Stop();
		for (let count = 0; count < 30; count++) {
			const permit = await clock.run(limiter.acquire({ kind: 'any', run, max: 20 }));
			await clock.run(clock.sleep(5));
			if (count === 29) limiter.pause(100);
			permit?.release(count === 29 ? 'limited' : 'fine');
			await clock.run(clock.sleep(restMs));
		}
		expect(limiter.perSecond).toBeLessThan(Infinity);
		expect(limiter.perSecond).toBeGreaterThan(50);
	});

	it('does not come from the time that n8n takes before the first request is sent', async () => {
		const { clock, limiter } = simulate(
			() => OK,
			() => 5,
		);
		const run = new Stop();
		const permits = await Promise.all(
			Array.from({ length: 10 }, async () => await limiter.acquire({ kind: 'any', run, max: 20 })),
		);
		await clock.run(clock.sleep(5_000));
		for (const permit of permits.slice(0, 9)) permit?.release('fine');
		await clock.run(clock.sleep(5));
		limiter.pause(100);
		permits[9]?.release('limited');
		expect(limiter.perSecond).toBeLessThan(Infinity);
		expect(limiter.perSecond).toBeGreaterThan(50);
	});
});

describe('a pause', () => {
	it('can be made longer, but not shorter, and is counted once', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		limiter.pause(1_000);
		limiter.pause(3_000);
		limiter.pause(10);
		limiter.pause(0);
		await clock.run(limiter.acquire({ kind: 'any', run: new Stop(), max: 1 }));
		expect(clock.now()).toBe(3_000);
		expect(limiter.pauses).toEqual({ count: 1, totalMs: 3_000 });
	});

	it('does not keep a run that is stopped', async () => {
		const clock = new SimulatedClock();
		const limiter = new Limiter(clock);
		const run = new Stop();
		limiter.pause(600_000);
		const waiting = limiter.acquire({ kind: 'any', run, max: 1 });
		void clock.sleep(100).then(() => run.stop());
		expect(await clock.run(waiting)).toBeUndefined();
		expect(clock.now()).toBe(100);
		expect(clock.busyUntil).toBeLessThan(1_000);
	});
});
