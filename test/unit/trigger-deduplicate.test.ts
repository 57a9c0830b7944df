import fc from 'fast-check';
import { deduplicate } from '../../nodes/CommunityPlatformTrigger/deduplicate.ts';
import { otherDeduplicate } from '../support/other-process.mts';

type Fault = 'none' | 'before' | 'after';
type Deduplicate = typeof deduplicate;

const KEYS = ['a', 'b', 'c', 'd'];
const AT_ONCE = { settle: 0, retry: 0 };

/**
 * One row of n8n's database, read, changed and written back without a lock, with other calls in between
 * where a scheduler lets them (n8n, deduplication-helper.ts). A call can fail before it writes, or after.
 */
class Row {
	keys?: string[];
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
		const fresh = asked.filter((key) => !read?.includes(key));
		await this.scheduler?.schedule(Promise.resolve(), 'write');
		// Two processes can try to add the row at the same time.
		const isTaken = read === undefined && this.keys !== undefined;
		if (fault === 'before' || isTaken) throw new TypeError('not written');
		this.keys = [...(read ?? []), ...fresh];
		if (fault === 'after') throw new TypeError('written');
		return { new: fresh };
	};
}

const keysOfDelivery = fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 3 });

let nodes = 0;
const newNode = () => `node ${++nodes}`;

/** Hands deliveries over at the same time; gives the new keys of each, or undefined where its run failed. */
async function atTheSameTime(
	row: Row,
	scheduler: fc.Scheduler,
	node: string,
	deliveries: Array<{ process: Deduplicate; keys: string[] }>,
): Promise<Array<{ keys: string[]; given?: string[] }>> {
	const runs = deliveries.map(async ({ process, keys }) => ({
		keys,
		given: await process(node, keys, row.record, AT_ONCE).then(
			(fresh) => [...fresh],
			() => undefined,
		),
	}));
	return await scheduler.waitFor(Promise.all(runs));
}

describe('deduplication of deliveries one after another', () => {
	it('gives each key once, on any worker and over restarts', async () => {
		const workers = [await otherDeduplicate(), await otherDeduplicate(), await otherDeduplicate()];
		const deliveries = fc.array(
			fc.record({ worker: fc.constantFrom(...workers), keys: keysOfDelivery }),
			{ maxLength: 12 },
		);
		await fc.assert(
			fc.asyncProperty(deliveries, async (sent) => {
				const row = new Row();
				const node = newNode();
				const known = new Set<string>();
				for (const { worker, keys } of sent) {
					const expected = keys.filter((key) => !known.has(key));
					expect([...(await worker(node, keys, row.record, AT_ONCE))]).toEqual(expected);
					for (const key of keys) known.add(key);
				}
				expect(row.keys ?? []).toEqual([...known]);
			}),
			{ numRuns: 100 },
		);
	});

	it('asks n8n once about a repeat, twice about a new one, and names each key once', async () => {
		const row = new Row();
		const asked: string[][] = [];
		const record = async (keys: string[]) => {
			asked.push(keys);
			return await row.record(keys);
		};
		const node = newNode();
		expect([...(await deduplicate(node, ['a', 'a', 'b'], record, AT_ONCE))]).toEqual(['a', 'b']);
		expect(asked.splice(0)).toEqual([
			['a', 'b'],
			['a', 'b'],
		]);
		expect([...(await deduplicate(node, ['b'], record, AT_ONCE))]).toEqual([]);
		expect(asked).toEqual([['b']]);
	});

	it('gives a key again once n8n has dropped it', async () => {
		const node = newNode();
		await deduplicate(node, ['a'], new Row().record, AT_ONCE);
		expect([...(await deduplicate(node, ['a'], new Row().record, AT_ONCE))]).toEqual(['a']);
	});

	it.each([
		[0, 2],
		[1, 3],
		[3, 5],
		[9, 6],
	])('records a key again as long as it is wiped: %i times', async (wipes, calls) => {
		const row = new Row();
		const record = async (asked: string[]) => {
			const answer = await row.record(asked);
			if (row.calls <= wipes) row.keys = [];
			return answer;
		};
		expect(await deduplicate(newNode(), ['a'], record, AT_ONCE)).toEqual(new Set(['a']));
		expect(row.calls).toBe(calls);
		expect(row.keys).toEqual(wipes < calls ? ['a'] : []);
	});

	it('keeps a key that another process wipes with an older row', async () => {
		const row = new Row();
		const record = async (keys: string[]) => {
			const answer = await row.record(keys);
			if (row.calls === 1) row.keys = [];
			return answer;
		};
		const node = newNode();
		expect([...(await deduplicate(node, ['a'], record, AT_ONCE))]).toEqual(['a']);
		expect([...(await deduplicate(node, ['a'], record, AT_ONCE))]).toEqual([]);
	});
});

