import type { INodeListSearchResult } from 'n8n-workflow';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { credentialFor, pick } from './editor.mts';

const sandbox = useSandbox();
withoutBackoff();

type Picker = Parameters<typeof pick>[1];
const PICKERS: Picker[] = [
	...(['searchAuthors', 'searchBoards', 'searchUsers', 'searchRoles', 'searchTags'] as const),
];

// Pickers cache pages by source system, so each test has its own.
let caller = 0;
beforeEach(() => caller++);

async function search(picker: Picker, filter?: string, token?: string) {
	const credential = credentialFor(sandbox, { sourceSystem: `caller ${caller}` });
	return await pick(credential, picker, filter, token);
}

/** Scrolls to the end, which has to come some time. */
async function all(picker: Picker, filter?: string): Promise<INodeListSearchResult[]> {
	const portions = [await search(picker, filter)];
	while (portions.length < 20) {
		const { paginationToken } = portions[portions.length - 1];
		if (paginationToken === undefined) return portions;
		portions.push(await search(picker, filter, String(paginationToken)));
	}
	throw new TypeError('the list does not end');
}

const sizes = (portions: INodeListSearchResult[]) => portions.map(({ results }) => results.length);
const entries = (portions: INodeListSearchResult[]) => portions.flatMap(({ results }) => results);

