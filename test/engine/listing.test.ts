import type { INodeParameters } from 'n8n-workflow';
import { asked, pagesAsked, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox();
withoutBackoff();

const users = (limit: number | string) => action('user.getAll', { limit });

const activeIds = () =>
	sandbox.community.members(10, 'user_id', 'desc').map((user) => user.user_id);
const pageSizes = () => new Set(sandbox.requests.all.map(({ query }) => query.page_size));

async function ids(parameters: INodeParameters, idField: string): Promise<unknown[]> {
	const { items, error } = await runNode(sandbox, parameters);
	expect(error).toBeUndefined();
	return items.map(({ json }) => json[idField]);
}

describe('pagination of all records', () => {
	it('sends one request if all records fit on a page', async () => {
		const roles = action('role.getAll', { returnAll: true });
		expect(await ids(roles, 'role_id')).toEqual([...sandbox.community.roles.keys()]);
		const listed = asked(sandbox).filter((each) => each.includes('/roles'));
		expect(listed).toEqual(['GET /api/v1/roles?page=1&page_size=50']);
	});
});

describe('pagination up to a limit', () => {
	it.each([
		{ limit: 1, pages: [1], pageSize: '1' },
		{ limit: 50, pages: [1], pageSize: '50' },
		{ limit: 101, pages: [1, 2, 3], pageSize: '50' },
		{ limit: 250, pages: [1, 2, 3, 4, 5], pageSize: '50' },
	])('of $limit requests $pages.length pages', async ({ limit, pages, pageSize }) => {
		expect(await ids(users(limit), 'user_id')).toEqual(activeIds().slice(0, limit));
		expect(pagesAsked(sandbox)).toEqual(pages);
		expect(pageSizes()).toEqual(new Set([pageSize]));
	});

	it('applies to each of several items, with records paired to their item', async () => {
		const { items } = await runNode(sandbox, users('={{ $json.limit }}'), {
			items: [{ limit: 60 }, { limit: 3 }, { limit: 110 }],
		});
		const of = (item: number) =>
			items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item);
		expect([0, 1, 2].map((item) => of(item).map(({ json }) => json.user_id))).toEqual(
			[60, 3, 110].map((limit) => activeIds().slice(0, limit)),
		);
		expect(pagesAsked(sandbox)).toEqual([1, 1, 1, 2, 2, 3]);
	});
});

it('a thousand tags are requested once each, in parts, because they do not fit into one URL', async () => {
	const { tags } = sandbox.community;
	const [like] = tags.values();
	const wanted = range(10_001, 11_000).reverse();
	for (const tag_id of wanted) tags.set(tag_id, { ...like, tag_id, name: `tag${tag_id}` });
	const byIds = action('tag.getByIds', { tagIds: wanted.join(), returnAll: true });
	const returned = await ids(byIds, 'tag_id');
	const ascending = (some: unknown[]) => some.map(Number).sort((a, b) => a - b);
	expect(ascending(returned)).toEqual(range(10_001, 11_000));
	const parts = sandbox.requests.all.map(({ query }) => String(query.ids).split(','));
	expect(parts.flat().map(Number)).toEqual(wanted);
	// The API can return the tags of a part in any order, but the parts keep their order.
	for (const [index, part] of parts.entries()) {
		expect(ascending(returned.slice(50 * index, 50 * (index + 1)))).toEqual(ascending(part));
	}
	const limited = { ...byIds, returnAll: false, limit: 120 };
	expect(await ids(limited, 'tag_id')).toEqual(returned.slice(0, 120));
});

describe('several items that request the same list', () => {
	const ONCE = expect.stringContaining("turn on 'Execute Once'") as string;

	it('share its requests, each with its own records, and a hint explains how to get it once', async () => {
		const options = { includeDetails: true };
		const parameters = { ...users(60), options };
		const { items, hints } = await runNode(sandbox, parameters, { items: [{}, {}, {}] });
		expect(sandbox.requests.total).toBe(2 + 60);
		expect(items.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual(
			[0, 1, 2].flatMap((item) => Array<number>(60).fill(item)),
		);
		expect(items[60].json).toEqual(items[0].json);
		expect(items[60].json).not.toBe(items[0].json);
		expect(hints).toContainEqual(ONCE);
	});

	it('are counted once, too', async () => {
		const count = { resource: 'user', operation: 'getCount' };
		const one = await runNode(sandbox, count);
		const { total } = sandbox.requests;
		const { items } = await runNode(sandbox, count, { items: [{}, {}] });
		expect(items.map(({ json }) => json)).toEqual([one.items[0].json, one.items[0].json]);
		expect(sandbox.requests.total).toBe(2 * total);
	});

	it('do not share requests for different lists', async () => {
		const limits = { items: [{ limit: 3 }, { limit: 4 }] };
		const { hints } = await runNode(sandbox, users('={{ $json.limit }}'), limits);
		expect(sandbox.requests.total).toBe(2);
		expect(hints).not.toContainEqual(ONCE);
	});
});
