import fc from 'fast-check';
import { SimulatedClock } from '../../dev/bench/simulation.mts';
import type { Permit, Ticket } from '../../nodes/shared/limiter/limiter';
import { Limiter } from '../../nodes/shared/limiter/limiter';
import { Stop } from '../../nodes/shared/limiter/stop';

const KIND = 'any';

interface Setup {
	clock: SimulatedClock;
	limiter: Limiter;
	/** Acquires a permit and releases it with feedback. */
	use(ticket: Ticket, feedback?: 'fine' | 'limited' | 'unused'): Promise<void>;
}

/** A limiter that has learned a rate limit of about as many requests a second as given. */
async function paced(perSecond: number): Promise<Setup> {
	const clock = new SimulatedClock();
	const limiter = new Limiter(clock);
	const setup: Setup = {
		clock,
		limiter,
		async use(ticket, feedback = 'fine') {
			const permit = await limiter.acquire(ticket);
			await clock.sleep(1_000 / perSecond);
			// Asked for a pause, it need not be told from chance.
			if (feedback === 'limited') limiter.pause(100);
			permit?.release(feedback);
		},
	};
	const ticket = { run: new Stop(), max: 20, kind: KIND };
	for (let count = 0; count < 20; count++) await clock.run(setup.use(ticket));
	await clock.run(setup.use(ticket, 'limited'));
	// Until there are two permits again, and the pause is over.
	await clock.run(setup.use(ticket));
	await clock.run(clock.sleep(10_000));
	expect(Math.round(limiter.perSecond)).toBe(perSecond);
	return setup;
}

function withdrawable(count: number): Array<Ticket & { withdrawn: Stop }> {
	const run = new Stop();
	return Array.from({ length: count }, () => ({
		run,
		max: 200,
		kind: KIND,
		withdrawn: new Stop(),
	}));
}

/** When a request of another run gets a permit. */
async function nextAt({ clock, limiter }: Setup): Promise<number> {
	const permit = await clock.run(limiter.acquire({ run: new Stop(), max: 200, kind: KIND }));
	const at = clock.now();
	permit?.release('fine');
	return at;
}

it('19 requests that are withdrawn while they wait do not delay the next one', async () => {
	const [setup, other] = [await paced(2), await paced(2)];
	const tickets = withdrawable(19);
	const permits = tickets.map(async (ticket) => await setup.limiter.acquire(ticket));
	for (const { withdrawn } of tickets) withdrawn.stop();
	const given = await setup.clock.run(Promise.all(permits));
	// One had its permit before.
	expect(given.filter((permit) => permit !== undefined)).toHaveLength(1);
	given[0]?.release('unused');
	expect(await nextAt(setup)).toBe(await nextAt(other));
});

it('permits that were given and not used delay no other request and do not change the rate', async () => {
	const [setup, other] = [await paced(2), await paced(2)];
	for (const ticket of withdrawable(40)) {
		const permit = (await setup.clock.run(setup.limiter.acquire(ticket))) as Permit;
		permit.release('unused');
	}
	expect(setup.clock.now()).toBe(other.clock.now());
	expect(await nextAt(setup)).toBe(await nextAt(other));
	for (const each of [setup, other]) {
		await each.clock.run(each.use({ run: new Stop(), max: 20, kind: KIND }, 'limited'));
		await each.clock.run(each.clock.sleep(20_000));
	}
	expect(setup.limiter.perSecond).toBe(other.limiter.perSecond);
});

it('a request that was withdrawn before it asks gets no permit', async () => {
	const { clock, limiter } = await paced(2);
	const [ticket] = withdrawable(1);
	ticket.withdrawn.stop();
	expect(await clock.run(limiter.acquire(ticket))).toBeUndefined();
});

it('a rest goes on while permits are given and not used', async () => {
	const clock = new SimulatedClock();
	const limiter = new Limiter(clock);
	const ticket = { run: new Stop(), max: 20, kind: KIND };
	for (let count = 0; count < 50; count++) {
		const permit = await clock.run(limiter.acquire(ticket));
		await clock.run(clock.sleep(10));
		permit?.release('fine');
	}
	for (let count = 0; count < 20; count++) {
		await clock.run(clock.sleep(1_000));
		(await clock.run(limiter.acquire(ticket)))?.release('unused');
	}
	await clock.run(clock.sleep(1_000));
	const permit = await clock.run(limiter.acquire(ticket));
	await clock.run(clock.sleep(10));
	limiter.pause(100);
	permit?.release('limited');
	await clock.run(clock.sleep(10_000));
	// 50 in half a second.
	expect(limiter.perSecond).toBeGreaterThan(80);
});

it('whatever is withdrawn or stopped when, all others are served and nothing stays behind', async () => {
	const events = fc.array(
		fc.record({
			at: fc.integer({ min: 0, max: 300 }),
			withdrawnAt: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
			run: fc.integer({ min: 0, max: 2 }),
		}),
		{ maxLength: 60 },
	);
	const stops = fc.array(fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }), {
		minLength: 3,
		maxLength: 3,
	});
	await fc.assert(
		fc.asyncProperty(events, stops, async (requests, stopsAt) => {
			const clock = new SimulatedClock();
			const limiter = new Limiter(clock);
			const runs = stopsAt.map(() => new Stop());
			const withdrawn = requests.map(() => new Stop());
			for (const [index, at] of stopsAt.entries()) {
				if (at !== undefined) void clock.sleep(at).then(() => runs[index].stop());
			}
			const served = await clock.run(
				Promise.all(
					requests.map(async ({ at, withdrawnAt, run }, index) => {
						if (withdrawnAt !== undefined) {
							void clock.sleep(withdrawnAt).then(() => withdrawn[index].stop());
						}
						await clock.sleep(at);
						const ticket = { run: runs[run], max: 3, kind: KIND, withdrawn: withdrawn[index] };
						const permit = await limiter.acquire(ticket);
						const isInVain = withdrawn[index].isStopped || runs[run].isStopped;
						if (permit && !isInVain) await clock.sleep(10);
						permit?.release(isInVain ? 'unused' : 'fine');
						return permit !== undefined && !isInVain;
					}),
				),
			);
			for (const [index, { withdrawnAt, run }] of requests.entries()) {
				if (withdrawnAt === undefined && stopsAt[run] === undefined)
					expect(served[index]).toBe(true);
			}
			const listeners = [...runs, ...withdrawn].map(({ listenerCount }) => listenerCount);
			expect(Math.max(0, ...listeners)).toBe(0);
			await clock.run(clock.sleep(150_000));
			expect(limiter.isForgotten).toBe(true);
		}),
	);
});
