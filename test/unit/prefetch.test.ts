import { SimulatedClock } from '../support/simulation.mts';
import { Limiter } from '../../nodes/shared/limiter/limiter.ts';
import { Stop } from '../../nodes/shared/limiter/cancel.ts';
import type { Page, Pagination } from '../../nodes/shared/paging/page.ts';
import { paginate } from '../../nodes/shared/paging/paginate.ts';

const MS = 20;

type Given = Partial<Pick<Pagination, 'concurrency' | 'limit' | 'pagesBefore'>>;

/** A page beyond the end has no record and announces nothing more. */
const fullPages =
	(count: number) =>
	(page: number): Page => ({
		records: page <= count ? [{ id: page }] : [],
		hasMore: page < count,
	});

/**
 * Reads a listing through a limiter that knows nothing yet, in simulated time.
 *
 * @param tookMs how long an answer takes, 20 ms by default
 */
async function listed(
	answers: (page: number) => Page,
	given: Given = {},
	tookMs: (page: number) => number = () => MS,
) {
	const clock = new SimulatedClock();
	const limiter = new Limiter(clock);
	const run = new Stop();
	const { concurrency: max = 50 } = given;
	const requested: number[] = [];
	const ids: unknown[] = [];
	let inFlight = 0;
	let mostInFlight = 0;
	const pages = paginate({
		pageSize: 1,
		limit: Infinity,
		concurrency: max,
		idField: 'id',
		...given,
		fetchPage: async (page, withdrawn) => {
			requested.push(page);
			mostInFlight = Math.max(mostInFlight, ++inFlight);
			const place = await limiter.acquire({ run, max, withdrawn });
			if (!place) return { records: [] };
			await clock.sleep(tookMs(page));
			place.release('fine');
			inFlight--;
			return answers(page);
		},
	});
	const read = async () => {
		for await (const page of pages) for (const { id } of page) ids.push(id);
		return clock.now() / MS;
	};
	const roundTrips = await clock.run(read());
	return { roundTrips, requested, ids, mostInFlight };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('prefetching a listing of unknown length', () => {
	it.each([
		[1, 1],
		[4, 2],
		[10, 3],
		[22, 4],
		[36, 5],
		[46, 5],
		[90, 6],
	])('takes at most as long for %i pages as %i pages one after another', async (count, most) => {
		const { ids, roundTrips } = await listed(fullPages(count));
		expect(ids).toEqual(upTo(count));
		expect(roundTrips).toBeLessThanOrEqual(most);
	});

	it.each([2, 3, 8])(
		'requests at most twice %i pages although those beyond the end announce more',
		async (count) => {
			const answers = (page: number) => ({ ...fullPages(count)(page), hasMore: page !== count });
			for (const slowMs of [MS, 50 * MS]) {
				const { ids, requested } = await listed(answers, {}, (page) => (page === 2 ? slowMs : MS));
				expect(ids).toEqual(upTo(count));
				expect(requested.length).toBeLessThanOrEqual(2 * count);
			}
		},
	);

	it('does not take the last page, given for any later one, for a further page', async () => {
		const { requested, ids } = await listed((page) => fullPages(3)(Math.min(page, 3)));
		expect(ids).toEqual(upTo(3));
		expect(requested.length).toBeLessThanOrEqual(6);
	});

	it('does not go on while a page is slow', async () => {
		const answers = (page: number) => {
			if (page === 2) throw new TypeError('gone');
			return { records: [{ id: page }], hasMore: true };
		};
		const sent: number[] = [];
		const tookMs = (page: number) => {
			sent.push(page);
			return page === 2 ? 1_000 * MS : MS;
		};
		await expect(listed(answers, {}, tookMs)).rejects.toThrow('gone');
		expect(Math.max(...sent)).toBeLessThanOrEqual(4);
	});
});

describe('prefetching a listing whose length is known', () => {
	// Beyond some ten pages, the limiter begins with fewer at once.
	it.each([
		[2, 2],
		[8, 2],
		[36, 4],
	])('takes at most as long for %i pages as %i pages one after another', async (count, most) => {
		const given = { pagesBefore: count };
		const { ids, requested, roundTrips } = await listed(fullPages(count), given);
		expect(ids).toEqual(upTo(count));
		expect(roundTrips).toBeLessThanOrEqual(most);
		expect(requested).toHaveLength(count + 1);
	});

	it.each([
		['is gone', () => ({ records: [], hasMore: true })],
		[
			'cannot be probed',
			() => {
				throw new TypeError('too far');
			},
		],
	])('is as for an unknown one when the last page %s', async (_, answer: () => Page) => {
		const answers = (page: number) => (page === 40 ? answer() : fullPages(3)(page));
		const { ids, requested } = await listed(answers, { pagesBefore: 40 });
		expect(ids).toEqual(upTo(3));
		expect(requested.length).toBeLessThanOrEqual(2 * 3);
	});

	it.each<[string, Given]>([
		['one page at a time is allowed', { concurrency: 1, pagesBefore: 9 }],
		['the limit ends before', { limit: 8, pagesBefore: 9 }],
		['it had a single page', { pagesBefore: 1 }],
	])('probes nothing where %s', async (_, given) => {
		const { requested } = await listed(fullPages(9), given);
		expect(requested).toEqual(upTo(requested.length));
	});
});

describe('concurrency', () => {
	it.each([1, 2, 9, 20, 50])('has %i pages in flight at most', async (concurrency) => {
		for (const pagesBefore of [undefined, 300]) {
			const { mostInFlight } = await listed(fullPages(300), { concurrency, pagesBefore });
			expect(mostInFlight).toBe(concurrency);
		}
	});

	it.each([
		[2, 3],
		[1, 1],
	])('of %i has %i pages requested before the second one is wanted', async (concurrency, most) => {
		const requested: number[] = [];
		const pages = paginate({
			...{ pageSize: 1, limit: Infinity, concurrency, idField: 'id' },
			fetchPage: async (page) => {
				requested.push(page);
				return fullPages(9)(page);
			},
		});
		await pages.next();
		expect(requested).toEqual(upTo(most));
		await pages.return(undefined);
	});
});
