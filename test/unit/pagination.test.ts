import fc from 'fast-check';
import { sleep, type IDataObject } from 'n8n-workflow';
import type { Cancellation } from '../../nodes/shared/async/cancel.ts';
import type { Sender } from '../../nodes/shared/transport';
import { pages, type Wanted } from '../../nodes/shared/pagination.ts';
import { tag, userList } from '../../nodes/shared/records/types.ts';
import { range } from '../support/community.mts';

interface TestPage {
	ids: number[];
	hasMore?: boolean;
	fails?: boolean;
}
interface Walked {
	ids: unknown[];
	failure?: string;
	isEnd?: boolean;
}

const PAGE_SIZE = 50;
const LAST: TestPage = { ids: [], hasMore: false };

const limits = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.constant(Infinity));

// IDs from a small range, so that records repeat by chance. Whole pages repeat on purpose.
const anyPage = fc.record({
	ids: fc.oneof(
		fc.constant<number[]>([]),
		fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 8 }),
	),
	hasMore: often(true, [false, undefined]),
	fails: often(false, [true]),
});
const anyPages = fc
	.array(fc.tuple(anyPage, often(1, [2, 9, 10, 11])), { maxLength: 30, size: 'max' })
	.map((repeated) => repeated.flatMap(([page, times]) => Array<TestPage>(times).fill(page)));

function often<T>(usual: T, others: T[]) {
	return fc.oneof(
		{ weight: 15, arbitrary: fc.constant(usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...others) },
	);
}

/** Reads pages one after another (docs/api/README.md, "Limits"), without prefetching and without a limiter. */
function reference(testPages: TestPage[], limit: number): Walked {
	const ids: number[] = [];
	let pagesWithoutNewRecords = 0;
	for (let number = 1; ; number++) {
		const page = testPages[number - 1] ?? LAST;
		if (page.fails) return { ids, failure: `page ${number}` };
		const newIds = page.ids.filter((id) => !ids.includes(id));
		const left = limit - ids.length;
		ids.push(...newIds.slice(0, left));
		if (page.hasMore === false || (page.hasMore === undefined && newIds.length === 0)) {
			return { ids, isEnd: newIds.length <= left };
		}
		if (ids.length === limit) return { ids, isEnd: false };
		pagesWithoutNewRecords = newIds.length === 0 ? pagesWithoutNewRecords + 1 : 0;
		if (pagesWithoutNewRecords === 10) return { ids, failure: 'no new record' };
	}
}

type Answer = { records: unknown[]; hasMore?: boolean };

/** Sends the requests for pages, and answers each with the result of `answerTo` for its number. */
function senderOf(answerTo: (page: number, cancelled?: Cancellation) => Promise<Answer>): Sender {
	return {
		async send({ qs }, cancelled) {
			expect(Number(qs?.page_size)).toBeLessThanOrEqual(PAGE_SIZE);
			const { records, hasMore } = await answerTo(Number(qs?.page), cancelled);
			const headers = hasMore === undefined ? {} : { has_more: hasMore ? '1' : '0' };
			return { statusCode: 200, headers, body: records };
		},
	};
}

const tagged = (ids: number[]) => ids.map((id) => ({ tag_id: id }));
const list = (sender: Sender, wanted: Wanted = {}, type = tag) =>
	pages(sender, { path: '/tags' }, type, wanted);

async function collect(result: ReturnType<typeof pages>): Promise<Walked> {
	const ids: unknown[] = [];
	let isEnd: boolean | undefined;
	try {
		for await (const page of result) {
			for (const { tag_id: id } of page.records) ids.push(id);
			({ isEnd } = page);
		}
		return { ids, isEnd };
	} catch (error) {
		return { ids, failure: (error as Error).message };
	}
}

/** Reads the pages with answers in an order that the scheduler chooses. */
async function readAll(testPages: TestPage[], wanted: Wanted, scheduler: fc.Scheduler) {
	const asked: number[] = [];
	let inFlight = 0;
	let maxInFlight = 0;
	const sender = senderOf(async (number) => {
		asked.push(number);
		maxInFlight = Math.max(maxInFlight, ++inFlight);
		await scheduler.schedule(Promise.resolve());
		inFlight--;
		const { ids, hasMore, fails } = testPages[number - 1] ?? LAST;
		if (fails) throw new TypeError(`page ${number}`);
		return { records: tagged(ids), hasMore };
	});
	const result = await scheduler.waitFor(collect(list(sender, wanted)));
	return { result, asked, maxInFlight };
}

