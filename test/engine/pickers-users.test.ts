import type { INodeListSearchItems } from 'n8n-workflow';
import { asked, useSandbox } from '../support/community.mts';
import { pick } from '../support/editor.mts';
import { credentialFor } from '../support/engine.mts';

const sandbox = useSandbox();

type Picker = Parameters<typeof pick>[1];

async function search(filter?: string, token?: string, picker: Picker = 'searchUsers') {
	return await pick(credentialFor(sandbox), picker, filter, token);
}

/** Scrolls to the end. */
async function all(filter?: string): Promise<INodeListSearchItems[]> {
	const entries: INodeListSearchItems[] = [];
	let token: string | undefined;
	for (let portion = 0; portion < 30; portion++) {
		const { results, paginationToken } = await search(filter, token);
		for (const result of results) entries.push(result);
		if (paginationToken === undefined) return entries;
		token = String(paginationToken);
	}
	throw new TypeError('the list does not end');
}

/** The members of the list, in its order. */
function offered(): INodeListSearchItems[] {
	const statuses = { 10: '', 4: ', wait-listed', 6: ', unverified', 5: ', invited' };
	return [10, 4, 6, 5].flatMap((status) =>
		sandbox.community.members(status, 'name', 'asc').map(({ first_name, username, msid }) => ({
			name: `${first_name} (${username})${statuses[status as keyof typeof statuses]}`,
			value: msid,
		})),
	);
}

const byStatus = (status: number) =>
	asked(sandbox).filter((url) => url.includes(`&status=${status}&`)).length;

it('lists active members by name, then wait-listed, unverified and invited ones with their status', async () => {
	const expected = offered();
	expect(expected.at(-1)?.name).toMatch(/^\w+ \(\w+\), invited$/);
	for (const status of [', wait-listed', ', unverified']) {
		expect(expected.some(({ name }) => name.endsWith(status))).toBe(true);
	}
	expect(await all()).toEqual(expected);
	expect(asked(sandbox)[0]).toBe('GET /api/v1/users?sort_by=name&order=asc&page=1&page_size=50');
});

it('requests the others only after all active members are listed', async () => {
	const pages = Math.ceil(sandbox.community.members(10, 'name', 'asc').length / 50);
	let token: string | undefined;
	for (let page = 1; page < pages; page++) {
		const portion = await search(undefined, token);
		token = String(portion.paginationToken);
		expect(portion.results).toHaveLength(50);
		expect(portion.results.some(({ name }) => name.includes(', '))).toBe(false);
	}
	expect([4, 6, 5].map(byStatus)).toEqual([0, 0, 0]);
	expect(asked(sandbox)).toHaveLength(pages - 1);
});

it.each(['WAIT-LISTED', 'unverified', 'invited', '(r', 'an'])(
	'finds every member whose entry contains the typed text, each once: %s',
	async (part) => {
		const wanted = offered().filter(({ name, value }) =>
			`${name} ${String(value)}`.toLowerCase().includes(part.toLowerCase()),
		);
		expect(wanted.length).toBeGreaterThan(0);
		const byValue = (items: INodeListSearchItems[]) =>
			items.map((item) => JSON.stringify(item)).sort();
		expect(byValue(await all(part))).toEqual(byValue(wanted));
	},
);

it('shows the status that the API returns, even if another one was requested', async () => {
	const body = [
		{ msid: '7.a', first_name: 'Ada', user_status: 6 },
		{ msid: '8.b', user_status: '4' },
		{ msid: '9.c', username: 'c', user_status: -3 },
		{ msid: '10.d', username: 'd', user_status: 77 },
		{ msid: '11.e', username: 'e', user_status: null },
	];
	sandbox.faults.add({ kind: 'notAList', value: body });
	sandbox.faults.add({ kind: 'hasMore', value: '0' });
	expect((await search()).results).toEqual([
		{ name: 'Ada, unverified', value: '7.a' },
		{ name: '8.b, wait-listed', value: '8.b' },
		{ name: '(c), banned', value: '9.c' },
		{ name: '(d), status 77', value: '10.d' },
		{ name: '(e)', value: '11.e' },
	]);
});