describe('deduplication of deliveries at the same time', () => {
	const waves = (workers: Deduplicate[]) =>
		fc.array(
			fc.array(fc.record({ process: fc.constantFrom(...workers), keys: keysOfDelivery }), {
				minLength: 1,
				maxLength: 4,
			}),
			{ minLength: 1, maxLength: 4 },
		);

	it('gives each key exactly once within a process', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), waves([deduplicate]), async (scheduler, plan) => {
				const row = new Row([], scheduler);
				const node = newNode();
				const given: string[] = [];
				for (const wave of plan) {
					const runs = await atTheSameTime(row, scheduler, node, wave);
					given.push(...runs.flatMap((run) => run.given ?? []));
				}
				const sent = new Set(plan.flat().flatMap(({ keys }) => keys));
				expect(given.sort()).toEqual([...sent].sort());
			}),
			{ numRuns: 150 },
		);
	});

	it('asks n8n together for all that arrive while it is asked', async () => {
		const row = new Row();
		const node = newNode();
		const asked: string[][] = [];
		const record = async (keys: string[]) => {
			asked.push(keys);
			return await row.record(keys);
		};
		const sent = Array.from({ length: 100 }, (_, index) => `key ${index % 80}`);
		const given = await Promise.all(
			sent.map(async (key) => await deduplicate(node, [key], record, AT_ONCE)),
		);
		expect(given.map(({ size }) => size)).toEqual(sent.map((_, index) => (index < 80 ? 1 : 0)));
		expect(asked.slice(0, 2)).toEqual([sent.slice(0, 1), [...sent.slice(1, 80), 'key 0']]);
	});

	it.each([
		['one process', 1],
		['two processes', 2],
	])(
		'gives each key at least once in %s whose database breaks off, unless a run of it fails',
		async (_, count) => {
			const workers = [deduplicate, await otherDeduplicate()].slice(0, count);
			const faults = fc.array(fc.constantFrom<Fault>('none', 'none', 'before', 'after'), {
				maxLength: 30,
			});
			const seen = { failed: 0, dropped: 0 };
			await fc.assert(
				fc.asyncProperty(
					fc.scheduler(),
					faults,
					waves(workers),
					async (scheduler, broken, plan) => {
						const row = new Row([...broken], scheduler);
						const node = newNode();
						const runs: Array<{ keys: string[]; given?: string[] }> = [];
						for (const wave of plan) {
							runs.push(...(await atTheSameTime(row, scheduler, node, wave)));
						}
						for (const key of KEYS) {
							const about = runs.filter(({ keys }) => keys.includes(key));
							const ended = about.filter(({ given }) => given !== undefined);
							const times = ended.filter(({ given }) => given?.includes(key)).length;
							seen.failed += about.length - ended.length;
							seen.dropped += ended.length - times;
							// Within a process also a run that failed is known of: the next one gives the key.
							const isPromised = count === 1 ? ended.length > 0 : ended.length === about.length;
							if (about.length > 0 && isPromised) {
								expect(times).toBeGreaterThanOrEqual(1);
							}
						}
					},
				),
				{ numRuns: 250 },
			);
			// Otherwise nothing would have been tried.
			expect(Math.min(seen.failed, seen.dropped)).toBeGreaterThan(10);
		},
	);
});

describe('deduplication with a database that breaks off', () => {
	it.each<Fault>(['before', 'after'])(
		'gives a delivery: %s the record was written',
		async (fault) => {
			const node = newNode();
			const row = new Row([fault]);
			expect([...(await deduplicate(node, ['a'], row.record, AT_ONCE))]).toEqual(['a']);
			expect([...(await deduplicate(node, ['a'], row.record, AT_ONCE))]).toEqual([]);
		},
	);

	it('gives a delivery whose check afterwards failed, and drops its repeat', async () => {
		const node = newNode();
		const row = new Row(['none', 'before']);
		expect([...(await deduplicate(node, ['a'], row.record, AT_ONCE))]).toEqual(['a']);
		expect([...(await deduplicate(node, ['a'], row.record, AT_ONCE))]).toEqual([]);
	});

	it('drops a repeat though the check afterwards failed to the end', async () => {
		const node = newNode();
		const row = new Row(['none', 'before', 'after', 'before']);
		expect([...(await deduplicate(node, ['a'], row.record, AT_ONCE))]).toEqual(['a']);
		expect([...(await deduplicate(node, ['a'], row.record, AT_ONCE))]).toEqual([]);
	});

	it('gives a repeat again if an attempt at it breaks off, because that is ambiguous', async () => {
		const node = newNode();
		const faults: Fault[] = [];
		const row = new Row(faults);
		await deduplicate(node, ['a'], row.record, AT_ONCE);
		faults.push('after');
		expect([...(await deduplicate(node, ['a'], row.record, AT_ONCE))]).toEqual(['a']);
		expect([...(await deduplicate(node, ['a'], row.record, AT_ONCE))]).toEqual([]);
	});

	it('tries three times and ends with what the database says', async () => {
		const node = newNode();
		const row = new Row(['before', 'before', 'after']);
		await expect(deduplicate(node, ['a'], row.record, AT_ONCE)).rejects.toThrow('written');
		expect(row.calls).toBe(3);
		// The community sends it again.
		expect([...(await deduplicate(node, ['a'], row.record, AT_ONCE))]).toEqual(['a']);
	});
});
