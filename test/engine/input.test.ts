import type { INodeParameters } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { asked, byId, useSandbox } from '../support/community.mts';
import { operationsOf, parametersOf } from '../support/description.mts';
import type { Rule } from '../support/refusals.mts';
import { expectRefused, notUsable, refused, VALUE, VALUE_AS_ID } from '../support/refusals.mts';
import { runNode } from '../support/engine.mts';
import { wireCases } from '../support/wire/cases.mts';
import { action } from '../support/operations.mts';

// All values that a reader accepts or refuses are in test/unit/values and test/unit/identifiers. These are the texts of
// the failures, with one value of each kind.
const sandbox = useSandbox({ members: 60 });
const { properties } = new CommunityPlatform().description;
const listing = action('user.getAll');
const tag = (additionalFields: object) => action('tag.create', { name: 'x', additionalFields });
const board = (fields: object) => action('board.create', { boardName: 'x', ...fields });
const positions = action('board.reorder', { orderInput: 'json', displayOrder: VALUE });
const MAP_OR_LIST =
	'Enter the boards in order in \'Positions\', e.g. ["Events", "Announcements"], or their positions, e.g. { "12": 1, "7": 2 }.';

const rules: Rule[] = [
	{
		what: 'an email address',
		parameters: action('user.create', { firstName: 'x', email: VALUE }),
		bad: ['ada', 'ada@', 'a b@c', 'ada@x,io', 5],
		error: notUsable('is not an email address'),
		message: "Enter an address such as ada@example.com in 'Email'.",
	},
	{
		what: 'the name behind a hash sign',
		parameters: action('tag.upsert', { name: VALUE }),
		bad: ['#', ' # ', '##'],
		error: refused('Name', 'contains only a hash sign (#)'),
		message: "Enter a name such as HowTo in 'Name'.",
	},
	{
		what: 'a color',
		parameters: tag({ backColor: VALUE }),
		bad: ['red', '#12345', '330000', 5],
		error: notUsable('is not a hex color'),
		message: "Enter # and six hexadecimal digits in 'Background Color'.",
	},
	{
		what: 'yes or no',
		parameters: board({ isPrivate: VALUE }),
		bad: ['maybe', 2, {}],
		error: notUsable('is neither true nor false'),
		message: "Enter true or false in 'Private'.",
	},
	{
		what: 'a code',
		parameters: { ...listing, filters: { status: VALUE } },
		bad: [99, '010', 'AWAY'],
		error: notUsable("is not an option of 'Status'"),
		message:
			"Enter one of these in 'Status': 10 (Active), all, -3 (Banned), -100 (Deleted), 0 (Inactive), 5 (Invited), 6 (Unverified), 4 (Wait-List).",
	},
	{
		what: 'a limit',
		parameters: { ...listing, limit: VALUE },
		bad: ['', undefined, null, NaN],
		error: refused('Limit', 'is empty'),
		message: "Enter a number of at least 1 in 'Limit'.",
	},
	{
		what: 'retries',
		parameters: { ...listing, options: { maxRetries: VALUE } },
		bad: [2.5, 'some'],
		error: notUsable('is not a whole number'),
		message: "Enter a whole number from 0 to 100 in 'Max Retries'.",
	},
	{
		what: 'one of several members',
		parameters: action('board.updateMembers', {
			boardId: byId('3'),
			membersInput: 'text',
			addMembers: VALUE,
		}),
		bad: ['42.a1, ada/1', ['ada/1']],
		error: "'ada/1' is not a member ID",
		message:
			"Enter a username, an email address or a member ID (msid) in 'Add Members', e.g. 42.a1b2c3.",
	},
];

it.each(rules)('nothing is sent unless a parameter contains $what', async (rule) => {
	await expectRefused(sandbox, rule);
});

const inOrder = (reason: string) => refused('Positions', reason);

it.each<[what: string, bad: unknown[], error: string, message: string]>([
	['as JSON', ['{', '{"1":1,}', '{1:2}'], inOrder('is not valid JSON'), MAP_OR_LIST],
	['as a map or a list', [7, true, '[{"a":1}]'], inOrder('is not a list of boards'), MAP_OR_LIST],
	[
		'of boards',
		[{ ' ': 1 }, '{"":1}'],
		"The parameter 'Positions' is empty",
		"Enter the ID or the name of the board in 'Positions'. 'Get Many' lists all boards.",
	],
	[
		'from 1',
		[{ 1: 0 }],
		"'0' is out of range",
		"Enter a whole number of at least 1 in 'Positions'.",
	],
	[
		'that differ',
		[{ 1: 1, 2: 1 }],
		inOrder('uses the same position twice'),
		"Enter a different position for each board in 'Positions', starting at 1.",
	],
	[
		'of different boards',
		[{ '5': 1, '05': 2 }],
		inOrder('lists the same board twice'),
		"Enter each board only once in 'Positions'.",
	],
	['at all', [{}, '{}', []], inOrder('has no boards'), "Enter at least one board in 'Positions'."],
])('positions %s: nothing is sent for anything else', async (what, bad, error, message) => {
	await expectRefused(sandbox, { what, parameters: positions, bad, error, message });
});

