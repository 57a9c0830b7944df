import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Page, Pagination } from '../../nodes/shared/paging/page.ts';
import { paginate } from '../../nodes/shared/paging/paginate.ts';
import type { Stop } from '../../nodes/shared/limiter/cancel.ts';

interface TestPage {
	ids: number[];
	hasMore?: boolean;
	fails?: boolean;
}
interface Walked {
	ids: unknown[];
	failure?: string;
}
type Bounds = Pick<Pagination, 'pageSize' | 'limit' | 'concurrency' | 'pagesBefore'>;

const LAST: TestPage = { ids: [], hasMore: false };

const limits = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.constant(Infinity));
const concurrencies = fc.integer({ min: 1, max: 50 });
const pageSizes = fc.integer({ min: 1, max: 8 });

// Identifiers from a small range, so that records repeat by chance; whole pages repeat on purpose.
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
function reference(pages: TestPage[], { limit }: Bounds): Walked {
	const given: number[] = [];
	let withoutNews = 0;
	let before = '';
	for (let number = 1; ; number++) {
		const page = pages[number - 1] ?? LAST;
		if (page.fails) return { ids: given, failure: `page ${number}` };
		const news = page.ids.filter((id) => !given.includes(id));
		given.push(...news.slice(0, limit - given.length));
		if (given.length === limit) return { ids: given };
		if (page.hasMore === false) return { ids: given };
		if (page.hasMore === undefined && news.length === 0) return { ids: given };
		if (page.ids.length > 0 && page.ids.join() === before) {
			return { ids: given, failure: 'the same page again' };
		}
		if (page.ids.length > 0) before = page.ids.join();
		withoutNews = news.length === 0 ? withoutNews + 1 : 0;
		if (withoutNews === 10) return { ids: given, failure: 'without a new record' };
	}
}

/** Reads the pages with answers that come in an order of the scheduler's choice. */
async function readAll(pages: TestPage[], bounds: Bounds, scheduler: fc.Scheduler) {
	const asked: number[] = [];
	let inFlight = 0;
	let maxInFlight = 0;
	const fetchPage = async (number: number): Promise<Page> => {
		asked.push(number);
		maxInFlight = Math.max(maxInFlight, ++inFlight);
		await scheduler.schedule(Promise.resolve());
		inFlight--;
		const { ids, hasMore, fails } = pages[number - 1] ?? LAST;
		if (fails) throw new TypeError(`page ${number}`);
		return { records: ids.map((id) => ({ id })), hasMore };
	};
	const ended: number[] = [];
	const atEnd = (count: number) => ended.push(count);
	const result = await scheduler.waitFor(
		collect(paginate({ ...bounds, idField: 'id', fetchPage, atEnd })),
	);
	return { result, asked, maxInFlight, ended };
}

async function collect(pages: AsyncGenerator<IDataObject[]>): Promise<Walked> {
	const ids: unknown[] = [];
	try {
		for await (const page of pages) {
			expect(page.length).toBeGreaterThan(0);
			for (const { id } of page) ids.push(id);
		}
		return { ids };
	} catch (error) {
		return { ids, failure: (error as Error).message };
	}
}

it('gives the same records as reading pages one after another, whenever pages arrive', async () => {
	const outcomes = { ended: 0, failed: 0, stalled: 0 };
	await fc.assert(
		fc.asyncProperty(
			anyPages,
			fc.record(
				{
					pageSize: pageSizes,
					limit: limits,
					concurrency: concurrencies,
					pagesBefore: fc.nat({ max: 40 }),
				},
				{ requiredKeys: ['pageSize', 'limit', 'concurrency'] },
			),
			fc.scheduler(),
			async (pages, bounds, scheduler) => {
				const expected = reference(pages, bounds);
				const { result, asked, maxInFlight } = await readAll(pages, bounds, scheduler);
				expect(result.ids).toEqual(expected.ids);
				if (expected.failure === undefined) expect(result.failure).toBeUndefined();
				else expect(result.failure).toContain(expected.failure);
				expect(maxInFlight).toBeLessThanOrEqual(bounds.concurrency);
				const { pagesBefore = 0, pageSize, limit, concurrency } = bounds;
				const probes = pagesBefore > 1 && pagesBefore * pageSize <= limit && concurrency > 1;
				if (probes) expect(asked.splice(1, 1)).toEqual([pagesBefore]);
				expect(asked).toEqual(asked.map((_, index) => index + 1));
				if (!expected.failure) outcomes.ended++;
				else if (expected.failure.startsWith('page')) outcomes.failed++;
				else outcomes.stalled++;
			},
		),
		{ numRuns: 400 },
	);
	// Each kind of ending occurred, or the property would prove less than it says.
	expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0);
});

