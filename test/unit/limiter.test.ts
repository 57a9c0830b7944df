import fc from 'fast-check';
import { Limiter, type Feedback, type Permit, type Ticket } from '../../nodes/shared/limiter/queue';
import { Cancellation } from '../../nodes/shared/async/cancel';
import type { Answer } from '../support/simulation.mts';
import { sendAll, simulate, SimulatedClock, tokenBucket } from '../support/simulation.mts';

const OK: Answer = { status: 200 };
const PAUSE_MS = 100;

/** Any answer of an API that serves requests in the long run. */
const answers = fc.oneof(
	{ weight: 5, arbitrary: fc.constant(OK) },
	fc.record({
		status: fc.constantFrom(429, 503),
		retryAfterMs: fc.option(fc.constantFrom(0, 10, 1_000, 20_000), { nil: undefined }),
	}),
);
const patterns = fc.array(answers, { maxLength: 40 });
const latencies = fc.constantFrom(1, 7, 50, 400);

/** An API that first follows the pattern, then accepts everything. */
function following(pattern: Answer[], ms: number) {
	let next = 0;
	return simulate(() => pattern[next++] ?? OK, { latencyMs: () => ms });
}

function accepting(ms = 10) {
	return following([], ms);
}

class Setup {
	readonly clock = new SimulatedClock();
	readonly limiter = new Limiter(this.clock);

	/** The permits that are free now, up to a maximum. The execution is stopped afterwards. */
	async permits(most: number, ticket: Partial<Ticket> = {}): Promise<Permit[]> {
		const permits: Permit[] = [];
		const run = new Cancellation();
		for (let count = 0; count < most; count++) {
			const acquiring = this.limiter.acquire({ run, max: 20, ...ticket });
			void acquiring.then((permit) => permit && permits.push(permit));
		}
		await this.clock.pass(0);
		run.cancel();
		return permits;
	}

	/** Sends requests one after another. */
	async send(count: number, ms: number, feedback: Feedback = 'fine'): Promise<void> {
		const run = new Cancellation();
		for (let request = 0; request < count; request++) {
			const permit = await this.clock.run(this.limiter.acquire({ run, max: 1 }));
			await this.clock.pass(ms);
			permit?.release(feedback);
		}
	}

	/** The pauses after this many successive refusals. */
	async backoffs(count: number): Promise<number[]> {
		const backoffs: number[] = [];
		for (let request = 0; request < count; request++) {
			const permit = await this.clock.run(
				this.limiter.acquire({ run: new Cancellation(), max: 1 }),
			);
			permit?.release('limited');
			if (this.limiter.pausedMs > 0) backoffs.push(Math.round(this.limiter.pausedMs));
			await this.clock.pass(this.limiter.pausedMs);
		}
		return backoffs;
	}
}

describe('Limiter with any answers of the API', () => {
	it('applies every item once, with no more requests in flight than allowed', async () => {
		await fc.assert(
			fc.asyncProperty(
				patterns,
				latencies,
				fc.integer({ min: 1, max: 50 }),
				async (pattern, latency, max) => {
					const simulation = following(pattern, latency);
					await sendAll(simulation, 30, max);
					const applied = simulation.arrivals.filter(({ status }) => status === 200);
					expect(applied.map(({ item }) => item).sort((a, b) => a - b)).toEqual(
						Array.from({ length: 30 }, (_, item) => item),
					);
					expect(simulation.mostInFlight).toBeLessThanOrEqual(max);
					await simulation.clock.pass(150_000);
					expect(simulation.limiter.isForgotten).toBe(true);
				},
			),
		);
	});

	it('sends no request during a requested pause', async () => {
		await fc.assert(
			fc.asyncProperty(patterns, latencies, async (pattern, latency) => {
				const simulation = following(pattern, latency);
				await sendAll(simulation, 30, 20);
				const { arrivals } = simulation;
				for (const [index, { at: refusedAt }] of arrivals.entries()) {
					// The client learns it half a latency later, and earlier requests arrive just as late.
					const until = refusedAt + latency / 2 + (pattern[index]?.retryAfterMs ?? 0);
					const inPause = ({ at }: { at: number }) => at > refusedAt + latency && at < until;
					expect(arrivals.filter(inPause)).toEqual([]);
				}
			}),
		);
	});
});