function fullPages(total: number): TestPage[] {
	const count = Math.max(1, Math.ceil(total / PAGE_SIZE));
	return range(1, count).map((page) => ({
		ids: range((page - 1) * PAGE_SIZE + 1, Math.min(total, page * PAGE_SIZE)),
		hasMore: page < count,
	}));
}

it('returns the same records as sequential reading, for any arrival times of the pages', async () => {
	const outcomes = { ended: 0, failed: 0, stalled: 0 };
	await fc.assert(
		fc.asyncProperty(
			anyPages,
			fc.record({ limit: limits, isPrefetching: fc.boolean() }),
			fc.scheduler(),
			async (testPages, wanted, scheduler) => {
				const expected = reference(testPages, wanted.limit);
				const { result, asked, maxInFlight } = await readAll(testPages, wanted, scheduler);
				expect(result.ids).toEqual(expected.ids);
				if (expected.failure === undefined) expect(result).toEqual(expected);
				else expect(result.failure).toContain(expected.failure);
				expect(maxInFlight).toBeLessThanOrEqual(wanted.isPrefetching ? 3 : 1);
				expect(asked).toEqual(range(1, asked.length));
				if (!expected.failure) outcomes.ended++;
				else if (expected.failure.startsWith('page')) outcomes.failed++;
				else outcomes.stalled++;
			},
		),
		{ numRuns: 400 },
	);
	// Each kind of ending must occur, or the property would prove too little.
	expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0);
});

describe('Requests of a list', () => {
	const totals = fc.integer({ min: 0, max: 1500 });

	it('sends no more requests than the limit needs, with at most two for pages that do not exist', async () => {
		await fc.assert(
			fc.asyncProperty(
				totals,
				fc.oneof(fc.integer({ min: 1, max: 1500 }), fc.constant(Infinity)),
				fc.boolean(),
				fc.scheduler(),
				async (total, limit, isPrefetching, scheduler) => {
					const testPages = fullPages(total);
					const { result, asked } = await readAll(testPages, { limit, isPrefetching }, scheduler);
					expect(result.ids).toHaveLength(Math.min(total, limit));
					const ahead = isPrefetching ? 2 : 0;
					const most = Math.min(testPages.length + ahead, Math.ceil(limit / PAGE_SIZE));
					expect(asked.length).toBeLessThanOrEqual(most);
				},
			),
		);
	});

	it('requests pages one after another without has_more, with one beyond the end', async () => {
		await fc.assert(
			fc.asyncProperty(totals, fc.boolean(), fc.scheduler(), async (total, isPrefetching, s) => {
				const testPages = [...fullPages(total), LAST].map(({ ids }) => ({ ids }));
				const { result, asked, maxInFlight } = await readAll(testPages, { isPrefetching }, s);
				expect(result.ids).toHaveLength(total);
				expect(maxInFlight).toBe(1);
				expect(asked).toEqual(range(1, total === 0 ? 1 : testPages.length));
			}),
		);
	});

	it('reads a list of 7 pages in 3 round trips', async () => {
		const testPages = fullPages(7 * PAGE_SIZE);
		let waiting: Array<() => void> = [];
		let isDone = false;
		const sender = senderOf(async (number) => {
			await new Promise<void>((resolve) => waiting.push(resolve));
			const { ids, hasMore } = testPages[number - 1] ?? LAST;
			return { records: tagged(ids), hasMore };
		});
		const reading = collect(list(sender, { isPrefetching: true })).finally(() => (isDone = true));
		const rounds: number[] = [];
		while (!isDone && rounds.length < 50) {
			rounds.push(waiting.length);
			for (const answer of waiting.splice(0)) answer();
			await sleep(0);
		}
		waiting = [];
		expect((await reading).ids).toHaveLength(7 * PAGE_SIZE);
		expect(rounds).toEqual([1, 3, 3]);
	});

	it.each<[string, Array<Answer | Error>, boolean]>([
		['the list has ended', [{ records: tagged([2]), hasMore: false }], false],
		['a page has finally failed', [new TypeError('no')], false],
		['the caller stops', [{ records: tagged([2]), hasMore: true }], true],
	])('cancels the requests for later pages if %s', async (_, second, leaves) => {
		const asked: Cancellation[] = [];
		const sender = senderOf(async (number, cancelled) => {
			asked.push(cancelled as Cancellation);
			const answer = [{ records: tagged([1]), hasMore: true }, ...second][number - 1];
			if (answer instanceof Error) throw answer;
			return answer ?? (await new Promise(() => {}));
		});
		try {
			for await (const { records } of list(sender, { isPrefetching: true })) {
				if (leaves && records[0].tag_id === 2) break;
			}
		} catch (error) {
			expect((error as Error).message).toBe('no');
		}
		expect(asked.length).toBeGreaterThan(3);
		expect(new Set(asked.map(({ isCancelled }) => isCancelled))).toEqual(new Set([true]));
	});

	it('requests no page before it is needed', async () => {
		const asked: number[] = [];
		const sender = senderOf(async (number) => {
			asked.push(number);
			return { records: tagged([number]), hasMore: true };
		});
		const walk = list(sender);
		await walk.next();
		await walk.next();
		expect(asked).toEqual([1, 2]);
		await walk.return(undefined);
	});

	it('starts a list with the requested page', async () => {
		const asked: number[] = [];
		const sender = senderOf(async (number) => {
			asked.push(number);
			return { records: tagged([number]), hasMore: number < 9 };
		});
		expect(await collect(list(sender, { from: 6 }))).toEqual({ ids: [6, 7, 8, 9], isEnd: true });
		expect(asked).toEqual([6, 7, 8, 9]);
	});
});

