import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { asked } from '../support/community.mts';
import { useKnownRecords } from '../support/known-records.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useKnownRecords();

const upsert = action('tag.upsert', { name: '={{ $json.name }}' });

async function run(names: string[], additionalFields: INodeParameters = { description: 'New' }) {
	return await runNode(
		sandbox,
		{ ...upsert, additionalFields },
		{ items: names.map((name) => ({ name })) },
	);
}

function addTags(count: number, name: (index: number) => string): void {
	const { community } = sandbox;
	const like = community.tags.get(9400);
	if (!like) throw new TypeError('the known tag is missing');
	for (let index = 0; index < count; index++) {
		const tag_id = community.nextId('tag');
		community.tags.set(tag_id, { ...like, tag_id, name: name(index), display_name: name(index) });
	}
}

// Another caller creates the tag between the search and the creation.
const faster: Fault = {
	kind: 'call',
	method: 'POST',
	path: '/api/v1/tags',
	times: 1,
	run: ({ tags }) => {
		const [like] = tags.values();
		tags.set(9500, {
			...like,
			tag_id: 9500,
			name: 'howto',
			display_name: 'HowTo',
			og_title: 'Kept',
		});
	},
};

it.each(['firststeps', 'FirstSteps', 'FIRSTSTEPS', ' #FirstSteps '])(
	'finds a tag by "%s" in any case',
	async (name) => {
		const { items, error } = await run([name]);
		expect(error).toBeUndefined();
		expect(asked(sandbox)).toEqual([
			'GET /api/v1/tags/search?q=firststeps&page=1&page_size=50',
			'GET /api/v1/tags/9400',
			'PUT /api/v1/tags/9400',
		]);
		expect(items).toEqual([
			{
				json: expect.objectContaining({
					tag_id: 9400,
					description: 'New',
					og_title: 'First steps',
				}),
				pairedItem: { item: 0 },
			},
		]);
	},
);

it('matches only the whole name', async () => {
	addTags(3, (index) => `howto${index}`);
	const { items } = await run(['HowTo']);
	expect(asked(sandbox)).toEqual([
		'GET /api/v1/tags/search?q=howto&page=1&page_size=50',
		'POST /api/v1/tags',
	]);
	expect(items[0].json).toMatchObject({ name: 'howto', display_name: 'HowTo' });
});

it('reads all pages of the search', async () => {
	addTags(120, (index) => `howto${index}`);
	addTags(1, () => 'howto');
	const [last] = [...sandbox.community.tags.keys()].slice(-1);
	const { items } = await run(['HowTo']);
	const paths = asked(sandbox);
	const pages = sandbox.requests.matching('GET', '/api/v1/tags/search').length;
	expect(pages).toBeGreaterThanOrEqual(3);
	expect(paths.slice(-2)).toEqual([`GET /api/v1/tags/${last}`, `PUT /api/v1/tags/${last}`]);
	expect(items.map(({ json }) => json.tag_id)).toEqual([last]);
});

it("refuses a name that is one tag's name and another one's display name", async () => {
	addTags(2, (index) => `howto${index}`);
	const [one, other] = [...sandbox.community.tags.values()].slice(-2);
	one.display_name = 'HowTo';
	other.name = 'howto';
	const { error } = await run(['HowTo']);
	expect(error?.message).toBe("2 tags are named 'HowTo'");
	expect(error?.description).toContain("Use 'Update' with one of these IDs");
});

it('becomes an update if another caller was faster', async () => {
	sandbox.faults.add(faster);
	const { items, error } = await run(['HowTo']);
	expect(error).toBeUndefined();
	expect(asked(sandbox)).toEqual([
		'GET /api/v1/tags/search?q=howto&page=1&page_size=50',
		'POST /api/v1/tags',
		'GET /api/v1/tags/search?q=howto&page=1&page_size=50',
		'GET /api/v1/tags/9500',
		'PUT /api/v1/tags/9500',
	]);
	expect(items[0].json).toMatchObject({ tag_id: 9500, description: 'New', og_title: 'Kept' });
});

describe('if the answer to the creation is lost', () => {
	it('updates the tag if it was created anyway', async () => {
		sandbox.faults.add({ kind: 'cut', method: 'POST', applied: true, times: 1 });
		const { items, error } = await run(['HowTo']);
		expect(error).toBeUndefined();
		expect(asked(sandbox).map((each) => each.split('?')[0])).toEqual([
			'GET /api/v1/tags/search',
			'POST /api/v1/tags',
			'GET /api/v1/tags/search',
			'GET /api/v1/tags/661',
			'PUT /api/v1/tags/661',
		]);
		expect(items[0].json).toMatchObject({ tag_id: 661, description: 'New', created: true });
	});

	it('reports that the tag may have been created if it is missing', async () => {
		sandbox.faults.add({ kind: 'cut', method: 'POST', times: 1 });
		const { error } = await run(['HowTo']);
		expect(error?.description).toContain('may already exist');
		expect(sandbox.requests.matching('POST')).toHaveLength(1);
	});

	it('reports the same if another item ends the execution during the search', async () => {
		const path = '/api/v1/tags/search';
		sandbox.faults.add({ kind: 'cut', method: 'POST', applied: true, times: 1 });
		sandbox.faults.add({ kind: 'slow', delayMs: 100, path, after: 1, times: 1 });
		sandbox.faults.add({ kind: 'status', status: 403, path, after: 1, times: 1 });
		sandbox.faults.add({ kind: 'slow', delayMs: 300, path, after: 2, times: 1 });
		sandbox.faults.add({ kind: 'notAList', value: [], path, after: 2, times: 1 });
		const { error } = await run(['HowTo', 'Another']);
		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain(' Items that may also have been applied: 1.');
		expect(error?.description).not.toContain('Nothing was changed');
	});

	it('reports the same if it cannot be looked up', async () => {
		sandbox.faults.add({ kind: 'cut', method: 'POST', applied: true, times: 1 });
		sandbox.faults.add({ kind: 'status', method: 'GET', after: 1, status: 403 });
		const { error } = await run(['HowTo']);
		expect(error?.description).toContain('may already exist');
	});
});

it('reports which tags it created, and keeps the spelling of the others', async () => {
	const { items } = await run(['FIRSTSTEPS', 'HowTo']);
	expect(items.map(({ json }) => json)).toMatchObject([
		{ name: 'firststeps', display_name: 'FirstSteps', created: false },
		{ name: 'howto', display_name: 'HowTo', created: true },
	]);
});

it('reports the refusal if the name is taken but cannot be found', async () => {
	sandbox.faults.add({ kind: 'status', method: 'POST', status: 409, message: 'name is taken' });
	const { error } = await run(['HowTo']);
	expect(error?.httpCode).toBe('409');
	expect(error?.message).toBe('Name is taken');
	expect(sandbox.requests.matching('POST')).toHaveLength(1);
});