describe('Limiter: cancellation', () => {
	it('leaves all other requests unaffected by a cancellation at any time', async () => {
		const time = fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined });
		const requests = fc.array(
			fc.record({ at: fc.nat(300), withdrawnAt: time, run: fc.nat(2), isUnused: fc.boolean() }),
			{ maxLength: 60 },
		);
		const stops = fc.array(time, { minLength: 3, maxLength: 3 });
		await fc.assert(
			fc.asyncProperty(requests, stops, async (events, stopsAt) => {
				const { clock, limiter } = new Setup();
				const runs = stopsAt.map(() => new Cancellation());
				const at = async (ms: number | undefined, cancellation: Cancellation) => {
					if (ms === undefined) return;
					await clock.sleep(ms);
					cancellation.cancel();
				};
				const sending = events.map(async ({ at: startsAt, withdrawnAt, run, isUnused }) => {
					const cancelled = new Cancellation();
					void at(withdrawnAt, cancelled);
					await clock.sleep(startsAt);
					const permit = await limiter.acquire({ run: runs[run], max: 3, cancelled });
					const isCancelled = runs[run].isCancelled || cancelled.isCancelled;
					expect(permit !== undefined || isCancelled).toBe(true);
					// Long enough for others to wait.
					await clock.sleep(40);
					permit?.release(isUnused ? 'unused' : 'fine');
					expect(cancelled.listenerCount).toBe(0);
				});
				for (const [index, run] of runs.entries()) void at(stopsAt[index], run);
				await clock.run(Promise.all(sending));
				expect(runs.map(({ listenerCount }) => listenerCount)).toEqual([0, 0, 0]);
				await clock.pass(120_500);
				expect(limiter.isForgotten).toBe(true);
			}),
		);
	});

	it('ends the waiting in a pause immediately on cancellation, and leaves no long sleep', async () => {
		const { clock, limiter } = new Setup();
		const run = new Cancellation();
		limiter.pause(600_000);
		const waiting = limiter.acquire({ run, max: 1 });
		void clock.sleep(100).then(() => run.cancel());
		expect(await clock.run(waiting)).toBeUndefined();
		expect(clock.now()).toBe(100);
		expect(clock.busyUntil).toBeLessThan(1_000);
	});

	it('grants no permit after the execution was stopped or the request was cancelled', async () => {
		const { limiter } = new Setup();
		const stopped = new Cancellation();
		stopped.cancel();
		expect(await limiter.acquire({ run: stopped, max: 1 })).toBeUndefined();
		const cancelled = { run: new Cancellation(), max: 1, cancelled: stopped };
		expect(await limiter.acquire(cancelled)).toBeUndefined();
		expect(cancelled.run.listenerCount).toBe(0);
	});

	it('does not count cancelled requests with an unused permit towards the rate', async () => {
		const setup = new Setup();
		await setup.send(20, 500);
		await setup.send(6, 1, 'limited');
		await setup.send(1, 500);
		const before = setup.clock.now();
		for (let request = 0; request < 40; request++) {
			const permit = await setup.clock.run(
				setup.limiter.acquire({ run: new Cancellation(), max: 9 }),
			);
			permit?.release('unused');
		}
		// The rate is two a second.
		expect(setup.clock.now() - before).toBeLessThan(2_000);
	});
});

