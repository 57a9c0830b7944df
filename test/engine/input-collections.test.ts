import type { INodeParameters } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { asked, byId, useSandbox } from '../support/community.mts';
import { addKnownRecords, STILL } from '../support/known.mts';
import type { Rule } from '../support/refusals.mts';
import { expectRefused, of, refused, VALUE } from '../support/refusals.mts';
import { callAsTool } from './agent.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

// When it loads a workflow, n8n 2.41 empties a collection that is an expression as a whole
// (NodeHelpers.getNodeParameters). Where the node's description does not call it a collection, it
// arrives as it would in an n8n that leaves it alone.
// The options stand in the description as they are, so they would change for the node, too.
const changed = new CommunityPlatform().description.properties
	.filter(({ name, type }) => name !== 'options' && /collection$/i.test(type))
	.map((property) => ({ property, type: property.type }));
beforeAll(() => changed.forEach(({ property }) => (property.type = 'json')));
afterAll(() => changed.forEach(({ property, type }) => (property.type = type)));

const listing = of('user', 'getAll');
const updateTag = of('tag', 'update', { tagId: byId('9400') });
const reorder = of('board', 'reorder', { orderInput: 'list', boardOrder: VALUE });

const collections: Array<[label: string, parameters: INodeParameters, field: string]> = [
	['Update Fields', of('post', 'update', { postId: '1', updateFields: VALUE }), 'author'],
	['Filters', { ...listing, filters: VALUE }, 'joinedAfter'],
];
const rules: Rule[] = collections.flatMap(([label, parameters, field]) => {
	const message = `Give a JSON object in '${label}', e.g. { "${field}": …`;
	return [
		{
			what: `${label} as text`,
			parameters,
			bad: ['description', '', '{"a":', 'first_name=Ada'],
			error: refused(label, 'is not valid JSON'),
			message,
		},
		{
			what: `${label} as something else`,
			parameters,
			bad: [null, undefined, 5, NaN, true, [], ['x'], '[]', '5', 'null', '"x"'],
			error: refused(label, 'is not a JSON object'),
			message,
		},
	];
});

it.each(rules)('$what is refused, and nothing is sent', async ({ parameters, ...rule }) => {
	const items = rule.bad.map((value) => ({ value }) as never);
	const onError = 'continueRegularOutput';
	const { items: given } = await runNode(sandbox, parameters, { items, onError });
	expect(given.map(({ json }) => json)).toEqual(
		rule.bad.map(() => ({
			error: rule.error,
			message: expect.stringContaining(rule.message),
		})),
	);
	expect(asked(sandbox)).toEqual([]);
});

const rows = 'Give a JSON object in \'Boards\', e.g. { "boards": [{ "boardId": "42" }] }.';
it.each([
	{
		what: 'text',
		bad: ['first', '{"boards":'],
		error: refused('Boards', 'is not valid JSON'),
		message: rows,
	},
	{
		what: 'something else',
		bad: [5, true, ['3'], '["3"]'],
		error: refused('Boards', 'is not a JSON object'),
		message: rows,
	},
	{
		what: 'rows that are none',
		bad: [{ boards: 'x' }, { boards: { boardId: 'x' } }],
		error: "'x' is not a board ID",
		message: 'Choose the board from the list, or By Name.',
	},
	{
		what: 'rows that are empty',
		bad: [{ boards: [null] }, { boards: [{}] }, { boards: [{ boardId: ' ' }] }],
		error: refused('Board', 'is empty'),
		message: 'Choose the board from the list, or By Name.',
	},
])('an order of boards as $what is refused, and nothing is sent', async (rule) => {
	await expectRefused(sandbox, { ...rule, parameters: reorder });
});

it.each([
	['an object', { ogTitle: 'New' }],
	['JSON text', '{ "ogTitle": "New" }'],
])('takes fields to change from an expression that gives %s', async (_, value) => {
	const parameters = { ...updateTag, updateFields: VALUE };
	const { error } = await runNode(sandbox, parameters, { items: [{ value }] });
	expect(error).toBeUndefined();
	expect(sandbox.community.tags.get(9400)).toMatchObject({
		...{ og_title: 'New', name: 'firststeps', description: 'For newcomers' },
	});
});

it('takes filters and order as JSON text', async () => {
	const parameters = { ...listing, filters: VALUE, sort: '{"order":"asc"}' };
	const { error } = await runNode(sandbox, parameters, { items: [{ value: '{"status":4}' }] });
	expect(error).toBeUndefined();
	expect(asked(sandbox)).toEqual(['GET /api/v1/users?status=4&order=asc&page=1&page_size=50']);
});

it.each([
	['rows', { boards: [{ boardId: byId('3') }, { boardId: 4 }] }],
	['rows as JSON text', '{ "boards": [{ "boardId": "3" }, { "boardId": "4" }] }'],
	['numbers', { boards: [3, '4'] }],
])('takes an order of boards from an expression that gives %s', async (_, value) => {
	const { error } = await runNode(sandbox, reorder, { items: [{ value } as never] });
	expect(error).toBeUndefined();
	expect(sandbox.requests.all[0].body).toEqual({ display_order: { 3: 1, 4: 2 } });
});

it('takes JSON text from a model, and tells it what else to give', async () => {
	const { answers } = await callAsTool(
		sandbox,
		{ ...updateTag, updateFields: "={{ $fromAI('fields', 'What to change', 'string') }}" },
		{ fields: 'the title' },
		{ fields: '{ "ogTitle": "Told" }' },
	);
	expect(answers[0]).toContain("The parameter 'Update Fields' is not valid JSON");
	expect(answers[0]).toContain('"ogTitle": …');
	expect(JSON.parse(answers[1])).toContainEqual(expect.objectContaining({ og_title: 'Told' }));
	expect(sandbox.requests.matching('PUT')).toHaveLength(1);
});
