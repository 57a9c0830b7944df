import fc from 'fast-check';
import { deduplicate } from '../../nodes/CommunityPlatformTrigger/deduplicate.ts';
import { withoutBackoff } from '../support/community.mts';

type Fault = 'none' | 'before' | 'after';

/**
 * One row of n8n's database, read, changed and written back without a lock, with other calls in between where a
 * scheduler lets them (n8n, deduplication-helper.ts). A call can fail before it writes, or after.
 */
class Row {
	keys: string[] = [];
	calls = 0;

	constructor(
		private readonly faults: Fault[] = [],
		private readonly scheduler?: fc.Scheduler,
	) {}

	record = async (asked: string[]) => {
		this.calls++;
		const fault = this.faults.shift() ?? 'none';
		await this.scheduler?.schedule(Promise.resolve(), 'read');
		const read = this.keys;
		const fresh = asked.filter((key) => !read.includes(key));
		await this.scheduler?.schedule(Promise.resolve(), 'write');
		if (fault === 'before') throw new TypeError('not written');
		this.keys = [...read, ...fresh];
		if (fault === 'after') throw new TypeError('written');
		return { new: fresh };
	};
}

withoutBackoff();
let nodes = 0;
const newNode = () => `node ${++nodes}`;
const deliveries = fc.array(
	fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
	{ minLength: 1, maxLength: 8 },
);

describe('deduplication', () => {
	it('gives each key exactly once, however deliveries overlap', async () => {
		const property = fc.asyncProperty(fc.scheduler(), deliveries, async (scheduler, plan) => {
			const row = new Row([], scheduler);
			const node = newNode();
			const runs = plan.map(async (keys) => await deduplicate(node, keys, row.record));
			const fresh = await scheduler.waitFor(Promise.all(runs));
			const given = fresh.flatMap((each) => [...each]);
			expect(given.sort()).toEqual([...new Set(plan.flat())].sort());
			expect(row.calls).toBe(plan.length);
		});
		await fc.assert(property, { numRuns: 150 });
	});

	it('gives each key at least once while the database breaks off, unless a run about it fails', async () => {
		const faults = fc.array(fc.constantFrom<Fault>('none', 'before', 'after'), { maxLength: 20 });
		let failed = 0;
		const property = fc.asyncProperty(faults, deliveries, async (broken, plan) => {
			const row = new Row(broken);
			const node = newNode();
			const runs = plan.map(async (keys) => {
				const fresh = await deduplicate(node, keys, row.record).catch(() => undefined);
				return { keys, fresh };
			});
			for (const key of 'abcd') {
				const about = (await Promise.all(runs)).filter(({ keys }) => keys.includes(key));
				const hasFailed = about.some(({ fresh }) => fresh === undefined);
				const isGiven = about.some(({ fresh }) => fresh?.has(key));
				if (hasFailed) failed++;
				else expect(isGiven).toBe(about.length > 0);
			}
		});
		await fc.assert(property, { numRuns: 100 });
		// Otherwise nothing would have been tried.
		expect(failed).toBeGreaterThan(10);
	});

	it('tries three times, names each key once, and ends with what the database says', async () => {
		const row = new Row(['before', 'after', 'before']);
		await expect(deduplicate(newNode(), ['a'], row.record)).rejects.toThrow('not written');
		expect(row.calls).toBe(3);
		const asked = jest.fn().mockResolvedValue({ new: ['a'] });
		await deduplicate(newNode(), ['a', 'a', 'b'], asked);
		expect(asked.mock.calls).toEqual([[['a', 'b']]]);
	});

	it('remembers nothing of a failed run: what n8n has recorded is a repeat', async () => {
		const node = newNode();
		const row = new Row(['after', 'after', 'after']);
		await expect(deduplicate(node, ['a'], row.record)).rejects.toThrow('written');
		expect([...(await deduplicate(node, ['a'], row.record))]).toEqual([]);
	});
});