describe('a key that cannot see the wait-list', () => {
	it.each([400, 403])('still gets active members (%d)', async (status) => {
		const active = offered().filter(({ name }) => !name.includes(', '));
		const answer = { kind: 'status', status } as const;
		const pages = Math.ceil(active.length / 50);
		sandbox.faults.add({ ...answer, path: '/api/v1/users', after: pages, times: 3 });
		const [wanted] = active;
		expect(await all(String(wanted.value))).toEqual([wanted]);
	});

	it('gets a reason if it cannot see any member', async () => {
		sandbox.faults.add({ kind: 'status', status: 403 });
		await expect(search('ada')).rejects.toMatchObject({ httpCode: '403' });
	});

	it('gets other failures', async () => {
		sandbox.faults.add({ kind: 'status', status: 500, path: '/api/v1/users', after: 1 });
		await expect(search('ada')).rejects.toMatchObject({ httpCode: '500' });
	});
});

describe('the typed text', () => {
	const listed = (...users: object[]) => {
		sandbox.faults.add({ kind: 'notAList', value: users });
		sandbox.faults.add({ kind: 'hasMore', value: '0' });
	};
	const ada = { msid: '7.a', first_name: 'Áda', last_name: 'Łovelace', username: 'ada_l' };
	const entry = { name: 'Áda Łovelace (ada_l)', value: '7.a' };

	it.each(['lovelace ada', '@ada_l', 'love  @ADA', ' 7.a ada'])(
		'is matched word by word, in any order, without accents or the @ of a username: %s',
		async (typed) => {
			listed(ada, { msid: '8.b', first_name: 'Grace', username: 'grace' });
			expect((await search(typed)).results).toEqual([entry]);
		},
	);

	it.each(['ada grace', 'ada_x', '@lovelace_'])('must match in every word: %s', async (typed) => {
		listed(ada, { msid: '8.b', first_name: 'Grace', username: 'grace' });
		expect((await search(typed)).results).toEqual([]);
	});
});

describe('the list of authors', () => {
	const me = { name: 'Me (Owner of the API Key)', value: 'me' };
	const authors = async (filter?: string, token?: string) =>
		await search(filter, token, 'searchAuthors');

	it("starts with the key's owner, then continues like the list of members", async () => {
		const { results, paginationToken } = await authors();
		const users = await search();
		expect(results).toEqual([me, ...users.results]);
		const next = await authors(undefined, String(paginationToken));
		expect(next.results).not.toContainEqual(me);
		expect(next.results.length).toBeGreaterThan(0);
	});

	it.each([
		['owner', true],
		['ME', true],
		['@me', true],
		['no member', false],
	])("finds the key's owner by %s: %s", async (typed, isFound) => {
		const { results } = await authors(typed);
		expect(results.some(({ value }) => value === 'me')).toBe(isFound);
	});
});

it('explains where to enter an email address if it is searched for one', async () => {
	await expect(search('nobody@members.example')).rejects.toMatchObject({
		message: 'The list does not contain email addresses',
		description: expect.stringContaining("Switch to 'By Email'"),
	});
});

it('shows a member once whose status changes in the meantime', async () => {
	const [{ msid, username }] = sandbox.community.members(10, 'name', 'desc');
	const pages = Math.ceil(sandbox.community.members(10, 'name', 'asc').length / 50);
	sandbox.faults.add({
		kind: 'call',
		times: 1,
		after: pages,
		path: '/api/v1/users',
		run: (community) => void community.changeUser(msid, { user_status: 6 }),
	});
	const found = await all(username);
	expect(found.map(({ value }) => value)).toEqual([msid]);
});
