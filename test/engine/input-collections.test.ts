import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { byId } from '../support/community.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { expectRefused, refused, VALUE } from '../support/refusals.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useKnownRecords();

// When it loads a workflow, n8n 2.41 empties a collection that is an expression as a whole
// (NodeHelpers.getNodeParameters). If the node's description does not declare a collection, the expression arrives
// unchanged, as in an n8n without this behavior.
const changed = new CommunityPlatform().description.properties
	.filter(({ name }) => ['boardOrder', 'boardMembers', 'updateFields'].includes(name))
	.map((property) => ({ property, type: property.type }));
beforeAll(() => changed.forEach(({ property }) => (property.type = 'json')));
afterAll(() => changed.forEach(({ property, type }) => (property.type = type)));
const reorder = action('board.reorder', { orderInput: 'list', boardOrder: VALUE });

const rows = 'Enter a JSON object in \'Boards\', e.g. { "boards": [{ "boardId": "42" }] }.';
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
		what: 'rows of another type',
		bad: [{ boards: true }, { boards: { boardId: true } }],
		error: "'true' is not a board ID",
		message: "Enter the ID or the name of the board in 'Board'. 'Get Many' lists all boards.",
	},
	{
		what: 'empty rows',
		bad: [{ boards: [null] }, { boards: [{ boardId: ' ' }] }],
		error: refused('Board', 'is empty in this item'),
		message:
			'Fill in the value where it comes from, e.g. in your spreadsheet or form, or leave the item out with a Filter node before this node.',
	},
	{
		what: 'rows without the field',
		bad: [{ boards: [{}] }, { boards: [{ board: '3' }] }],
		error: refused('Board', 'is empty'),
		message:
			"Check the field's name in the expression, because the expression has no value for this item.",
	},
])('an order of boards as $what is refused, and nothing is sent', async (rule) => {
	await expectRefused(sandbox, { ...rule, parameters: reorder });
});

it.each([
	['rows', { boards: [{ boardId: byId('3') }, { boardId: 4 }] }],
	['rows as JSON text', '{ "boards": [{ "boardId": "3" }, { "boardId": "4" }] }'],
	['numbers', { boards: [3, '4'] }],
])('accepts an order of boards from an expression that returns %s', async (_, value) => {
	const { error } = await runNode(sandbox, reorder, { items: [{ value } as never] });
	expect(error).toBeUndefined();
	expect(sandbox.requests.all[0].body).toEqual({ display_order: { 3: 1, 4: 2 } });
});

describe('the fields of an update from one expression', () => {
	const update = action('tag.update', { tagId: byId('9400'), updateFields: VALUE });
	const fields = { description: 'New', headline: 'x' };

	it.each([{ description: 'New' }, '{ "description": "New" }'])('can be %j', async (value) => {
		const { error } = await runNode(sandbox, update, { items: [{ value } as never] });
		expect(error).toBeUndefined();
		expect(sandbox.community.tags.get(9400)?.description).toBe('New');
	});

	it.each([
		[
			'New',
			'is not valid JSON',
			/^Enter a JSON object in 'Update Fields', e\.g\. \{ "backColor": …/,
		],
		[['x'], 'is not a JSON object', /^Enter a JSON object in 'Update Fields'/],
		[fields, "has no field 'headline'", /^Use only these names: .*\bdescription\b/],
	])(
		'are a JSON object with fields of the record, and nothing else: %j',
		async (value, why, told) => {
			const { error } = await runNode(sandbox, update, { items: [{ value } as never] });
			expect(error?.message).toBe(refused('Update Fields', why));
			expect(error?.description).toMatch(told);
			expect(sandbox.requests.total).toBe(0);
		},
	);

	it('can include a field that the editor kept from another operation', async () => {
		const { error } = await runNode(sandbox, { ...update, updateFields: fields });
		expect(error).toBeUndefined();
		expect(sandbox.community.tags.get(9400)?.description).toBe('New');
	});
});

it('rows of members from an expression add access only if they set it', async () => {
	const parameters = action('board.updateMembers', {
		boardId: byId('900'),
		membersInput: 'list',
		boardMembers: VALUE,
	});
	for (const row of [{ userId: ADA, ' access': 'remove' }, ADA]) {
		const items = [{ value: { members: [row] } } as never];
		const { error } = await runNode(sandbox, parameters, { items });
		expect(error?.message).toBe("The parameter 'Access' is empty");
	}
	expect(sandbox.requests.total).toBe(0);
});

it('an option that the editor kept from another operation has no effect', async () => {
	const options = { skipUnchanged: true, includeDetails: true };
	const { error } = await runNode(sandbox, action('board.getAll', { options }));
	expect(error).toBeUndefined();
});