/** Each operation with the parameters of its first case in test/support/wire. */
const operations = operationsOf(properties).map(({ key }) => {
	const wire = wireCases.find((each) => each.operation === key);
	return { key, wire };
});
const inPlaceOf = (name: string, value: unknown) => ({
	[name]: /^(boardId|tagId|userId|roleId|author)$/.test(name) ? byId(value) : value,
});

it.each(operations)('$key reports missing required parameters, and sends nothing', async (each) => {
	const { key, wire } = each;
	// An order without rows has its own case.
	const required = parametersOf(properties, key).filter(
		(field) => field.required && field.type !== 'fixedCollection',
	);
	for (const field of required) {
		const missing = inPlaceOf(field.name, '={{ $json.missing }}');
		const refType = field.type === 'string' ? 'POST' : 'USER';
		const parameters = { ...wire?.parameters, refType, orderInput: 'json', ...missing };
		const { error } = await runNode(sandbox, action(key, parameters));
		expect(error?.message).toBe(refused(field.displayName, 'is empty'));
		expect(error?.description).toContain("Check the field's name in the expression, because");
	}
	expect(asked(sandbox)).toEqual([]);
});

describe('values that do not fit together', () => {
	const members = (addMembers: unknown, removeMembers: unknown) =>
		action('board.updateMembers', {
			boardId: byId('3'),
			membersInput: 'text',
			addMembers,
			removeMembers,
		});
	const order = (...ids: unknown[]) =>
		action('board.reorder', { boardOrder: { boards: ids.map((id) => ({ boardId: byId(id) })) } });
	const update = (resource: string, name: string, updateFields: object, keepOtherFields = true) =>
		action(`${resource}.update`, {
			...inPlaceOf(name, name === 'userId' ? '42.a1' : '42'),
			updateFields,
			keepOtherFields,
		});
	const NOTHING =
		"Enter a value for at least one of these: 'About', 'Icon', 'Name', 'Needs Approval', 'Private', 'Visible To', 'Who Can Post'.";
	const GAVE_NOTHING =
		'This item has no value for any field. Check the field names in the input, or leave the item out with a Filter node before this node.';
	const NO_MEMBER = "Enter at least one member in 'Add Members' or 'Remove Members'.";
	const lacks = (names: string, keeping = 'Keep Other Fields') =>
		[
			`An update needs a value for ${names}`,
			`Add ${names} under 'Update Fields', or turn on '${keeping}'.`,
		] as const;

	it.each<[string, INodeParameters, error: string, message: string]>([
		[
			'a member both added and removed, in two spellings',
			members('42.a1, 43.b2', '44.c3,043.b2'),
			'Member 43.b2 is both added and removed',
			"List each member only once. Check 'Remove Members'.",
		],
		[
			'the parameters of an invalid choice',
			action('board.reorder', { orderInput: 'rows', displayOrder: 'first' }),
			"'rows' is not an option of 'Specify Order'",
			"Enter one of these in 'Specify Order': list, json.",
		],
		['no member at all', members('', ''), 'No members were entered', NO_MEMBER],
		[
			'a board twice in an order, in two spellings',
			order('3', '4', '03'),
			"The parameter 'Boards' lists the same board twice",
			"Enter each board only once in 'Boards'.",
		],
		[
			'an order without boards',
			order(),
			"The parameter 'Boards' has no boards",
			"Enter at least one board in 'Boards'.",
		],
		['no change', update('board', 'boardId', {}), 'There is nothing to update', NOTHING],
		[
			'a change whose only value is missing',
			update('board', 'boardId', { about: '={{ $json.missing }}' }),
			'There is nothing to update',
			GAVE_NOTHING,
		],
		[
			'a board replaced without its required fields',
			update('board', 'boardId', { about: 'x', isPrivate: true }, false),
			...lacks("'Name', 'Needs Approval', 'Visible To', 'Who Can Post'"),
		],
		[
			'a user replaced without the first name',
			update('user', 'userId', { username: 'x' }, false),
			...lacks("'First Name'", 'Keep Other Fields'),
		],
		[
			'a post replaced without its required fields',
			update('post', 'postId', { headline: 'x' }, false),
			...lacks("'Author', 'Board', 'Content'"),
		],
	])('nothing is sent for %s', async (what, parameters, error, message) => {
		await expectRefused(sandbox, { what, parameters, bad: ['x'], error, message });
	});

	it('are reported for their item', async () => {
		const { items } = await runNode(sandbox, action('user.get', { userId: VALUE_AS_ID }), {
			items: [{ value: 'my/self' }, { value: 101 }, {}, { value: ' 102 ' }],
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json.user_id ?? json.error)).toEqual([
			"'my/self' is not a member ID",
			101,
			"The parameter 'Member' is empty",
			102,
		]);
	});
});