describe('pagination of full pages', () => {
	const full = fc.record({ total: fc.integer({ min: 0, max: 300 }), pageSize: pageSizes });

	function pagesOf(total: number, pageSize: number): TestPage[] {
		const ids = Array.from({ length: total }, (_, index) => index + 1);
		const count = Math.max(1, Math.ceil(total / pageSize));
		return Array.from({ length: count }, (_, index) => ({
			ids: ids.slice(index * pageSize, (index + 1) * pageSize),
			hasMore: index + 1 < count,
		}));
	}

	it('requests no page that the limit does not need', async () => {
		await fc.assert(
			fc.asyncProperty(
				full,
				fc.integer({ min: 1, max: 300 }),
				concurrencies,
				fc.scheduler(),
				async ({ total, pageSize }, limit, concurrency, scheduler) => {
					const pages = pagesOf(total, pageSize);
					const { result, asked } = await readAll(
						pages,
						{ pageSize, limit, concurrency },
						scheduler,
					);
					expect(result.ids).toHaveLength(Math.min(total, limit));
					expect(asked.length).toBeLessThanOrEqual(Math.ceil(limit / pageSize));
				},
			),
		);
	});

	it('requests at most twice the pages that exist, however many there were before', async () => {
		await fc.assert(
			fc.asyncProperty(
				full,
				concurrencies,
				fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
				fc.scheduler(),
				async ({ total, pageSize }, concurrency, pagesBefore, scheduler) => {
					const pages = pagesOf(total, pageSize);
					const bounds = { pageSize, limit: Infinity, concurrency, pagesBefore };
					const { result, asked, ended } = await readAll(pages, bounds, scheduler);
					expect(result.ids).toHaveLength(total);
					expect(ended).toEqual([pages.length]);
					expect(asked.length).toBeLessThanOrEqual(2 * pages.length);
					if (pages.length === 1 && pagesBefore === undefined) expect(asked).toEqual([1]);
				},
			),
		);
	});

	it('requests one page at a time where has_more is missing, and one beyond the end', async () => {
		await fc.assert(
			fc.asyncProperty(
				full,
				concurrencies,
				fc.scheduler(),
				async ({ total, pageSize }, concurrency, scheduler) => {
					const pages = pagesOf(total, pageSize).map(({ ids }) => ({ ids, hasMore: undefined }));
					const beyond = { ids: [], hasMore: undefined };
					const bounds = { pageSize, limit: Infinity, concurrency };
					const read = await readAll([...pages, beyond], bounds, scheduler);
					const { asked, ended, maxInFlight } = read;
					expect(maxInFlight).toBe(1);
					const needed = total === 0 ? 1 : pages.length + 1;
					expect(asked).toEqual(Array.from({ length: needed }, (_, index) => index + 1));
					// Without the header, the length is not known for the next time.
					expect(ended).toEqual([]);
				},
			),
		);
	});

	it('requests at most two pages too many when there are as many as before, or one more', async () => {
		await fc.assert(
			fc.asyncProperty(
				full,
				concurrencies,
				fc.boolean(),
				fc.scheduler(),
				async ({ total, pageSize }, concurrency, isAdded, scheduler) => {
					const pages = pagesOf(total, pageSize);
					const pagesBefore = Math.max(1, pages.length - (isAdded ? 1 : 0));
					const bounds = { pageSize, limit: Infinity, concurrency, pagesBefore };
					const { asked } = await readAll(pages, bounds, scheduler);
					expect(asked.length - pages.length).toBeLessThanOrEqual(2);
				},
			),
		);
	});

	it('reaches full concurrency after four round trips, and after one where the length is known', async () => {
		expect((await roundsOf({ concurrency: 16 })).indexOf(16)).toBeLessThanOrEqual(4);
		expect((await roundsOf({ concurrency: 16, pagesBefore: 90 })).indexOf(16)).toBe(1);
	});

	it('begins again with few pages where a listing goes on beyond its known length', async () => {
		const [, known, beyond] = await roundsOf({ concurrency: 16, pagesBefore: 6 });
		expect(beyond).toBeLessThan(known / 2);
	});

	it('gives records that move to the last page meanwhile', async () => {
		const lists = [
			[
				[1, 2],
				[3, 4],
				[5, 6],
			],
			[[9, 1], [2, 3], [4, 5], [6]],
		];
		const given: number[] = [];
		const fetchPage = async (number: number): Promise<Page> => {
			// A member joins once the first page has been read and the last one probed.
			const pages = lists[asked.push(number) <= 2 ? 0 : 1];
			const ids = pages[number - 1] ?? [];
			return { records: ids.map((id) => ({ id })), hasMore: number < pages.length };
		};
		const asked: number[] = [];
		const bounds = { pageSize: 2, limit: Infinity, concurrency: 5, pagesBefore: 3, idField: 'id' };
		for await (const page of paginate({ ...bounds, fetchPage })) {
			for (const { id } of page) given.push(id as number);
		}
		expect(given).toEqual([1, 2, 3, 4, 5, 6]);
	});

	/** How many pages are requested at once in each round trip. */
	async function roundsOf(given: Partial<Pagination>): Promise<number[]> {
		const bounds = { pageSize: 1, limit: 100, concurrency: 16, ...given };
		const rounds: number[] = [];
		let waiting: Array<() => void> = [];
		let isDone = false;
		const reading = collect(
			paginate({
				...bounds,
				idField: 'id',
				fetchPage: async (number) => {
					await new Promise<void>((resolve) => waiting.push(resolve));
					return { records: [{ id: number }], hasMore: true };
				},
			}),
		).finally(() => (isDone = true));
		while (!isDone && rounds.length < 50) {
			rounds.push(waiting.length);
			const answered = waiting;
			waiting = [];
			for (const answer of answered) answer();
			await sleep(0);
		}
		await reading;
		return rounds.slice(0, 5);
	}
});

