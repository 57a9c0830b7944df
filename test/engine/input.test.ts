import { byId, useSandbox } from '../support/community.mts';
import type { Rule } from '../support/refusals.mts';
import { EMPTY, expectRefused, needed, of, refused, VALUE } from '../support/refusals.mts';

const sandbox = useSandbox({ members: 60 });
const written = { content: 'x', author: byId('42.a1') };
const board = { boardName: 'x' };
/** A parameter that takes whole numbers within bounds, with some that lie beyond and values that are no whole number. */
const whole = (
	what: string,
	label: string,
	parameters: Rule['parameters'],
	bounds: { range: string; beyond: unknown[]; other: unknown[] },
): Rule[] => {
	const message = `Give a whole number ${bounds.range} in "${label}".`;
	const outOfRange = refused(label, 'is out of range');
	const notWhole = refused(label, 'is not a whole number');
	return [
		{ what, parameters, bad: bounds.beyond, error: outOfRange, message },
		{ what: `${what}, whole`, parameters, bad: bounds.other, error: notWhole, message },
	];
};
const offered = (label: string, values: string) => ({
	error: refused(label, 'has a value that is not offered'),
	message: `Give one of these in "${label}": ${values}.`,
});
const json = (label: string) =>
	`Give a JSON object in "${label}", e.g. { "<network>": "https://example.com/ada" }.`;
const listing = { resource: 'user', operation: 'getAll' };
const STATUSES =
	'10 (Active), all, -3 (Banned), -100 (Deleted), 0 (Inactive), 5 (Invited), 6 (Unverified), 4 (Wait-List)';
const links = of('user', 'update', {
	userId: byId('42.a1'),
	updateFields: { socialMediaLinks: VALUE },
});
const reorderJson = of('board', 'reorder', { orderInput: 'json', displayOrder: VALUE });

