import { sleep } from 'n8n-workflow';
import { SimulatedClock } from '../../bench/simulation.mts';
import { Limiter } from '../../nodes/shared/pacing/limiter.ts';
import { Stop } from '../../nodes/shared/pacing/stop.ts';
import type { Page, Walk } from '../../nodes/shared/paging/pages.ts';
import { walkPages } from '../../nodes/shared/paging/pages.ts';

const MS = 20;

type Given = Partial<Pick<Walk, 'window' | 'limit' | 'pagesBefore'>>;

/** A page beyond the end has no record and announces nothing more. */
const fullPages =
	(count: number) =>
	(page: number): Page => ({
		records: page <= count ? [{ id: page }] : [],
		hasMore: page < count,
	});

/**
 * Walks a listing through a limiter that knows nothing yet, in simulated time.
 *
 * @param tookMs how long an answer takes, 20 ms unless told
 */
async function listed(
	answers: (page: number) => Page,
	given: Given = {},
	tookMs: (page: number, isLook: boolean) => number = () => MS,
) {
	const clock = new SimulatedClock();
	const limiter = new Limiter(clock);
	const run = new Stop();
	const { window: max = 50 } = given;
	const asked: number[] = [];
	const ids: unknown[] = [];
	let next = 1;
	const onTheirWay = { inTurn: 0, looks: 0 };
	let most = 0;
	let mostInTurn = 0;
	const pages = walkPages({
		pageSize: 1,
		limit: Infinity,
		window: max,
		idField: 'id',
		...given,
		fetchPage: async (page, withdrawn) => {
			asked.push(page);
			const isLook = page !== next;
			if (!isLook) next++;
			const kind = isLook ? 'looks' : 'inTurn';
			onTheirWay[kind]++;
			most = Math.max(most, onTheirWay.inTurn + onTheirWay.looks);
			mostInTurn = Math.max(mostInTurn, onTheirWay.inTurn);
			const place = await limiter.take({ run, max, kind: 'list', withdrawn });
			if (!place) return { records: [] };
			await clock.sleep(tookMs(page, isLook));
			place.leave('fine');
			onTheirWay[kind]--;
			return answers(page);
		},
	});
	const walk = async () => {
		for await (const page of pages) for (const { id } of page) ids.push(id);
		return clock.now() / MS;
	};
	const roundTrips = await clock.run(walk());
	return { roundTrips, asked, ids, most, mostInTurn };
}

const inTurn = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

it.each([
	[1, 1],
	[3, 2],
	[7, 3],
	[9, 4],
	[14, 3],
	[15, 4],
	[24, 4],
	[36, 4],
	[37, 4],
	[76, 5],
	[120, 6],
])('lists %i pages in %i round trips', async (count, roundTrips) => {
	const walked = await listed(fullPages(count));
	expect(walked.ids).toEqual(inTurn(count));
	expect(walked.roundTrips).toBe(roundTrips);
});

it('asks for at most twice the pages, for few in vain just below where it looked', async () => {
	for (let count = 1; count <= 120; count++) {
		const { asked } = await listed(fullPages(count));
		expect(asked.length).toBeLessThanOrEqual(2 * count);
	}
	const { asked } = await listed(fullPages(36));
	expect(asked.length).toBeLessThanOrEqual(36 + 6);
	expect(asked.filter((page) => page === 39)).toHaveLength(1);
});

it('asks for at most twice the pages also where looks are answered late', async () => {
	for (let count = 50; count <= 120; count++) {
		for (const lateMs of [45, 85, 105]) {
			const tookMs = (page: number, isLook: boolean) => (isLook && page >= 19 ? lateMs : MS);
			const { asked, ids } = await listed(fullPages(count), { window: 200 }, tookMs);
			expect(ids).toEqual(inTurn(count));
			expect(asked.length).toBeLessThanOrEqual(2 * count);
		}
	}
});

it.each([9, 10, 11, 20, 50])('has at most %i pages on their way', async (window) => {
	const tookMs = (_: number, isLook: boolean) => (isLook ? 3 * MS : MS);
	const { most, mostInTurn } = await listed(fullPages(400), { window }, tookMs);
	expect(most).toBe(window);
	// Where a look is on its way, there is room for one less.
	expect(mostInTurn).toBe(window);
});

it.each([9, 19, 39, 79])(
	'asks for nothing below page %i where a look shows that it is the last',
	async (count) => {
		const { asked } = await listed(fullPages(count));
		const below = asked.filter((page) => page > count);
		expect(below).toEqual([]);
	},
);

