import fc from 'fast-check';
import { deduplicate } from '../../nodes/CommunityPlatformTrigger/deduplicate.ts';
import { withoutBackoff } from '../support/community.mts';

type Fault = 'none' | 'before' | 'after';

/**
 * One row of n8n's database, read, changed and written back without a lock, with other calls in between if a scheduler
 * lets them (n8n, deduplication-helper.ts). A call can fail before or after it writes.
 */
class Row {
	private keys: string[] = [];
	private readonly running = new Set<Promise<unknown>>();
	readonly helpers = {
		checkProcessedAndRecord: jest.fn((asked: string[]) =>
			this.change((read) => [...read, ...asked.filter((key) => !read.includes(key))]).then(
				(read) => ({ new: asked.filter((key) => !read.includes(key)) }),
			),
		),
		removeProcessed: (asked: string[]) =>
			this.change((read) => read.filter((key) => !asked.includes(key))),
	};

	constructor(
		private readonly faults: Fault[] = [],
		private readonly scheduler?: fc.Scheduler,
	) {}

	/** n8n's helpers for a node with this row, in another process than any earlier ones. */
	newProcess() {
		const id = `process ${++processes}`;
		return { getNode: () => ({ id }), getWorkflow: () => ({ id }), helpers: this.helpers } as never;
	}

	/** Waits as long as a call of each of several processes, one after the other. */
	async pause(processCount: number): Promise<void> {
		for (let left = processCount; left > 0; left--) await Promise.allSettled(this.running);
	}

	get size(): number {
		return this.keys.length;
	}

	private change(change: (read: string[]) => string[]): Promise<string[]> {
		const call = this.write(change).finally(() => this.running.delete(call));
		this.running.add(call);
		return call;
	}

	private async write(change: (read: string[]) => string[]): Promise<string[]> {
		const fault = this.faults.shift() ?? 'none';
		await this.scheduler?.schedule(Promise.resolve(), 'read');
		const read = this.keys;
		await this.scheduler?.schedule(Promise.resolve(), 'write');
		if (fault === 'before') throw new TypeError('not written');
		this.keys = change(read);
		if (fault === 'after') throw new TypeError('written');
		return read;
	}
}

withoutBackoff();
let processes = 0;

const deliveries = fc.array(
	fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
	{ minLength: 1, maxLength: 8 },
);

describe('deduplication', () => {
	it.each([1, 2, 3])(
		'returns each key exactly once for any overlap of deliveries to %d processes, if a pause outlasts their calls',
		async (count) => {
			const property = fc.asyncProperty(fc.scheduler(), deliveries, async (scheduler, plan) => {
				const row = new Row([], scheduler);
				const pause = async () => await row.pause(count);
				const nodes = Array.from({ length: count }, () => row.newProcess());
				const runs = plan.map(
					async (keys, at) => await deduplicate(nodes[at % count], keys, pause),
				);
				const fresh = await scheduler.waitFor(Promise.all(runs));
				const keys = [...new Set(plan.flat())].sort();
				expect(fresh.flatMap((each) => [...each]).sort()).toEqual(keys);
				// No mark stays, and no pause goes on until the last attempt.
				if (count === 1) expect(row.size).toBe(keys.length);
			});
			await fc.assert(property, { numRuns: 150 });
		},
	);

	it('returns each key at least once while the database fails, unless an execution about it fails', async () => {
		const faults = fc.array(fc.constantFrom<Fault>('none', 'before', 'after'), { maxLength: 20 });
		let failed = 0;
		const property = fc.asyncProperty(faults, deliveries, async (broken, plan) => {
			failed += Number(broken.some((fault) => fault !== 'none'));
			const row = new Row(broken);
			const node = row.newProcess();
			const runs = plan.map(async (keys) => await deduplicate(node, keys).catch(() => keys));
			const given = new Set((await Promise.all(runs)).flatMap((each) => [...each]));
			expect(given).toEqual(new Set(plan.flat()));
		});
		await fc.assert(property, { numRuns: 100 });
		// Otherwise the test would be void.
		expect(failed).toBeGreaterThan(10);
	});

	it("makes three attempts, sends each key once, and ends with the database's failure", async () => {
		const row = new Row(['before', 'before', 'before']);
		await expect(deduplicate(row.newProcess(), ['a', 'a', 'b'])).rejects.toThrow('not written');
		const asked = row.helpers.checkProcessedAndRecord.mock.calls.map(([keys]) => keys);
		expect(asked).toEqual(Array(3).fill(['a', 'b', expect.any(String)]));
	});
});