it.each([undefined, null])('gives records without an identifier (%s) as they come', async (id) => {
	const pages: Page[] = [
		{ records: ['a', 'a'].map((name) => ({ id, name })), hasMore: true },
		{ records: ['a', 'b'].map((name) => ({ id, name })), hasMore: false },
	];
	const given: IDataObject[] = [];
	const fetchPage = async (number: number) => pages[number - 1];
	const bounds = { pageSize: 2, limit: Infinity, concurrency: 5, idField: 'id' };
	for await (const page of paginate({ ...bounds, fetchPage })) given.push(...page);
	expect(given.map(({ name }) => name)).toEqual(['a', 'a', 'a', 'b']);
});

describe('prefetched pages', () => {
	const more: Page = { records: [{ id: 1 }], hasMore: true };

	async function withdrawnAfter(pages: Array<Page | Error>, leaves = false): Promise<boolean[]> {
		const asked: Stop[] = [];
		const fetchPage = async (number: number, over: Stop): Promise<Page> => {
			asked.push(over);
			const page = pages[number - 1];
			if (page instanceof Error) throw page;
			return page ?? (await new Promise(() => {}));
		};
		const result = paginate({
			pageSize: 1,
			limit: Infinity,
			concurrency: 5,
			idField: 'id',
			fetchPage,
		});
		try {
			for await (const page of result) if (leaves && page.length > 0 && asked.length > 1) break;
		} catch {
			// Other tests look at how it ends.
		}
		return asked.map(({ isStopped }) => isStopped);
	}

	it('are not added once the last page has come, although one in flight is answered later', async () => {
		const asked: Stop[] = [];
		let answerOthers = () => {};
		const others = new Promise<void>((resolve) => (answerOthers = resolve));
		const fetchPage = async (page: number, over: Stop): Promise<Page> => {
			asked.push(over);
			if (page > 3) await others;
			return { records: page <= 3 ? [{ id: page }] : [], hasMore: page !== 3 };
		};
		const bounds = { pageSize: 1, limit: Infinity, concurrency: 20, idField: 'id' };
		let pages = 0;
		for await (const page of paginate({ ...bounds, fetchPage })) {
			expect(page).toHaveLength(1);
			if (++pages < 3) continue;
			const { length } = asked;
			answerOthers();
			await sleep(0);
			expect(asked).toHaveLength(length);
			expect(new Set(asked.map(({ isStopped }) => isStopped))).toEqual(new Set([true]));
		}
		expect(pages).toBe(3);
	});

	it.each<[string, Array<Page | Error>, boolean]>([
		['the listing has ended', [more, { records: [{ id: 2 }], hasMore: false }], false],
		['a page has failed for good', [more, new TypeError('no')], false],
		['the caller stops', [more, { records: [{ id: 2 }], hasMore: true }], true],
	])('are withdrawn when %s', async (_, pages, leaves) => {
		const withdrawn = await withdrawnAfter(pages, leaves);
		expect(withdrawn.length).toBeGreaterThan(3);
		expect(new Set(withdrawn)).toEqual(new Set([true]));
	});
});