describe('Pagination of records without an ID', () => {
	/** Returns the pages one after another, and repeats the last one if it announces more. */
	async function all(answers: Answer[], type = tag): Promise<IDataObject[]> {
		const sender = senderOf(async (page) => answers[Math.min(page, answers.length) - 1]);
		const records: IDataObject[] = [];
		for await (const page of list(sender, { isPrefetching: true }, type))
			records.push(...page.records);
		return records;
	}

	it.each([undefined, null, '', 2 ** 60])(
		'returns every record whose ID is %s, even if its page repeats',
		async (tag_id) => {
			const page = (names: string[], hasMore: boolean): Answer => {
				return { records: names.map((name) => ({ tag_id, name })), hasMore };
			};
			const answers = [page(['a', 'a'], true), page(['a', 'b'], true), page(['a'], false)];
			const names = (await all(answers)).map(({ name }) => name);
			expect(names).toEqual(['a', 'a', 'a', 'b', 'a']);
		},
	);

	it('returns records without an ID until the same page comes again if has_more is missing', async () => {
		const records = await all([{ records: [{ name: 'a' }] }, { records: [{ name: 'b' }] }]);
		expect(records.map(({ name }) => name)).toEqual(['a', 'b']);
	});

	it('fails if a list of records without an ID never advances', async () => {
		const same = { records: [{ name: 'a' }, { name: 'b' }] };
		await expect(all([{ ...same, hasMore: true }])).rejects.toThrow(
			'The last 10 pages of the list had no new record',
		);
		expect(await all([same])).toEqual(same.records);
	});

	it('tells members apart by the msid, or by the user_id if there is no msid', async () => {
		const records = await all(
			[
				{ records: [{ msid: '7.a' }, { user_id: 8 }, { msid: '10.a' }], hasMore: true },
				{ records: [{ user_id: '8' }, { msid: '7.b', user_id: 7 }], hasMore: true },
				{ records: [{ msid: '7.a' }, { user_id: 1, msid: '1.b' }], hasMore: false },
			],
			userList,
		);
		expect(records.map(({ msid, user_id: id }) => msid ?? id)).toEqual([
			...['7.a', 8, '10.a'],
			...['7.b', '1.b'],
		]);
	});
});

it('fails if the same records are repeated, even if their counters change', async () => {
	const sender = senderOf(async (page) => ({
		records: [{ tag_id: 1, count: page }],
		hasMore: true,
	}));
	const result = list(sender);
	const collected = async () => {
		for await (const { records } of result) expect(records.length).toBeLessThanOrEqual(1);
	};
	await expect(collected()).rejects.toMatchObject({
		message: 'The last 10 pages of the list had no new record',
		advice:
			"Report the operation and the time to your community platform's support, because this list never ends.",
	});
});
