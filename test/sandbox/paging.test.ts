import { useBareSandbox } from '../support/community.mts';
import { call } from './support.mts';

const sandbox = useBareSandbox();

type Item = { user_id: number };

/** Paginates while has_more says so, and returns the pages. */
async function walk(path: string, pageSize: number, atMost = 100): Promise<Item[][]> {
	const pages: Item[][] = [];
	for (let page = 1; page <= atMost; page++) {
		const answer = await call(sandbox, 'GET', path, { query: { page, page_size: pageSize } });
		expect(answer.status).toBe(200);
		pages.push(answer.data);
		if (answer.headers.has_more !== '1') break;
	}
	return pages;
}

const ids = (pages: Item[][]) => pages.flat().map(({ user_id }) => user_id);
const activeIds = () =>
	sandbox.community.members(10, 'user_id', 'desc').map(({ user_id }) => user_id);

describe('pagination', () => {
	it.each([
		['/api/v1/boards', 130],
		['/api/v1/roles', 7],
		['/api/v1/tags', 160],
		['/api/v1/tags/search?q=e', 1],
		['/api/v1/tags/mapping?ref_type=POST&ref_id=1001', 60],
	])('%s is paged and says whether there is more', async (path, atLeast) => {
		const pages = await walk(path, 3);
		expect(pages.flat().length).toBeGreaterThanOrEqual(atLeast);
		const texts = pages.flat().map((record) => JSON.stringify(record));
		expect(new Set(texts).size).toBe(texts.length);
		expect(pages.slice(0, -1).every((page) => page.length === 3)).toBe(true);
	});
});

describe('faults in lists', () => {
	it('short pages, and empty ones in the middle, lose nothing', async () => {
		sandbox.faults.add({ kind: 'shortPages', keep: 40 });
		sandbox.faults.add({ kind: 'emptyPages', at: 3, count: 4 });
		const pages = await walk('/api/v1/users', 50);
		expect(pages.map((page) => page.length).slice(1, 8)).toEqual([40, 0, 0, 0, 0, 40, 40]);
		expect(ids(pages)).toEqual(activeIds());
	});

	it('a list can be stuck at a page', async () => {
		sandbox.faults.add({ kind: 'stuck', answer: 'samePage', from: 2 });
		const pages = await walk('/api/v1/users', 50, 5);
		expect(pages).toHaveLength(5);
		expect(ids(pages.slice(0, 2))).toEqual(activeIds().slice(0, 100));
		expect(pages[4]).toEqual(pages[1]);
	});
	it('has_more can be missing or anything, and the answer no list', async () => {
		const get = async () => await call(sandbox, 'GET', '/api/v1/roles');
		sandbox.faults.add({ kind: 'hasMore', value: null, times: 1 });
		expect((await get()).headers.has_more).toBeUndefined();
		sandbox.faults.add({ kind: 'hasMore', value: 'maybe' });
		sandbox.faults.add({ kind: 'notAList', value: { items: [] } });
		const { headers, data } = await get();
		expect([headers.has_more, data]).toEqual(['maybe', { items: [] }]);
	});

	it('members can join and leave between pages', async () => {
		const before = activeIds();
		sandbox.faults.add({ kind: 'membersChange', join: 3, after: 1, times: 1 });
		const grown = ids(await walk('/api/v1/users', 50));
		expect(grown).toHaveLength(before.length + 3);
		expect(new Set(grown).size).toBe(before.length);
		sandbox.faults.add({ kind: 'membersChange', leave: 5, after: 1, times: 1 });
		expect(ids(await walk('/api/v1/users', 50))).toHaveLength(before.length + 3 - 5);
		expect(activeIds()).toHaveLength(before.length - 2);
	});
});
