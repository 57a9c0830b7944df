import { sleep } from 'n8n-workflow';
import { remember } from '../../nodes/CommunityPlatformTrigger/remember.ts';
import { otherRemember } from '../support/other-process.mts';

/**
 * One row of n8n's database, used as n8n's helper uses it: read, change, write back, with other calls
 * in between (n8n, deduplication-helper.ts).
 */
class Row {
	private keys?: string[];
	calls = 0;

	constructor(private readonly latencyMs: number) {}

	record = async (keys: string[]) => {
		this.calls++;
		await this.latency();
		const read = this.keys;
		const fresh = keys.filter((key) => !read?.includes(key));
		await this.latency();
		if (read === undefined && this.keys !== undefined) throw new TypeError('row exists');
		this.keys = [...(read ?? []), ...fresh];
		return { new: fresh };
	};

	holds(keys: string[]): boolean {
		return keys.every((key) => this.keys?.includes(key));
	}

	/** What another process does that read the row before the key was in it, and writes it back. */
	wipe(wiped: string): void {
		this.keys = this.keys?.filter((key) => key !== wiped);
	}

	private async latency() {
		await sleep(Math.random() * this.latencyMs);
	}
}

const QUICK = { spread: 20, settle: 15 };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A record that another process wipes each time. */
const wipedRecord = async (keys: string[]) => await Promise.resolve({ new: keys });

/** Time passes only as far as somebody waits for it, and chance is the same in every run. */
async function simulated<T>(running: Promise<T>): Promise<T> {
	await vi.runAllTimersAsync();
	return await running;
}

