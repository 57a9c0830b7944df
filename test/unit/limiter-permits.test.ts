import { SimulatedClock } from '../../dev/bench/simulation.mts';
import type { Permit, Ticket, Feedback } from '../../nodes/shared/limiter/limiter';
import { Limiter } from '../../nodes/shared/limiter/limiter';
import { Stop } from '../../nodes/shared/limiter/stop';

const PAUSE_MS = 100;

function ticket(max: number): Ticket {
	return { kind: 'any', run: new Stop(), max };
}

class CountingClock extends SimulatedClock {
	/** How many sleep. */
	asleep = 0;

	override async sleep(ms: number): Promise<void> {
		this.asleep++;
		await super.sleep(ms);
		this.asleep--;
	}
}

/** A limiter with its clock, and helpers for both. */
class Setup {
	readonly clock = new CountingClock();
	readonly limiter = new Limiter(this.clock);

	/** The permits that a run gets at once when it asks for as many. */
	async permits(count: number, of: Ticket): Promise<Permit[]> {
		const permits: Permit[] = [];
		for (let request = 0; request < count; request++) {
			void this.limiter.acquire(of).then((permit) => permit && permits.push(permit));
		}
		await this.pass(0);
		return permits;
	}

	async pass(ms: number): Promise<void> {
		await this.clock.run(this.clock.sleep(ms));
	}

	/** Sends requests one after another; each takes as many milliseconds. */
	async answered(count: number, ms: number, feedback: Feedback = 'fine'): Promise<void> {
		for (let request = 0; request < count; request++) {
			const permit = await this.clock.run(this.limiter.acquire(ticket(1)));
			await this.pass(ms);
			// Asked for a pause, it need not be told from chance.
			if (feedback === 'limited') this.limiter.pause(PAUSE_MS);
			permit?.release(feedback);
		}
	}
}

describe('permits', () => {
	it('are together no more than the largest maximum of the runs that share the API', async () => {
		const setup = new Setup();
		const [small, large] = [ticket(2), ticket(5)];
		expect(await setup.permits(5, large)).toHaveLength(5);
		expect(await setup.permits(2, small)).toHaveLength(0);
	});

	it('come free once, however often they are given back', async () => {
		const setup = new Setup();
		const run = ticket(3);
		const [first] = await setup.permits(3, run);
		first.release('fine');
		first.release('fine');
		expect(await setup.permits(3, run)).toHaveLength(1);
	});

	it('are waited for without a timer where only an answer can make one free', async () => {
		const setup = new Setup();
		expect(await setup.permits(11, ticket(20))).toHaveLength(10);
		expect(setup.clock.busyUntil).toBe(setup.clock.now());
	});
});

describe('pauses', () => {
	it('are counted one by one, and for as long as they have lasted', async () => {
		const setup = new Setup();
		const { limiter } = setup;
		limiter.pause(1_000);
		expect(limiter.pauses).toEqual({ count: 1, totalMs: 0 });
		await setup.pass(400);
		expect([limiter.pauses.totalMs, limiter.pausedMs]).toEqual([400, 600]);
		await setup.pass(700);
		expect([limiter.pauses.totalMs, limiter.pausedMs]).toEqual([1_000, 0]);
		limiter.pause(500);
		await setup.pass(500);
		expect(limiter.pauses).toEqual({ count: 2, totalMs: 1_500 });
	});

	it('of no length are none', async () => {
		const setup = new Setup();
		await setup.pass(1_000);
		setup.limiter.pause(0);
		expect(setup.limiter.pauses).toEqual({ count: 0, totalMs: 0 });
	});

	it('are as short as the API asks for when it refuses', async () => {
		const setup = new Setup();
		const [permit] = await setup.permits(1, ticket(1));
		setup.limiter.pause(50);
		permit.release('limited');
		expect(setup.limiter.pausedMs).toBe(50);
	});

	it('go on getting longer where only what was sent before a refusal comes through', async () => {
		const setup = new Setup();
		const [accepted, ...refused] = await setup.permits(10, ticket(10));
		for (const permit of refused) permit.release('limited');
		await setup.pass(1_000);
		const [probe] = await setup.permits(1, ticket(10));
		probe.release('limited');
		const firstMs = setup.limiter.pausedMs;
		expect(firstMs).toBeGreaterThan(0);
		accepted.release('fine');
		await setup.pass(firstMs);
		const [next] = await setup.permits(1, ticket(10));
		next.release('limited');
		expect(setup.limiter.pausedMs).toBeGreaterThan(firstMs);
	});
});

describe('the rate that is learned', () => {
	it.each([
		[99, 'counts', { least: 2, most: 6 }],
		[100, 'does not count', { least: 50, most: 120 }],
	])(
		'after a rest of %d ms, what the first answer takes %s',
		async (restMs, _, { least, most }) => {
			// A hundred a second without those five seconds, some four a second with them.
			const setup = new Setup();
			await setup.answered(20, 10);
			await setup.pass(restMs);
			await setup.answered(1, 5_000);
			await setup.answered(1, 10, 'limited');
			expect(setup.limiter.perSecond).toBeGreaterThan(least);
			expect(setup.limiter.perSecond).toBeLessThan(most);
		},
	);

	it('is that of slow answers, too, while others wait', async () => {
		const setup = new Setup();
		const run = ticket(1);
		const permits = await setup.permits(2, run);
		for (let request = 0; request < 20; request++) {
			await setup.pass(150);
			void setup.limiter.acquire(run).then((permit) => permit && permits.push(permit));
			await setup.pass(50);
			if (request === 19) setup.limiter.pause(PAUSE_MS);
			permits.shift()?.release(request === 19 ? 'limited' : 'fine');
		}
		// Five a second.
		expect(setup.limiter.perSecond).toBeLessThan(6);
	});
});

it('what was learned is forgotten once nothing was answered for two minutes', async () => {
	const setup = new Setup();
	await setup.answered(1, 10);
	await setup.pass(119_999);
	expect(setup.limiter.isForgotten).toBe(false);
	await setup.pass(1);
	expect(setup.limiter.isForgotten).toBe(true);
});

it('timers do not add up while requests wait for a permit and then for their turn', async () => {
	const setup = new Setup();
	await setup.answered(20, 10);
	await setup.answered(1, 10, 'limited');
	const asleep: number[] = [];
	const permits = await setup.permits(300, ticket(20));
	for (let served = 0; served < 300;) {
		await setup.pass(10);
		const permit = permits.shift();
		// Feedback that does not raise the limit.
		permit?.release('unknown');
		if (permit) served++;
		asleep.push(setup.clock.asleep);
	}
	// One sleeps for a quarter of a second at most, and there are about eighty requests a second.
	expect(Math.max(...asleep)).toBeLessThan(40);
});

// Node 24 warns of a timer that was due before it was set.
it('never sleeps until what is over, though time passes while that is worked out', async () => {
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
	for (let request = 1; request <= 300; request++) {
		const permit = await clock.run(limiter.acquire(ticket(1)));
		// Not so soon that all before it counts as sent at once.
		if (request === 50) limiter.pause(PAUSE_MS);
		permit?.release(request === 50 ? 'limited' : 'fine');
	}
	expect(slept.length).toBeGreaterThan(100);
	expect(Math.min(...slept)).toBeGreaterThan(0);
});