it('looks further down after the first page, about twice as far each time', async () => {
	const { asked } = await listed(fullPages(100));
	expect(asked.slice(0, 4)).toEqual([1, 9, 2, 3]);
	const looks = asked.filter((page, index) => asked.indexOf(page, index + 1) > 0);
	expect(looks).toEqual([9, 19, 39, 79]);
	expect(asked.filter((page) => page === 159)).toHaveLength(1);
});

it.each<[string, Given]>([
	['one page at a time is allowed', { window: 1 }],
	['few at a time are allowed', { window: 9 }],
	['there is a limit', { limit: 60 }],
	['it was listed before', { pagesBefore: 1 }],
])('looks nowhere where %s', async (_, given) => {
	const { asked } = await listed(fullPages(50), given);
	expect(asked).toEqual(inTurn(asked.length));
	if (given.window === 1) expect(asked).toHaveLength(50);
});

it('looks nowhere where has_more is not said', async () => {
	const { asked } = await listed((page) => ({ records: page <= 30 ? [{ id: page }] : [] }));
	expect(asked).toEqual(inTurn(asked.length));
});

it('does not take the last page that is given for any later one for a further page', async () => {
	const { asked, ids } = await listed((page) => fullPages(3)(Math.min(page, 3)));
	expect(ids).toEqual([1, 2, 3]);
	expect(asked.length).toBeLessThanOrEqual(6);
});

it.each<[string, () => Page]>([
	['says that there is no more', () => ({ records: [], hasMore: false })],
	[
		'fails',
		() => {
			throw new TypeError('too far');
		},
	],
])('goes on ahead although what it looked at %s', async (_, wrong) => {
	let looks = 0;
	const answers = (page: number) => (page === 9 && looks++ === 0 ? wrong() : fullPages(40)(page));
	const { ids, asked, roundTrips } = await listed(answers);
	expect(ids).toEqual(inTurn(40));
	expect(asked.length).toBeLessThanOrEqual(80);
	expect(roundTrips).toBeLessThanOrEqual(8);
});

it.each([2, 3, 8])(
	'asks for at most twice %i pages although what is beyond them announces more',
	async (count) => {
		const answers = (page: number) => ({ ...fullPages(count)(page), hasMore: page !== count });
		for (const slowMs of [MS, 50 * MS]) {
			const { ids, asked } = await listed(answers, {}, (page) => (page === 2 ? slowMs : MS));
			expect(ids).toEqual(inTurn(count));
			expect(asked.length).toBeLessThanOrEqual(2 * count);
		}
	},
);

it('does not look ever further down while a page is slow', async () => {
	const sent: number[] = [];
	const tookMs = (page: number) => {
		sent.push(page);
		return page === 2 ? 1_000 * MS : MS;
	};
	const answers = (page: number) => {
		if (page === 2) throw new TypeError('gone');
		return { records: [{ id: page }], hasMore: true };
	};
	await expect(listed(answers, { window: 50 }, tookMs)).rejects.toThrow('gone');
	expect(sent.length).toBeLessThanOrEqual(60);
	expect(Math.max(...sent)).toBeLessThanOrEqual(200);
});

it('does not take what it could not look at for what is there', async () => {
	const answers = (page: number) => {
		if (page === 40) throw new TypeError('too far');
		return fullPages(3)(page);
	};
	const { ids, asked } = await listed(answers, { pagesBefore: 40 });
	expect(ids).toEqual(inTurn(3));
	expect(asked.length).toBeLessThanOrEqual(2 * 3);
});

it.each([
	[2, 3],
	[1, 1],
])('with %i at a time, asks for %i pages before the second one is wanted', async (window, most) => {
	const asked: number[] = [];
	const pages = walkPages({
		...{ pageSize: 1, limit: Infinity, window, idField: 'id' },
		fetchPage: async (page) => {
			asked.push(page);
			return fullPages(9)(page);
		},
	});
	await pages.next();
	expect(asked).toEqual(inTurn(most));
	await pages.return(undefined);
});

it('asks for nothing more once nobody wants a further page, though a look is answered then', async () => {
	const asked: number[] = [];
	let answer = () => {};
	const pages = walkPages({
		...{ pageSize: 1, limit: Infinity, window: 50, idField: 'id' },
		fetchPage: async (page) => {
			asked.push(page);
			if (page === 9) await new Promise<void>((resolve) => (answer = resolve));
			return fullPages(40)(page);
		},
	});
	await pages.next();
	await pages.return(undefined);
	expect(asked).toEqual([1, 9, 2, 3]);
	answer();
	await sleep(0);
	expect(asked).toEqual([1, 9, 2, 3]);
});