/** A generator of numbers that looks like chance (Park and Miller, 1988). */
function sameChance(): () => number {
	let state = 1;
	return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

beforeEach(() => {
	vi.useFakeTimers();
	vi.spyOn(Math, 'random').mockImplementation(sameChance());
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

describe('repeats', () => {
	it('are told exactly in one process, under any concurrency', async () => {
		const row = new Row(3);
		const deliveries = numbers(60).flatMap((id) => (id < 15 ? [id, id, id, id] : [id]));
		const first = await simulated(
			Promise.all(
				deliveries.map(async (id) => await remember('one', [`k${id}`], row.record, QUICK)),
			),
		);
		expect(first.filter(({ size }) => size === 1)).toHaveLength(60);
		const again = await simulated(
			Promise.all(
				numbers(60).map(async (id) => await remember('one', [`k${id}`], row.record, QUICK)),
			),
		);
		expect(again.every(({ size }) => size === 0)).toBe(true);
	});

	it('would be forgotten without it: the row itself loses most of a burst', async () => {
		const row = new Row(3);
		await simulated(row.record(['first']));
		await simulated(Promise.all(numbers(60).map(async (id) => await row.record([`k${id}`]))));
		expect(row.holds(numbers(60).map((id) => `k${id}`))).toBe(false);
	});

	it('are remembered also beside another process, and few get through', async () => {
		const workers = [await otherRemember(), await otherRemember()];
		const row = new Row(4);
		await simulated(row.record(['first']));
		const deliveries = numbers(60).flatMap((id) => (id < 15 ? [id, id, id, id] : [id]));
		const first = await simulated(
			Promise.all(
				deliveries.map(
					async (id, index) => await workers[index % 2]('two', [`k${id}`], row.record),
				),
			),
		);
		const emitted = first.filter(({ size }) => size === 1).length;
		expect(emitted).toBeGreaterThanOrEqual(60);
		// Of 105 at the same instant; in many simulations, 3 of 3,780 got through.
		expect(emitted).toBeLessThanOrEqual(62);
		expect(row.holds(numbers(60).map((id) => `k${id}`))).toBe(true);
	});

	it('that two processes take for new at the same instant are claimed by one of them', async () => {
		const workers = [await otherRemember(), await otherRemember()];
		const row = new Row(0);
		await simulated(row.record(['first']));
		const { record } = row;
		// Both read before either writes.
		const met: Array<() => void> = [];
		const meeting = async (keys: string[]) => {
			if (met.length === 2) return await record(keys);
			await new Promise<void>((resolve) => {
				met.push(resolve);
				if (met.length === 2) for (const go of met) go();
			});
			return { new: (await record(keys)) && keys };
		};
		// Far apart, where chance would only make it likely that they do not meet again.
		const settles = [20, 2_000];
		const both = await simulated(
			Promise.all(
				workers.map(
					async (worker, index) =>
						await worker('six', ['a'], meeting, { spread: 0, settle: settles[index] }),
				),
			),
		);
		expect(both.map(({ size }) => size).sort()).toEqual([0, 1]);
	});

	it('of one delivery that names an object twice are asked about once', async () => {
		const row = new Row(0);
		expect([...(await simulated(remember('three', ['a', 'a', 'b'], row.record, QUICK)))]).toEqual([
			'a',
			'b',
		]);
		expect([...(await simulated(remember('three', ['b', 'c'], row.record, QUICK)))]).toEqual(['c']);
	});

	it('cost one look when known, and two more when new', async () => {
		const row = new Row(0);
		await simulated(remember('four', ['a'], row.record, QUICK));
		expect(row.calls).toBe(3);
		await simulated(remember('four', ['a'], row.record, QUICK));
		expect(row.calls).toBe(4);
	});

	it('survive a database that answers only the third time', async () => {
		const row = new Row(0);
		let refusals = 2;
		const busy = async (keys: string[]) => {
			if (refusals-- > 0) throw new TypeError('busy');
			return await row.record(keys);
		};
		expect([...(await simulated(remember('five', ['a'], busy, QUICK)))]).toEqual(['a']);
	});

	it('end with what the database says that never records them, so that the sender tries again', async () => {
		const row = new Row(0);
		let attempts = 0;
		const busy = async () => {
			attempts++;
			throw new TypeError('busy');
		};
		const refused = expect(remember('seven', ['b'], busy, QUICK)).rejects.toThrow('busy');
		await simulated(refused);
		expect(attempts).toBe(5);
		expect([...(await simulated(remember('seven', ['b'], row.record, QUICK)))]).toEqual(['b']);
	});

	it('are known while the first is at work, even if another process wipes each record of it', async () => {
		const deliver = async () => await remember('eight', ['a'], wipedRecord, QUICK);
		const both = await simulated(Promise.all([deliver(), deliver()]));
		expect(both.map(({ size }) => size).sort()).toEqual([0, 1]);
	});

	it('are new again once n8n has dropped what it recorded', async () => {
		const row = new Row(0);
		await simulated(remember('nine', ['a'], row.record, QUICK));
		const emptied = new Row(0);
		const again = await simulated(remember('nine', ['a'], emptied.record, QUICK));
		expect([...again]).toEqual(['a']);
	});
});

describe('a new delivery', () => {
	/** When n8n was asked, in milliseconds from its arrival. */
	async function timesOfCalls(node: string, chance: number, pauses?: typeof QUICK) {
		vi.mocked(Math.random).mockReturnValue(chance);
		const arrived = performance.now();
		const row = new Row(0);
		const times: number[] = [];
		const record = async (keys: string[]) => {
			times.push(performance.now() - arrived);
			return await row.record(keys);
		};
		await simulated(remember(node, ['a'], record, pauses));
		return times;
	}

	// Math.random is never quite 1, and n8n sleeps for whole milliseconds.
	const MOST = 0.9999;

	it.each([
		['shortest', 0, [0, 100, 200]],
		['middle', 0.5, [50, 200, 350]],
		['longest', MOST, [100, 300, 500]],
	])(
		'waits for up to its spread, and twice for half to all of the time to settle: the %s',
		async (_which, chance, times) => {
			const pauses = { spread: 100, settle: 200 };
			expect(await timesOfCalls(`paused ${chance}`, chance, pauses)).toEqual(times);
		},
	);

	it('is held back for about a second: 0.4 to 1.3', async () => {
		expect((await timesOfCalls('least', 0)).at(-1)).toBe(400);
		expect((await timesOfCalls('most', MOST)).at(-1)).toBe(1300);
	});

	it('is looked at eight times at most, where another process wipes each record of it', async () => {
		const record = vi.fn(wipedRecord);
		expect([...(await simulated(remember('ten', ['a'], record, QUICK)))]).toEqual(['a']);
		// Besides, one call records it and one claims it.
		expect(record).toHaveBeenCalledTimes(10);
	});

	it('is remembered also where another process wipes one of its keys more than once', async () => {
		const row = new Row(0);
		const wiping = async (keys: string[]) => {
			const answer = await row.record(keys);
			if (row.calls === 2 || row.calls === 3) row.wipe('a');
			return answer;
		};
		await simulated(remember('eleven', ['a', 'b'], wiping, QUICK));
		expect(row.holds(['a', 'b'])).toBe(true);
	});

	it('is recorded by itself once earlier ones are done with', async () => {
		const row = new Row(0);
		const asked: string[] = [];
		const noting = async (keys: string[]) => {
			asked.push(...keys);
			return await row.record(keys);
		};
		await simulated(remember('twelve', ['first'], row.record, QUICK));
		await simulated(remember('twelve', ['second'], noting, QUICK));
		expect(asked).toContain('second');
		expect(asked.filter((key) => key.startsWith('first'))).toEqual([]);
	});
});
