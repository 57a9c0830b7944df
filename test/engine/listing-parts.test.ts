import fc from 'fast-check';
import { range, useSandbox } from '../support/community.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox({ members: 60 });

const FIRST = 10_001;

/** Adds tags with the identifiers from 10,001 on. */
function addTags(count: number): void {
	const { tags } = sandbox.community;
	const [like] = tags.values();
	for (const tag_id of range(FIRST, FIRST + count - 1)) {
		tags.set(tag_id, { ...like, tag_id, name: `tag${tag_id}`, display_name: `Tag${tag_id}` });
	}
}

async function getByIds(tagIds: unknown, limit?: number) {
	const { items, error } = await runNode(
		sandbox,
		{
			...{ resource: 'tag', operation: 'getByIds', tagIds: '={{ $json.ids }}' },
			...(limit === undefined ? { returnAll: true } : { limit }),
		},
		{ items: [{ ids: tagIds as never }] },
	);
	expect(error).toBeUndefined();
	return items.map(({ json }) => Number(json.tag_id));
}

const asked = () =>
	sandbox.requests.all.map(({ query }) => String(query.ids).split(',').map(Number));
const ascending = (ids: number[]) => [...ids].sort((a, b) => a - b);

it('gets a thousand tags, each requested once, although they do not fit into one URL', async () => {
	addTags(1000);
	const ids = range(FIRST, FIRST + 999).reverse();

	const given = await getByIds(ids);

	expect(new Set(given).size).toBe(1000);
	expect(given).toHaveLength(1000);
	expect(asked().flat()).toEqual(ids);
	expect(sandbox.requests.statuses).toEqual({ 200: 20 });
	// The API orders the tags of a part as it likes, the parts keep their order.
	for (const [index, part] of asked().entries()) {
		expect(ascending(given.slice(50 * index, 50 * (index + 1)))).toEqual(ascending(part));
	}
});

it('paginates each part', async () => {
	addTags(120);
	sandbox.faults.add({ kind: 'shortPages', keep: 20 });
	expect(ascending(await getByIds(range(FIRST, FIRST + 119)))).toEqual(range(FIRST, FIRST + 119));
	for (const part of new Set(sandbox.requests.all.map(({ query }) => query.ids))) {
		const ofPart = sandbox.requests.all.filter(({ query }) => query.ids === part);
		const needed = Math.ceil(String(part).split(',').length / 20);
		const pages = ofPart.map(({ query }) => Number(query.page));
		expect(pages).toEqual(expect.arrayContaining(range(1, needed)));
	}
});

it('gives the existing tags of any list, each once, up to the limit', async () => {
	addTags(150);
	const spelled = fc
		.tuple(fc.integer({ min: FIRST, max: FIRST + 300 }), fc.constantFrom('', '0', '00'))
		.map(([id, zeros]) => `${zeros}${id}`);
	const lists = fc.array(spelled, { minLength: 1, maxLength: 400, size: 'max' });
	const limits = fc.option(fc.integer({ min: 1, max: 160 }), { nil: undefined });
	await fc.assert(
		fc.asyncProperty(lists, limits, async (ids, limit) => {
			sandbox.requests.clear();
			const given = await getByIds(ids.join(', '), limit);

			const once = [...new Set(ids.map(Number))];
			const there = once.filter((id) => id < FIRST + 150);
			expect(new Set(given).size).toBe(given.length);
			expect(given).toHaveLength(Math.min(limit ?? Infinity, there.length));
			expect(there).toEqual(expect.arrayContaining(given));
			const parts = asked();
			expect(parts.flat()).toEqual(once.slice(0, parts.flat().length));
			// Each part's tags come before those of the next one.
			const partOf = (id: number) => parts.findIndex((part) => part.includes(id));
			expect(given.map(partOf)).toEqual(ascending(given.map(partOf)));
			const before = parts.slice(0, -1).flat();
			expect(there.filter((id) => before.includes(id)).length).toBeLessThan(limit ?? Infinity);
		}),
		{ numRuns: 12 },
	);
});