describe('the end of a listing', () => {
	async function atLimitOf(
		pages: Page[],
		limit: number,
	): Promise<{ ids: unknown[]; told: number }> {
		const ids: unknown[] = [];
		let told = 0;
		const result = paginate({
			...{ pageSize: 2, limit, concurrency: 1, idField: 'id' },
			fetchPage: async (number) => pages[number - 1],
			atLimit: () => told++,
		});
		for await (const page of result) for (const { id } of page) ids.push(id);
		return { ids, told };
	}

	const two = (hasMore: boolean): Page[] => [
		{ records: [{ id: 1 }, { id: 2 }], hasMore: true },
		{ records: [{ id: 3 }, { id: 4 }], hasMore },
	];

	it.each<[string, Page[], number, number]>([
		['the limit is reached and more is announced', two(true), 4, 1],
		['the last page has more than is wanted', two(false), 3, 1],
		['the last page has just what is wanted', two(false), 4, 0],
		['there is less than is wanted', two(false), 5, 0],
	])(
		'says that there is more beyond the limit only where there is: %s',
		async (_, pages, limit, told) => {
			const result = await atLimitOf(pages, limit);
			expect(result).toEqual({ ids: [1, 2, 3, 4].slice(0, limit), told });
		},
	);

	it('is reached when a server without pagination gives all records again', async () => {
		const same = { records: [{ id: 1 }, { id: 2 }] };
		expect(await atLimitOf([same, same], Infinity)).toEqual({ ids: [1, 2], told: 0 });
	});

	it('is reached at the limit, though records have no identifier', async () => {
		const same = { records: [{ name: 'one' }, { name: 'two' }], hasMore: true };
		const result = await atLimitOf([same, same], 4);
		expect(result.ids).toHaveLength(4);
		await expect(atLimitOf([same, same, same], 5)).rejects.toThrow('the same page again');
	});

	it('is a failure when the same records come again, although their counters change', async () => {
		const page = (count: number): Page => ({ records: [{ id: 1, count }], hasMore: true });
		await expect(atLimitOf([page(1), page(2)], Infinity)).rejects.toMatchObject({
			message: 'The listing does not advance: the API gave the same page again',
			advice: 'Tell the operators of the community.',
		});
	});
});
