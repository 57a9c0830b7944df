import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId } from '../support/community.mts';
import { ADA, GRACE, useKnownRecords } from '../support/known-records.mts';
import { callUnchecked } from '../support/agent.mts';
import { action } from '../support/operations.mts';

// A model passes IDs as text or as a number, lists as text, and names instead of IDs. Because n8n makes every argument
// of a tool required, it passes empty text for values that it does not want to set.
const sandbox = useKnownRecords();

const decides = (name: string) => `={{ $fromAI('${name}') }}`;
const X = decides('x');
const byName = (value: string) => ({ __rl: true, mode: 'name', value });

/** Only the request, without earlier reads, and without later ones for the names of boards. */
const lastRequest = () => {
	const { all } = sandbox.requests;
	const { method, path, query, body } = all.findLast((each) => each.body) ?? all.at(-1) ?? {};
	return { what: `${method} ${path}`, ...(method === 'GET' ? { query } : { body }) };
};

const page = { page: '1', page_size: '50' };
const getComment = action('comment.get', { commentId: X });
const updateRole = action('user.updateRole', {
	userId: byId(decides('user')),
	roleId: byId(decides('role')),
	additionalFields: { details: decides('note') },
});
const updateMembers = action('board.updateMembers', {
	boardId: byId('900'),
	membersInput: 'text',
	addMembers: decides('add'),
	removeMembers: decides('remove'),
});
const listUsers = action('user.getAll', { filters: { status: X } });
const createUser = action('user.create', {
	firstName: 'Ida',
	email: 'ida@example.com',
	additionalFields: { lastName: decides('last'), timezone: decides('zone') },
});
const createBoard = action('board.create', {
	boardName: 'News',
	isPrivate: decides('closed'),
	permissionFor: decides('who'),
});
const reorder = action('board.reorder', { orderInput: 'json', displayOrder: X });
const createPost = action('post.create', {
	boardId: byId('900'),
	headline: 'Hello',
	author: byId(ADA),
});
const updateBoard = action('board.update', { boardId: byId('900') });
const changes = (members: object) => ({ member_changes: members });
const roleOf = (role_id: number) => ({ action: 101, data: { role_id } });

type Right = [what: string, tool: INodeParameters, args: IDataObject, request: object];

it.each<Right>([
	[
		'a role as text, and no note',
		updateRole,
		{ user: ADA, role: '22', note: '' },
		{ what: `PATCH /api/v1/users/${ADA}`, body: roleOf(22) },
	],
	[
		'the name of a board',
		{ ...updateMembers, boardId: byName(decides('board')) },
		{ board: 'Insiders', add: ADA, remove: '' },
		{ what: 'PUT /api/v1/boards/900/members', body: changes({ [ADA]: true }) },
	],
	[
		'members to add, and none to remove',
		updateMembers,
		{ add: `${ADA}, ${GRACE}`, remove: '' },
		{ what: 'PUT /api/v1/boards/900/members', body: changes({ [ADA]: true, [GRACE]: true }) },
	],
	['no status', listUsers, { x: null }, { what: 'GET /api/v1/users', query: page }],
	[
		'the name of a status',
		listUsers,
		{ x: 'waitlist' },
		{ what: 'GET /api/v1/users', query: { ...page, status: '4' } },
	],
	[
		'no optional values',
		createUser,
		{ last: '', zone: '' },
		{ what: 'POST /api/v1/users', body: { first_name: 'Ida', email: 'ida@example.com' } },
	],
	[
		'true and a code as text',
		createBoard,
		{ closed: 'True', who: '5' },
		{
			what: 'POST /api/v1/boards',
			body: {
				board_name: 'News',
				is_private: true,
				hidden_type: 0,
				permission_for: 5,
				needs_approval: false,
			},
		},
	],
	[
		'the name of a role, whose locator is set to By ID',
		updateRole,
		{ user: ADA, role: 'champion', note: '' },
		{ what: `PATCH /api/v1/users/${ADA}`, body: roleOf(22) },
	],
	[
		'the ID of a role as text, whose locator is set to By Name',
		{ ...updateRole, roleId: byName(decides('role')) },
		{ user: ADA, role: '22', note: '' },
		{ what: `PATCH /api/v1/users/${ADA}`, body: roleOf(22) },
	],
])('%s becomes the right request', async (_what, tool, args, request) => {
	const [answer] = await callUnchecked(sandbox, tool, args);
	expect(answer).not.toMatch(/Nothing was changed|Enter /);
	expect(lastRequest()).toEqual(request);
});