const rules: Rule[] = [
	needed('a board name', 'Name', of('board', 'create', { boardName: VALUE })),
	needed('a first name', 'First Name', of('user', 'create', { firstName: VALUE, email: 'a@b' })),
	needed('an email', 'Email', of('user', 'create', { firstName: 'x', email: VALUE })),
	needed(
		'a headline',
		'Headline',
		of('post', 'create', { boardId: byId(1), headline: VALUE, ...written }),
	),
	needed(
		'the content of a post',
		'Content',
		of('post', 'create', {
			boardId: byId(1),
			headline: 'x',
			content: VALUE,
			author: byId('42.a1'),
		}),
	),
	needed(
		'the content of a comment',
		'Content',
		of('comment', 'update', { commentId: '1', content: VALUE }),
	),
	needed(
		'the content of a reply',
		'Content',
		of('reply', 'update', { replyId: '1', content: VALUE }),
	),
	needed('a tag name', 'Name', of('tag', 'create', { name: VALUE })),
	needed('the name of an upsert', 'Name', of('tag', 'upsert', { name: VALUE })),
	needed('a query', 'Part of the Name', of('tag', 'search', { query: VALUE })),
	needed('tag ids', 'Tag IDs', of('tag', 'getByIds', { tagIds: VALUE })),
	{
		what: 'text',
		parameters: of('board', 'create', { boardName: VALUE }),
		bad: [{ a: 1 }, ['x']],
		error: refused('Name', 'is not text'),
		message: 'Give plain text in "Name", not an object or a list.',
	},
	{
		what: 'an email address',
		parameters: of('user', 'create', { firstName: 'x', email: VALUE }),
		bad: ['ada', 'ada@', '@b', 'a b@c', 5],
		error: refused('Email', 'is not an email address'),
		message: 'Give an address such as ada@example.com in "Email".',
	},
	{
		what: 'the name behind a hash sign',
		parameters: of('tag', 'upsert', { name: VALUE }),
		bad: ['#', ' # ', '##'],
		error: refused('Name', 'is only a hash sign'),
		message: 'Give a name such as HowTo in "Name".',
	},
	{
		what: 'a color',
		parameters: of('tag', 'create', { name: 'x', additionalFields: { backColor: VALUE } }),
		bad: ['red', '#12', '#12345', '#gggggg', '330000', 5],
		error: refused('Background Color', 'is not a hex color'),
		message: 'Give a color such as #330000 in "Background Color".',
	},
	{
		what: 'yes or no',
		parameters: of('board', 'create', { ...board, isPrivate: VALUE }),
		bad: ['maybe', 2, {}],
		error: refused('Private', 'is neither true nor false'),
		message: 'Give true or false in "Private".',
	},
	{
		what: 'who sees a board',
		parameters: of('board', 'create', { ...board, hiddenType: VALUE }),
		bad: [7, '3', 'all', {}],
		...offered(
			'Visible To',
			'0 (All Users), 1 (Any Logged-in Member), 2 (Only Users Who Are Part of the Board)',
		),
	},
	{
		what: 'who can post',
		parameters: of('board', 'create', { ...board, permissionFor: VALUE }),
		bad: [3, 'admins', {}],
		...offered(
			'Who Can Post',
			'5 (Admins and Moderators), 10 (Any Member of the Community), 1 (Only Admins)',
		),
	},
	{
		what: 'a kind of entity',
		parameters: of('tag', 'getForEntity', { refType: VALUE, refId: '1' }),
		bad: ['BOARD', 'posts', 1],
		...offered('Record Type', 'COMMENT, POST, REPLY, USER'),
	},
	{
		what: 'a status',
		parameters: { ...listing, filters: { status: VALUE } },
		bad: [99, '010', 'AWAY'],
		...offered('Status', STATUSES),
	},
	{
		what: 'a sort order',
		parameters: { ...listing, sort: { sortBy: VALUE } },
		bad: ['email', 1],
		...offered('Sort By', 'joined, name, user_id'),
	},
	{
		what: 'a direction',
		parameters: { ...listing, sort: { order: VALUE } },
		bad: ['up', 'ASCEND'],
		...offered('Direction', 'asc, desc'),
	},
	...whole(
		'a limit',
		'Limit',
		{ ...listing, limit: VALUE },
		{ range: 'of at least 1', beyond: [0, -1, '0'], other: [1.5, 'many', {}] },
	),
	{
		what: 'a limit at all',
		parameters: { ...listing, limit: VALUE },
		bad: EMPTY,
		error: refused('Limit', 'is empty'),
		message: 'Give a number of at least 1, or turn on "Return All".',
	},
	...whole(
		'requests at once',
		'Max Requests at Once',
		{ ...listing, options: { maxRequestsAtOnce: VALUE } },
		{ range: 'from 1 to 200', beyond: [0, 201], other: [2.5, 'all'] },
	),
	...whole(
		'retries',
		'Max Retries',
		{ ...listing, options: { maxRetries: VALUE } },
		{ range: 'from 0 to 100', beyond: [-1, 101], other: ['some'] },
	),
	{
		what: 'links as JSON',
		parameters: links,
		bad: ['{', '{"a":1', 'links'],
		error: refused('Social Media Links', 'is not valid JSON'),
		message: json('Social Media Links'),
	},
	{
		what: 'links as an object',
		parameters: links,
		bad: ['[]', '5', '"x"', 'null', [], 5],
		error: refused('Social Media Links', 'is not a JSON object'),
		message: json('Social Media Links'),
	},
	{
		what: 'positions as JSON',
		parameters: reorderJson,
		bad: ['{', '{"1":1,}', '{1:2}'],
		error: refused('Positions', 'is not valid JSON'),
		message: 'Give a map such as { "12": 1, "7": 2 } or a list such as [4, 1] in "Positions".',
	},
	{
		what: 'positions as a map or a list',
		parameters: reorderJson,
		bad: [7, true],
		error: refused('Positions', 'is neither a map nor a list'),
		message: 'Give a map such as { "12": 1, "7": 2 } or a list such as [4, 1] in "Positions".',
	},
	{
		what: 'positions of boards',
		parameters: reorderJson,
		bad: [{ a: 1 }, '{"a":1}'],
		error: "'a' is not a board ID",
		message: 'Give a number in "Positions", e.g. 42.',
	},
	...whole('positions from 1', 'Positions', reorderJson, {
		range: 'of at least 1',
		beyond: [{ 1: 0 }],
		other: [{ 1: 'first' }, { 1: null }, { 1: 1.5 }],
	}),
	{
		what: 'positions that differ',
		parameters: reorderJson,
		bad: [{ 1: 1, 2: 1 }],
		error: refused('Positions', 'gives a position twice'),
		message: 'Give each board its own position in "Positions", starting at 1.',
	},
	{
		what: 'positions at all',
		parameters: reorderJson,
		bad: [{}, '{}'],
		error: refused('Positions', 'names no board'),
		message: 'Name at least one board in "Positions".',
	},
	{
		what: 'tag ids that are numbers',
		parameters: of('tag', 'getByIds', { tagIds: VALUE }),
		bad: ['1, x', ['1', 'x'], ' x ,2'],
		error: "'x' is not a tag ID",
		message: 'Give at least one number in "Tag IDs", e.g. 3, 14, 15.',
	},
	{
		what: 'tag ids at least one',
		parameters: of('tag', 'getByIds', { tagIds: VALUE }),
		bad: [',', ' , \n', [], ['', null]],
		error: refused('Tag IDs', 'holds no identifier'),
		message: 'Give at least one number in "Tag IDs", e.g. 3, 14, 15.',
	},
];

it.each(rules)('$what: nothing is sent for anything else', async (rule) => {
	await expectRefused(sandbox, rule);
});
