import type { INodeListSearchResult } from 'n8n-workflow';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { serve } from '../support/servers.mts';
import { pick } from '../support/editor.mts';
import { credentialFor } from '../support/engine.mts';

const sandbox = useSandbox();
withoutBackoff();

type Picker = Parameters<typeof pick>[1];
const PICKERS: Picker[] = [
	...(['searchAuthors', 'searchBoards', 'searchPrivateBoards'] as const),
	...(['searchUsers', 'searchRoles', 'searchTags'] as const),
];

const search = async (picker: Picker, filter?: string, token?: string) =>
	await pick(credentialFor(sandbox), picker, filter, token);

/** Scrolls to the end. */
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

describe('the whole list, batch by batch', () => {
	it('of boards', async () => {
		const portions = await all('searchBoards');
		expect(sizes(portions)).toEqual([50, 50, 30]);
		expect(entries(portions)).toEqual(
			[...sandbox.community.boards.values()].map(({ board_id, board_name, is_private }) => ({
				name: is_private ? `${board_name} (private)` : board_name,
				value: String(board_id),
			})),
		);
		expect(asked(sandbox)).toEqual(
			[1, 2, 3].map((page) => `GET /api/v1/boards?page=${page}&page_size=50`),
		);
	});

	it('of 130,000 tags on a single page', async () => {
		const tags = Array.from({ length: 130_000 }, (_, at) => ({ tag_id: at + 1, name: 'tag' }));
		sandbox.faults.add({
			kind: 'text',
			path: '/api/v1/tags',
			text: JSON.stringify(tags),
			times: 1,
		});
		expect(sizes([await search('searchTags')])).toEqual([130_000]);
	});

	it('of boards for an access change, private ones first', async () => {
		const portions = await all('searchPrivateBoards');
		const boards = [...sandbox.community.boards.values()];
		const isPrivate = boards.filter(({ is_private }) => is_private);
		const isPublic = boards.filter(({ is_private }) => !is_private);
		expect([isPrivate.length, isPublic.length].every((count) => count > 0)).toBe(true);
		expect(entries(portions).map(({ value }) => value)).toEqual(
			[...isPrivate, ...isPublic].map(({ board_id }) => String(board_id)),
		);
	});

	it('of tags by name', async () => {
		const portions = await all('searchTags');
		expect(sizes(portions)).toEqual([50, 50, 50, 10]);
		const { tags } = sandbox.community;
		const byName = [...tags.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
		expect(entries(portions)).toEqual(
			byName.map(({ display_name, tag_id }) => ({ name: display_name, value: String(tag_id) })),
		);
		expect(asked(sandbox)[3]).toBe('GET /api/v1/tags?sort_by=name&order=asc&page=4&page_size=50');
	});
});

describe('a filter', () => {
	it('finds boards by a part of the name in any case, on any page', async () => {
		const { results, paginationToken } = await search('searchBoards', '  IN EUROPE ');
		expect(results).toHaveLength(26);
		expect(results.every(({ name }) => /in Europe( \(private\))?$/.test(name))).toBe(true);
		// More may follow, because a batch is shown as soon as it is full.
		expect(asked(sandbox)).toHaveLength(3);
		expect(paginationToken).toBeUndefined();
	});

	it("uses the API's search for tags, page by page", async () => {
		const portions = await all('searchTags', ' o ');
		expect(sizes(portions).slice(0, 2)).toEqual([50, 50]);
		expect(asked(sandbox).slice(0, 2)).toEqual([
			'GET /api/v1/tags/search?q=o&page=1&page_size=50',
			'GET /api/v1/tags/search?q=o&page=2&page_size=50',
		]);
		const expected = [...sandbox.community.tags.values()].filter(({ name }) => name.includes('o'));
		expect(entries(portions)).toHaveLength(expected.length);
	});

	it.each(PICKERS)('without a match returns an empty list (%s)', async (picker) => {
		const { results, paginationToken } = await search(picker, 'no such thing');
		expect({ results, paginationToken }).toEqual({ results: [] });
	});

	it('continues over pages without a match, and stops as soon as the list has enough', async () => {
		sandbox.faults.add({ kind: 'shortPages', keep: 10, path: '/api/v1/boards' });
		const first = await search('searchBoards', 'for');
		expect(first.results.length).toBeGreaterThanOrEqual(25);
		const read = asked(sandbox).length;
		expect(read).toBeGreaterThanOrEqual(3);
		const second = await search('searchBoards', 'for', String(first.paginationToken));
		expect(asked(sandbox)[read]).toBe(`GET /api/v1/boards?page=${read + 1}&page_size=50`);
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
	});

	it('with rare matches reads at most twenty pages', async () => {
		sandbox.faults.add({ kind: 'shortPages', keep: 2 });
		await expect(search('searchBoards', 'no such thing')).rejects.toMatchObject({
			message: 'No match was found among the first entries of the list',
			description: expect.stringContaining("switch to 'By ID'"),
		});
		expect(asked(sandbox)).toHaveLength(20);
		// After the first matches, scrolling loads more.
		const { paginationToken } = await search('searchBoards', 'no such thing', 'board:21');
		expect(asked(sandbox)[39]).toBe('GET /api/v1/boards?page=40&page_size=50');
		expect(paginationToken).toBe('board:41');
	});
});

it.each(PICKERS)('%s relies on full pages if has_more is missing', async (picker) => {
	const expected = entries(await all(picker));
	sandbox.faults.add({ kind: 'hasMore', value: null });
	expect(entries(await all(picker))).toEqual(expected);
});

it.each(PICKERS)(
	"%s is empty for an empty community, except for the key's owner",
	async (picker) => {
		const { boards, users, roles, tags } = sandbox.community;
		for (const map of [boards, roles, tags]) map.clear();
		for (const { msid } of [...users.values()]) sandbox.community.removeUser(msid);
		const { results, ...rest } = await search(picker);
		expect(rest).toEqual({});
		expect(results.map(({ value }) => value)).toEqual(picker === 'searchAuthors' ? ['me'] : []);
	},
);

describe('a record', () => {
	async function offered(picker: Picker, body: string) {
		const server = await serve((_, response) => {
			response.setHeader('has_more', '0');
			response.setHeader('content-type', 'application/json');
			response.end(body);
		});
		const credential = credentialFor(sandbox, { baseUrl: server.origin });
		const { results } = await pick(credential, picker).finally(async () => await server.close());
		return results;
	}

	it('without a name in the answer is offered by its ID', async () => {
		expect(await offered('searchBoards', '[{"board_id":7}]')).toEqual([{ name: '7', value: '7' }]);
		expect(await offered('searchTags', '[{"tag_id":7,"display_name":"","name":"x"}]')).toEqual([
			{ name: 'x', value: '7' },
		]);
	});

	it('without a name or an ID is not offered', async () => {
		const boards = [
			'{"board_id":1,"board_name":" \\u200b","is_private":true}',
			'{"board_id":9007199254740993,"board_name":"A","about":""}',
			'{"board_id":"9007199254740993","board_name":"B"}',
			'{"board_name":"C","about":""}',
		];
		expect(await offered('searchBoards', `[${boards.join()}]`)).toEqual([
			{ name: 'B', value: '9007199254740993' },
		]);
	});
});

describe('a picker that cannot', () => {
	it.each(PICKERS)('use its key explains what to check (%s)', async (picker) => {
		const refused = pick(credentialFor(sandbox, { apiKey: 'wrong' }), picker);
		await expect(refused).rejects.toMatchObject({
			name: 'NodeApiError',
			httpCode: '403',
			message: 'The API key is not valid',
			description: expect.stringContaining("Check 'API Key' in the credential"),
		});
		// A list changes nothing.
		await expect(refused).rejects.toMatchObject({
			description: expect.not.stringContaining('applied'),
		});
	});

	it('reach the API gives up after one more attempt', async () => {
		sandbox.faults.add({ kind: 'status', status: 503 });
		await expect(search('searchBoards')).rejects.toMatchObject({ httpCode: '503' });
		expect(asked(sandbox)).toHaveLength(2);
	});

	it('wait as long as the API asks reports this', async () => {
		// Only the request makes time pass, so a slow machine cannot use up the time before it.
		let now = performance.now();
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
		sandbox.faults.add({ kind: 'status', status: 429, retryAfter: 30 });
		sandbox.faults.add({ kind: 'call', run: () => void (now += 8000) });
		// A new caller, because pauses are remembered for each.
		const credential = credentialFor(sandbox, { sourceSystem: 'paused' });
		// The request's own time limit is longer, so that the fake clock does not end it.
		const parameters = { requestOptions: { timeout: 60_000 } };
		const picked = pick(credential, 'searchRoles', undefined, undefined, parameters).finally(() =>
			clock.mockRestore(),
		);
		await expect(picked).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The community did not answer in time',
			description: "Try again in a moment, or switch to 'By ID' and enter the ID.",
		});
		expect(asked(sandbox)).toHaveLength(1);
	});
});

it('finds a tag by its name with a leading #', async () => {
	const [{ name, tag_id }] = sandbox.community.tags.values();
	const { results } = await search('searchTags', `#${name}`);
	expect(results.map(({ value }) => value)).toContain(String(tag_id));
});
