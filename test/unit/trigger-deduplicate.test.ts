import fc from 'fast-check';
import { deduplicate } from '../../nodes/CommunityPlatformTrigger/deduplicate.ts';

type Fault = 'none' | 'before' | 'after';

/**
 * One row of n8n's database, read, changed and written back without a lock, with other calls in between if a scheduler
 * lets them (n8n, deduplication-helper.ts). A call can fail before or after it writes.
 */
class Row {
	private keys: string[] = [];
	readonly helpers = {
		checkProcessedAndRecord: jest.fn((asked: string[]) =>
			this.change((read) => [...read, ...asked.filter((key) => !read.includes(key))]).then(
				(read) => ({ new: asked.filter((key) => !read.includes(key)) }),
			),
		),
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

	private async change(change: (read: string[]) => string[]): Promise<string[]> {
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

let processes = 0;

const deliveries = fc.array(
	fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
	{ minLength: 1, maxLength: 8 },
);

describe('deduplication', () => {
	it('returns each key exactly once for any overlap of deliveries', async () => {
		const property = fc.asyncProperty(fc.scheduler(), deliveries, async (scheduler, plan) => {
			const node = new Row([], scheduler).newProcess();
			const runs = plan.map(async (keys) => await deduplicate(node, keys));
			const fresh = await scheduler.waitFor(Promise.all(runs));
			const keys = [...new Set(plan.flat())].sort();
			expect(fresh.flatMap((each) => [...each]).sort()).toEqual(keys);
		});
		await fc.assert(property, { numRuns: 150 });
	});

	it('returns each key at least once if two processes record at the same time', async () => {
		const property = fc.asyncProperty(fc.scheduler(), deliveries, async (scheduler, plan) => {
			const row = new Row([], scheduler);
			const nodes = [row.newProcess(), row.newProcess()];
			const runs = plan.map(async (keys, at) => await deduplicate(nodes[at % 2], keys));
			const fresh = await scheduler.waitFor(Promise.all(runs));
			expect(new Set(fresh.flatMap((each) => [...each]))).toEqual(new Set(plan.flat()));
		});
		await fc.assert(property, { numRuns: 150 });
	});

	it('returns each key at least once while the database fails, unless an execution about it fails', async () => {
		const faults = fc.array(fc.constantFrom<Fault>('none', 'before', 'after'), { maxLength: 20 });
		let failed = 0;
		const property = fc.asyncProperty(faults, deliveries, async (broken, plan) => {
			failed += Number(broken.some((fault) => fault !== 'none'));
			const row = new Row(broken);
			const node = row.newProcess();
			const runs = plan.map(async (keys) => await deduplicate(node, keys).catch(() => keys));
			const returned = new Set((await Promise.all(runs)).flatMap((each) => [...each]));
			expect(returned).toEqual(new Set(plan.flat()));
		});
		await fc.assert(property, { numRuns: 100 });
		// Otherwise the test would be void.
		expect(failed).toBeGreaterThan(10);
	});

	it("makes two attempts, and ends with the database's failure", async () => {
		const row = new Row(['before', 'before']);
		await expect(deduplicate(row.newProcess(), ['a', 'b'])).rejects.toThrow('not written');
		expect(row.helpers.checkProcessedAndRecord).toHaveBeenCalledTimes(2);
	});
});
