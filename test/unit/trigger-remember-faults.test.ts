import fc from 'fast-check';
import { remember } from '../../nodes/CommunityPlatformTrigger/remember.ts';
import { otherRemember } from '../support/other-process.mts';

type Fault = 'none' | 'before' | 'after';

/**
 * One row of n8n's database, read, changed and written back with other calls in between, in whatever
 * order the scheduler lets them. A call can fail before it writes, or after.
 */
class FaultyRow {
	private keys?: string[];

	constructor(
		private readonly scheduler: fc.Scheduler,
		private readonly faults: Fault[],
	) {}

	record = async (keys: string[]) => {
		const fault = this.faults.shift() ?? 'none';
		await this.scheduler.schedule(Promise.resolve(), 'read');
		const read = this.keys;
		const fresh = keys.filter((key) => !read?.includes(key));
		await this.scheduler.schedule(Promise.resolve(), 'write');
		const isRowThere = read === undefined && this.keys !== undefined;
		if (fault === 'before' || isRowThere) throw new TypeError('not written');
		this.keys = [...(read ?? []), ...fresh];
		if (fault === 'after') throw new TypeError('written');
		return { new: fresh };
	};
}

/** What became of one delivery: the keys that it emitted, or that its run ended visibly. */
interface Outcome {
	process: number;
	keys: string[];
	emitted: string[] | 'threw';
}

interface Plan {
	faults: Fault[];
	/** Deliveries of one wave arrive at the same time, those of the next one when all is done. */
	waves: Array<Array<{ process: number; keys: string[] }>>;
}

const KEYS = ['a', 'b', 'c'];
const AT_ONCE = { spread: 0, settle: 0 };

function plans(processes: number, faults: Fault[]): fc.Arbitrary<Plan> {
	const delivery = fc.record({
		process: fc.nat(processes - 1),
		keys: fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 2 }),
	});
	return fc.record({
		faults: fc.array(fc.constantFrom(...faults), { maxLength: 40 }),
		waves: fc.array(fc.array(delivery, { minLength: 1, maxLength: 4 }), {
			minLength: 1,
			maxLength: 4,
		}),
	});
}

async function processesOf(count: number): Promise<Array<typeof remember>> {
	const loaded: Array<typeof remember> = [];
	for (let index = 0; index < count; index++) {
		loaded.push(await otherRemember());
	}
	return loaded;
}

let nodes = 0;

async function carryOut(
	processes: Array<typeof remember>,
	scheduler: fc.Scheduler,
	{ faults, waves }: Plan,
): Promise<Outcome[]> {
	const row = new FaultyRow(scheduler, [...faults]);
	const node = `node ${++nodes}`;
	const outcomes: Outcome[] = [];
	for (const wave of waves) {
		const runs = wave.map(async ({ process, keys }) => {
			const emitted = await processes[process](node, keys, row.record, AT_ONCE).then(
				(given) => [...given],
				() => 'threw' as const,
			);
			outcomes.push({ process, keys, emitted });
		});
		await scheduler.waitFor(Promise.all(runs));
	}
	return outcomes;
}

const timesEmitted = (outcomes: Outcome[], key: string) =>
	outcomes.filter(({ emitted }) => emitted !== 'threw' && emitted.includes(key)).length;

describe('a delivery', () => {
	it('is given out at least once in one process, unless each run that has it ends visibly', async () => {
		const processes = await processesOf(1);
		const seen = { repeats: 0, visible: 0 };
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				plans(1, ['none', 'before', 'after', 'after', 'after']),
				async (scheduler, plan) => {
					const outcomes = await carryOut(processes, scheduler, plan);
					for (const key of KEYS) {
						const about = outcomes.filter(({ keys }) => keys.includes(key));
						const ended = about.filter(({ emitted }) => emitted !== 'threw');
						seen.visible += about.length - ended.length;
						if (ended.length === 0) continue;
						const times = timesEmitted(about, key);
						seen.repeats += ended.length - times;
						expect(times).toBeGreaterThanOrEqual(1);
					}
				},
			),
			{ numRuns: 1000 },
		);
		// Otherwise nothing would have been tried.
		expect(Math.min(seen.repeats, seen.visible)).toBeGreaterThan(10);
	});

	it('is given out at least once over several processes, unless a run that has it ends visibly', async () => {
		const processes = await processesOf(2);
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				plans(2, ['none', 'none', 'before', 'after']),
				async (scheduler, plan) => {
					const outcomes = await carryOut(processes, scheduler, plan);
					for (const key of KEYS) {
						const about = outcomes.filter(({ keys }) => keys.includes(key));
						if (about.length === 0 || about.some(({ emitted }) => emitted === 'threw')) continue;
						expect(timesEmitted(about, key)).toBeGreaterThanOrEqual(1);
					}
				},
			),
			{ numRuns: 1000 },
		);
	});

	it('is given out exactly once in one process where nothing fails', async () => {
		const processes = await processesOf(1);
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), plans(1, ['none']), async (scheduler, plan) => {
				const outcomes = await carryOut(processes, scheduler, plan);
				for (const key of KEYS) {
					const isDelivered = outcomes.some(({ keys }) => keys.includes(key));
					expect(timesEmitted(outcomes, key)).toBe(isDelivered ? 1 : 0);
				}
			}),
			{ numRuns: 500 },
		);
	});

	it('is remembered although a look fails after another process has wiped it', async () => {
		const keys = new Set<string>();
		let calls = 0;
		const record = async (asked: string[]) => {
			calls++;
			if (calls === 3) {
				keys.clear();
				throw new TypeError('not written');
			}
			const fresh = asked.filter((key) => !keys.has(key));
			for (const key of fresh) keys.add(key);
			return { new: fresh };
		};
		expect([...(await remember('wiped', ['a'], record, AT_ONCE))]).toEqual(['a']);
		expect(keys).toContain('a');
		expect([...(await remember('wiped', ['a'], record, AT_ONCE))]).toEqual([]);
	});

	it('leaves no doubt behind: a repeat of it costs one look', async () => {
		const keys = new Set<string>();
		let calls = 0;
		const record = async (asked: string[]) => {
			calls++;
			const fresh = asked.filter((key) => !keys.has(key));
			for (const key of fresh) keys.add(key);
			if (calls === 1) throw new TypeError('written');
			return { new: fresh };
		};
		expect([...(await remember('doubt', ['a'], record, AT_ONCE))]).toEqual(['a']);
		const before = calls;
		expect([...(await remember('doubt', ['a'], record, AT_ONCE))]).toEqual([]);
		expect(calls - before).toBe(1);
	});

	it('that was given out is told from a repeat although the database fails at it', async () => {
		for (const fault of ['before', 'after'] as const) {
			const keys = new Set<string>();
			const faults: Fault[] = [];
			const record = async (asked: string[]) => {
				const next = faults.shift();
				if (next === 'before') throw new TypeError('not written');
				const fresh = asked.filter((key) => !keys.has(key));
				for (const key of fresh) keys.add(key);
				if (next === 'after') throw new TypeError('written');
				return { new: fresh };
			};
			const node = `known ${fault}`;
			expect([...(await remember(node, ['a'], record, AT_ONCE))]).toEqual(['a']);
			faults.push(fault);
			expect([...(await remember(node, ['a'], record, AT_ONCE))]).toEqual([]);
		}
	});
});