describe('the whole list, portion by portion', () => {
	it('of boards', async () => {
		const portions = await all('searchBoards');
		expect(sizes(portions)).toEqual([50, 50, 30]);
		expect(entries(portions)).toEqual(
			[...sandbox.community.boards.values()].map(({ board_id, board_name, is_private }) => ({
				...{ name: is_private ? `${board_name} (private)` : board_name },
				value: String(board_id),
			})),
		);
		expect(asked(sandbox)).toEqual([
			'GET /api/v1/boards?page=1&page_size=50',
			'GET /api/v1/boards?page=2&page_size=50',
			'GET /api/v1/boards?page=3&page_size=50',
		]);
	});

	it('of users whose msid the key may not view, the number the value', async () => {
		sandbox.faults.add({ kind: 'notAList', value: [{ user_id: 7, first_name: 'Ada' }] });
		sandbox.faults.add({ kind: 'hasMore', value: '0' });
		expect(entries([await search('searchUsers')])).toEqual([{ name: 'Ada', value: '7' }]);
	});

	it('of roles', async () => {
		const portions = await all('searchRoles');
		expect(sizes(portions)).toEqual([7]);
		expect(entries(portions)[0]).toEqual({ name: 'Admin', value: '1' });
		expect(asked(sandbox)).toEqual(['GET /api/v1/roles?page=1&page_size=50']);
	});

	it('of tags by name', async () => {
		const portions = await all('searchTags');
		expect(sizes(portions)).toEqual([50, 50, 50, 10]);
		const { tags } = sandbox.community;
		const byName = [...tags.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
		expect(entries(portions)).toEqual(
			byName.map(({ display_name, tag_id }) => ({
				...{ name: display_name, value: String(tag_id) },
			})),
		);
		expect(asked(sandbox)[3]).toBe('GET /api/v1/tags?sort_by=name&order=asc&page=4&page_size=50');
	});
});

describe('a filter', () => {
	it('finds boards by a part of the name, whatever its case, on any page', async () => {
		const { results, paginationToken } = await search('searchBoards', '  IN EUROPE ');
		expect(results).toHaveLength(26);
		expect(results.every(({ name }) => /in Europe( \(private\))?$/.test(name))).toBe(true);
		// More may follow: a listful is shown as soon as there is one.
		expect(asked(sandbox)).toHaveLength(3);
		expect(paginationToken).toBeUndefined();
	});

	it('finds a user by first name, username and msid', async () => {
		const [, user] = sandbox.community.members(10, 'name', 'desc');
		for (const filter of [user.username, user.msid, user.first_name.toUpperCase()]) {
			const values = entries(await all('searchUsers', filter)).map(({ value }) => value);
			expect(values).toContain(user.msid);
		}
	});

	it('finds roles', async () => {
		const { results } = await search('searchRoles', 'mod');
		expect(results).toEqual([{ name: 'Moderator', value: '5' }]);
	});

	it('goes to the search of the API for tags, page by page', async () => {
		const portions = await all('searchTags', ' o ');
		expect(sizes(portions).slice(0, 2)).toEqual([50, 50]);
		expect(asked(sandbox).slice(0, 2)).toEqual([
			'GET /api/v1/tags/search?q=o&page=1&page_size=50',
			'GET /api/v1/tags/search?q=o&page=2&page_size=50',
		]);
		const expected = [...sandbox.community.tags.values()].filter(({ name }) => name.includes('o'));
		expect(entries(portions)).toHaveLength(expected.length);
	});

	it.each(PICKERS)('without a match gives an empty list (%s)', async (picker) => {
		const { results, paginationToken } = await search(picker, 'no such thing');
		expect({ results, paginationToken }).toEqual({ results: [] });
	});

	it('goes on over pages without a match, and stops where the list has enough', async () => {
		sandbox.faults.add({ kind: 'shortPages', keep: 10, path: '/api/v1/boards' });
		const first = await search('searchBoards', 'for');
		expect(first.results.length).toBeGreaterThanOrEqual(25);
		const next = Number(first.paginationToken);
		expect(next).toBe(asked(sandbox).length + 1);
		const second = await search('searchBoards', 'for', String(next));
		expect(asked(sandbox)[next - 1]).toBe(`GET /api/v1/boards?page=${next}&page_size=50`);
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
	});
});

describe('the policy of all listings', () => {
	it.each(PICKERS)('goes by full pages where has_more is missing (%s)', async (picker) => {
		const expected = entries(await all(picker));
		sandbox.faults.add({ kind: 'hasMore', value: null });
		expect(entries(await all(picker))).toEqual(expected);
	});

	it('goes on over empty pages', async () => {
		sandbox.faults.add({ kind: 'emptyPages', at: 2, count: 5 });
		expect(entries(await all('searchBoards'))).toHaveLength(130);
		expect(entries(await all('searchBoards', 'europe'))).toHaveLength(26);
	});

	it.each([undefined, 'e'])(
		'ends a listing that does not know pages (filter %j)',
		async (filter) => {
			sandbox.faults.add({ kind: 'hasMore', value: null });
			sandbox.faults.add({ kind: 'stuck', answer: 'samePage' });
			const values = entries(await all('searchBoards', filter)).map(({ value }) => value);
			expect(values.length).toBeGreaterThan(0);
			expect(new Set(values).size).toBe(values.length);
			expect(asked(sandbox)).toHaveLength(2);
		},
	);

	it.each([
		['emptyPage', '10 pages in a row without a new record, each announcing more', 10],
		['samePage', 'the API gave the same page again', 2],
	] as const)('ends one that does not advance (%s)', async (answer, reason, requests) => {
		sandbox.faults.add({ kind: 'stuck', answer });
		await expect(search('searchBoards', 'no such thing')).rejects.toMatchObject({
			message: `The listing does not advance: ${reason}`,
			description: expect.stringMatching(/^Choose "By ID" instead of "From List"/),
		});
		expect(asked(sandbox)).toHaveLength(requests);
	});

	it('shows an entry once that slides over a page border between two portions', async () => {
		const first = await search('searchRoles');
		expect(first.paginationToken).toBeUndefined();
		const boards = await search('searchBoards');
		const { community } = sandbox;
		const moved = new Map([
			[990, { ...community.boards.get(1), board_id: 990 }],
			...community.boards,
		]);
		community.boards.clear();
		for (const [id, board] of moved) community.boards.set(id, board as never);
		const second = await search('searchBoards', undefined, String(boards.paginationToken));
		const values = [...boards.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
	});
});

it.each(PICKERS)(
	'%s shows an empty list for an empty community, but for oneself',
	async (picker) => {
		const { boards, users, roles, tags } = sandbox.community;
		for (const map of [boards, roles, tags]) map.clear();
		for (const { msid } of [...users.values()]) sandbox.community.removeUser(msid);
		const { results, ...rest } = await search(picker);
		expect(rest).toEqual({});
		expect(results.map(({ value }) => value)).toEqual(picker === 'searchAuthors' ? ['me'] : []);
	},
);

it('shows what there is of a record without a name', async () => {
	const body = [{ board_id: 7 }];
	sandbox.faults.add({ kind: 'text', text: JSON.stringify(body), times: 2 });
	expect(await search('searchBoards')).toEqual({ results: [{ name: '7', value: '7' }] });
	sandbox.faults.add({ kind: 'text', text: '[{"msid":"7.a"},{"msid":"8.b","username":"b"}]' });
	expect(await search('searchUsers')).toEqual({
		results: [
			{ name: '7.a', value: '7.a' },
			{ name: '(b)', value: '8.b' },
		],
	});
});

describe('a picker that cannot', () => {
	it.each(PICKERS)('use its key says what to check (%s)', async (picker) => {
		const refused = pick(credentialFor(sandbox, { apiKey: 'wrong' }), picker);
		await expect(refused).rejects.toMatchObject({
			...{ name: 'NodeApiError', httpCode: '403', message: 'The API key is not valid' },
			description: expect.stringContaining('Check "API Key" in the credential'),
		});
		// Nothing is applied by looking.
		await expect(refused).rejects.toMatchObject({
			description: expect.not.stringContaining('applied'),
		});
	});

	it('get through gives up after two more tries', async () => {
		sandbox.faults.add({ kind: 'status', status: 503 });
		await expect(search('searchBoards')).rejects.toMatchObject({ httpCode: '503' });
		expect(asked(sandbox)).toHaveLength(3);
	});

	it('find the API says so', async () => {
		sandbox.faults.add({ kind: 'html' });
		await expect(search('searchTags')).rejects.toMatchObject({
			message: 'A web page came back instead of data',
			description: expect.stringContaining('"Base URL"'),
		});
	});
});

it('finds a tag by its name with the sign of a hashtag in front', async () => {
	const [{ name, tag_id }] = sandbox.community.tags.values();
	const { results } = await search('searchTags', `#${name}`);
	expect(results.map(({ value }) => value)).toContain(String(tag_id));
});