describe('Limiter: executions that share an API', () => {
	it('lets executions take turns, so that a small one waits for at most one request of each other one', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 4 }),
				fc.integer({ min: 1, max: 20 }),
				async (bigRuns, small) => {
					const { clock, arrivals, send } = accepting();
					const many = async (count: number, first: number) => {
						const run = new Cancellation();
						const item = async (_: unknown, index: number) =>
							await send(first + index, { run, max: 20 });
						await Promise.all(Array.from({ length: count }, item));
					};
					const big = Array.from({ length: bigRuns }, async () => await many(300, 0));
					await clock.pass(50);
					const before = arrivals.length;
					await clock.run(many(small, 1_000));
					const meanwhile = arrivals.slice(before).filter(({ item }) => item < 1_000).length;
					// 20 were in flight, and 20 more are in flight after its last one was sent.
					expect(meanwhile).toBeLessThanOrEqual(small * bigRuns + 40);
					await clock.run(Promise.all(big));
				},
			),
			{ numRuns: 30 },
		);
	});

	it('limits each execution to its own maximum, and all together to the largest one', async () => {
		const setup = new Setup();
		expect(await setup.permits(3, { max: 5 })).toHaveLength(3);
		expect(await setup.permits(3, { max: 1 })).toHaveLength(1);
		expect(await setup.permits(9, { max: 5 })).toHaveLength(1);
		expect(await setup.permits(2, { max: 2 })).toHaveLength(0);
	});
});

describe('Limiter: concurrency', () => {
	it('raises concurrency from ten to the maximum within a round trip if no request is refused', async () => {
		const simulation = accepting();
		await sendAll(simulation, 100, 20);
		expect(simulation.mostInFlight).toBe(20);
		expect(simulation.clock.now()).toBeLessThanOrEqual(60);
	});

	it('halves concurrency once for all requests in flight, for any number of refusals', async () => {
		const setup = new Setup();
		for (const permit of await setup.permits(10)) permit.release('overloaded');
		(await setup.permits(1))[0].release('fine');
		expect(await setup.permits(20)).toHaveLength(5);
	});

	it.each([
		['ten requests that are never answered', async (setup: Setup) => await setup.permits(10)],
		[
			'a probe that is never answered',
			async (setup: Setup) => {
				await setup.send(6, 10, 'limited');
				await setup.clock.pass(10_000);
				expect(await setup.permits(5)).toHaveLength(1);
			},
		],
	])('delays other requests for a few seconds only because of %s', async (_, hang) => {
		const setup = new Setup();
		await hang(setup);
		const before = setup.clock.now();
		expect(
			await setup.clock.run(setup.limiter.acquire({ run: new Cancellation(), max: 20 })),
		).toBeDefined();
		expect(setup.clock.now() - before).toBeGreaterThan(1_000);
		expect(setup.clock.now() - before).toBeLessThan(10_000);
	});
});

describe('Limiter: rate', () => {
	it('adapts the rate if the API allows more than before', async () => {
		let limit = tokenBucket(20, 10, 1_000);
		const simulation = simulate((now) => limit(now), { latencyMs: () => 5 });
		await sendAll(simulation, 400, 20);
		limit = tokenBucket(1_000, 100, 1_000);
		const before = simulation.clock.now();
		await sendAll(simulation, 1_000, 20);
		expect(simulation.clock.now() - before).toBeLessThan(40_000);
	});

	it('derives no rate from single refusals without Retry-After', async () => {
		const setup = new Setup();
		for (let round = 0; round < 50; round++) {
			await setup.send(9, 10);
			(await setup.permits(1))[0].release('limited');
		}
		expect(setup.limiter.pausedMs).toBe(0);
		// A rate would admit one.
		expect(await setup.permits(20)).toHaveLength(10);
	});
});