it('text for the positions of boards is refused with an example of a list', async () => {
	const [answer] = await callUnchecked(sandbox, reorder, { x: 'Insiders first' });
	expect(answer).toContain('e.g. ["Events", "Announcements"]');
	expect(sandbox.requests.matching('PATCH')).toEqual([]);
});

it.each([ADA, '9001', 'ada', '@Ada', 'ada@members.example'])('a member can be %s', async (user) => {
	await callUnchecked(sandbox, updateRole, { user, role: 22, note: '' });
	expect(sandbox.community.user(ADA).role_id).toBe(22);
});

it.each([
	'<p>See above-average results!</p>',
	'Solved (previous post). Stay tuned...',
	'Write {{ name }} in the template.',
	'<img src="https://images.example/a.png">',
])('the text %j is not refused for its looks', async (x) => {
	await callUnchecked(sandbox, { ...createPost, contentType: 'html', content: X }, { x });
	expect(lastRequest()).toMatchObject({ body: { content: x } });
});

it.each<[what: string, tool: INodeParameters, args: IDataObject, told: string]>([
	['no id', getComment, { x: '' }, "Enter a number in 'Comment ID', e.g. 42."],
	[
		'the URL of a member',
		updateRole,
		{ user: 'https://community.example/u/ada', role: 22, note: '' },
		"Enter a username, an email address or a member ID (msid) in 'Member', e.g. 42.a1b2c3.",
	],
	[
		'no member to add or to remove',
		updateMembers,
		{ add: '', remove: '[]' },
		"Enter at least one member in 'Add Members' or 'Remove Members'.",
	],
	...['unchanged', 'None', 'null', 'keep', 'same', 'unknown', 'N/A'].map(
		(word): [string, INodeParameters, IDataObject, string] => [
			`the word ${word} to keep a field`,
			{ ...updateBoard, updateFields: { boardName: X, about: 'x' } },
			{ x: word },
			'Leave the field empty to keep its value.',
		],
	),
	[
		'a word for no last name',
		createUser,
		{ last: 'none', zone: '' },
		'Leave the field empty if it has no value.',
	],
	[
		'a word for the content of a post',
		{ ...createPost, content: X },
		{ x: 'unchanged' },
		"The parameter 'Content' contains only the placeholder 'unchanged'",
	],
	...(
		[
			['<p></p>', "contains only the placeholder '<p></p>'"],
			['...', "contains only the placeholder '...'"],
			['<p>&nbsp;</p><br>', "contains only the placeholder '<p>&nbsp;</p><br>'"],
			['(unchanged)', "contains only the placeholder '(unchanged)'"],
			['<p>None</p>', "contains only the placeholder '<p>None</p>'"],
		] as const
	).map(([text, told]): [string, INodeParameters, IDataObject, string] => [
		`${text} as content`,
		{ ...createPost, content: X },
		{ x: text },
		told,
	]),
	[
		'neither a member nor a role',
		updateRole,
		{ user: '', role: '', note: '' },
		"The parameter 'Member' is empty. The parameter 'Role' is empty. Enter a username, an email address or a member ID (msid) in 'Member', e.g. 42.a1b2c3. Enter the ID or the name of the role in 'Role'. 'Get Many' lists all roles.",
	],
])('%s is reported with advice to act on, and nothing is sent', async (_what, tool, args, told) => {
	const [answer] = await callUnchecked(sandbox, tool, args);
	expect(answer).toContain(told);
	expect(answer).not.toMatch(/expression|from the list|By (Name|ID|Username|Email)/);
	expect(sandbox.requests.all).toEqual([]);
});

it.each([decides('og'), "={{ $fromAI\n\t('og') }}"])(
	'empty text for a field of an update keeps it, and does not count as missing: %j',
	async (ogTitle) => {
		Object.assign(sandbox.community.tags.get(9400)!, { og_title: 'Kept' });
		const updateFields = { description: decides('what'), ogTitle };
		const update = action('tag.update', { tagId: byId('9400'), updateFields });
		const [answer] = await callUnchecked(sandbox, update, { what: 'For beginners', og: '' });
		expect(sandbox.community.tags.get(9400)).toMatchObject({
			og_title: 'Kept',
			description: 'For beginners',
		});
		expect(answer).not.toContain('has no value');
	},
);

it('a field of an update is cleared if the tool was made for this', async () => {
	const updateFields = { description: decides('what'), ogTitle: '' };
	const update = action('tag.update', { tagId: byId('9400'), updateFields });
	await callUnchecked(sandbox, update, { what: 'For beginners' });
	expect(sandbox.community.tags.get(9400)).toMatchObject({
		og_title: '',
		description: 'For beginners',
	});
});
