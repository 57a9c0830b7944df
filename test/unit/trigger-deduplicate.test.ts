import fc from 'fast-check';
import { deduplicate } from '../../nodes/CommunityPlatformTrigger/deduplicate.ts';
import { withoutBackoff } from '../support/community.mts';

type Fault = 'none' | 'before' | 'after';

/**
 * One row of n8n's database, read, changed and written back without a lock, with other calls in between if a scheduler
 * lets them (n8n, deduplication-helper.ts). A call can fail before or after it writes.
 */
function newRow(faults: Fault[] = [], scheduler?: fc.Scheduler) {
	let row: string[] = [];
	return jest.fn(async (asked: string[]) => {
		const fault = faults.shift() ?? 'none';
		await scheduler?.schedule(Promise.resolve(), 'read');
		const read = row;
		const fresh = asked.filter((key) => !read.includes(key));
		await scheduler?.schedule(Promise.resolve(), 'write');
		if (fault === 'before') throw new TypeError('not written');
		row = [...read, ...fresh];
		if (fault === 'after') throw new TypeError('written');
		return { new: fresh };
	});
}

withoutBackoff();
let nodes = 0;

/** n8n's helpers for a node, with that row. */
function newNode(row: ReturnType<typeof newRow>) {
	const id = `node ${++nodes}`;
	return {
		getNode: () => ({ id }),
		getWorkflow: () => ({ id: 'workflow' }),
		helpers: { checkProcessedAndRecord: row },
	} as never;
}

const deliveries = fc.array(
	fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
	{ minLength: 1, maxLength: 8 },
);

describe('deduplication', () => {
	it('returns each key exactly once for any overlap of deliveries', async () => {
		const property = fc.asyncProperty(fc.scheduler(), deliveries, async (scheduler, plan) => {
			const record = newRow([], scheduler);
			const node = newNode(record);
			const runs = plan.map(async (keys) => await deduplicate(node, keys));
			const fresh = await scheduler.waitFor(Promise.all(runs));
			expect(fresh.flatMap((each) => [...each]).sort()).toEqual([...new Set(plan.flat())].sort());
			expect(record).toHaveBeenCalledTimes(plan.length);
		});
		await fc.assert(property, { numRuns: 150 });
	});

	it('returns each key at least once while the database fails, unless an execution about it fails', async () => {
		const faults = fc.array(fc.constantFrom<Fault>('none', 'before', 'after'), { maxLength: 20 });
		let failed = 0;
		const property = fc.asyncProperty(faults, deliveries, async (broken, plan) => {
			const record = newRow(broken);
			const node = newNode(record);
			const runs = plan.map(async (keys) => await deduplicate(node, keys).catch(() => keys));
			const given = new Set((await Promise.all(runs)).flatMap((each) => [...each]));
			expect(given).toEqual(new Set(plan.flat()));
			failed += record.mock.calls.length > plan.length ? 1 : 0;
		});
		await fc.assert(property, { numRuns: 100 });
		// Otherwise the test would be void.
		expect(failed).toBeGreaterThan(10);
	});

	it("makes three attempts, sends each key once, and ends with the database's failure", async () => {
		const record = newRow(['before', 'after', 'before']);
		await expect(deduplicate(newNode(record), ['a', 'a', 'b'])).rejects.toThrow('not written');
		expect(record.mock.calls.map(([keys]) => keys)).toEqual(Array(3).fill(['a', 'b']));
	});
});