describe('Limiter: pauses', () => {
	it('extends a pause but never shortens it', async () => {
		const { clock, limiter } = new Setup();
		for (const ms of [1_000, 3_000, 10, 0]) limiter.pause(ms);
		await clock.pass(1_000);
		expect(limiter.pausedMs).toBe(2_000);
		await clock.run(limiter.acquire({ run: new Cancellation(), max: 1 }));
		expect(clock.now()).toBe(3_000);
		expect(limiter.pausedMs).toBe(0);
	});

	it.each([5, 1_000])(
		'needs little extra time after a pause of 30 s for overload, at answer %d',
		async (index) => {
			const timed = async (interruption?: number) => {
				const limit = tokenBucket(100, 10, 1_000);
				let count = 0;
				const simulation = simulate(
					(now) => (++count === interruption ? { status: 503, retryAfterMs: 30_000 } : limit(now)),
					{ latencyMs: () => 10 },
				);
				await sendAll(simulation, 2_000, 20);
				return simulation.clock.now();
			};
			const held = await timed(index);
			expect(held).toBeGreaterThan(30_000);
			expect(held).toBeLessThan(30_000 + 2 * (await timed()));
		},
	);
});

describe('Limiter: refusals without Retry-After', () => {
	it('pauses longer after each refusal for two minutes, then takes the API as down until it accepts', async () => {
		const setup = new Setup();
		const backoffs = await setup.backoffs(45);
		const growing = backoffs.slice(0, backoffs.indexOf(1_000));
		expect(growing.reduce((sum, ms) => sum + ms)).toBeGreaterThan(100_000);
		expect(Math.max(...growing)).toBeLessThanOrEqual(30_000);
		expect(growing).toEqual([...growing].sort((a, b) => a - b));
		expect(new Set(backoffs.slice(growing.length))).toEqual(new Set([1_000]));
		expect(setup.limiter.isDown).toBe(true);
		await setup.clock.pass(1_000);
		(await setup.permits(1))[0].release('fine');
		expect(setup.limiter.isDown).toBe(false);
		expect((await setup.backoffs(5))[0]).toBe(growing[0]);
	});

	it('sends one request at a time until the API accepts one, the least refused one first', async () => {
		const setup = new Setup();
		await setup.backoffs(8);
		const run = new Cancellation();
		const admitted: string[] = [];
		const enter = (name: string, isRetry: boolean) =>
			void setup.limiter.acquire({ run, max: 5, isRetry }).then((permit) => {
				admitted.push(name);
				void setup.clock.sleep(10).then(() => permit?.release('fine'));
			});
		setup.limiter.pause(PAUSE_MS);
		enter('refused before', true);
		enter('new', false);
		await setup.clock.pass(3_000);
		expect(admitted).toEqual(['new', 'refused before']);
	});
});

it('forgets the rate after two minutes without a request, but not before', async () => {
	const setup = new Setup();
	await setup.send(6, 10, 'limited');
	await setup.clock.pass(119_999);
	expect(setup.limiter.isForgotten).toBe(false);
	await setup.clock.pass(1);
	expect(setup.limiter.isForgotten).toBe(true);
	expect(await setup.permits(20)).toHaveLength(10);
});

// Node 24 warns about timers in the past.
it('never sets a timer for the past, even if time passes during the calculation', async () => {
	const slept: number[] = [];
	class PassingClock extends SimulatedClock {
		private looks = 0;

		override now(): number {
			return super.now() + ++this.looks / 2;
		}

		override async sleep(ms: number): Promise<void> {
			slept.push(ms);
			await super.sleep(ms);
		}
	}
	const clock = new PassingClock();
	const limiter = new Limiter(clock);
	// The rate is measured at first, then rises until requests no longer wait.
	for (let request = 1; request <= 2_000; request++) {
		const permit = await clock.run(limiter.acquire({ run: new Cancellation(), max: 1 }));
		if (request <= 50) await clock.pass(10);
		permit?.release(request > 40 && request <= 50 ? 'limited' : 'fine');
	}
	expect(slept.length).toBeGreaterThan(100);
	expect(Math.min(...slept)).toBeGreaterThan(0);
});
