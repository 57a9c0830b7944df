import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asked, byId, useSandbox } from '../support/community.mts';
import { ADA, addKnownRecords, GRACE, STILL } from '../support/known-records.mts';
import { action, updateRole } from '../support/operations.mts';
import { callUnchecked } from '../support/agent.mts';
import { runNode } from '../support/engine.mts';
import { Poller } from '../support/poller.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => {
	addKnownRecords(sandbox);
	// A member that an expression without a result could match.
	for (const username of ['undefined', 'null'])
		sandbox.community.addUser({ first_name: 'Nobody', username });
});

const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value }) as never;
const NOTHING =
	"Check the field's name in the expression, because the expression has no value for this item. Nothing was changed.";
const FILL_IN =
	'Fill in the value where it comes from, e.g. in your spreadsheet or form, or leave the item out with a Filter node before this node. Nothing was changed.';

const ofMembers = (parameters: INodeParameters) =>
	action('board.updateMembers', { boardId: byId('900'), ...parameters });
const ofRows = (row: INodeParameters) =>
	ofMembers({ membersInput: 'list', boardMembers: { members: [row] } });
const reorderBy = (mode: string) =>
	action('board.reorder', {
		boardOrder: { boards: [{ boardId: locator(mode, '={{ $json.cell }}') }] },
	});
const update = (parameters: INodeParameters) =>
	action('user.update', { userId: byId(ADA), updateFields: { firstName: 'Ada' }, ...parameters });
const getMany = (filters: INodeParameters) => action('user.getAll', { filters });
const CELL = '={{ $json.cell }}';

describe.each<[string, INodeParameters]>([
	['Access', ofRows({ userId: byId(ADA), access: CELL })],
	['Member', ofRows({ userId: locator('username', CELL) })],
	['Member', ofRows({ userId: locator('email', CELL) })],
	['Member', ofRows({ userId: byId(CELL) })],
	['Board', reorderBy('name')],
	['Board', reorderBy('id')],
	['Specify Members', ofMembers({ membersInput: CELL, addMembers: ADA })],
	['Specify Order', { ...reorderBy('id'), orderInput: CELL, displayOrder: '{ "1": 1 }' }],
	['Keep Other Fields', update({ keepOtherFields: CELL })],
	['Fields n8n Cannot Read', update({ hiddenFields: CELL })],
	['Dry Run', { ...updateRole(ADA, '5'), options: { dryRun: CELL } }],
	['Skip Unchanged', { ...updateRole(ADA, '5'), options: { skipUnchanged: CELL } }],
	['Status', getMany({ status: CELL })],
	['Role', getMany({ roleId: byId(CELL) })],
	['Joined After', getMany({ joinedAfter: CELL })],
	['Name Contains', getMany({ nameContains: CELL })],
	['Max Retries', { ...updateRole(ADA, '5'), options: { maxRetries: CELL } }],
	['Fields', { ...getMany({}), options: { fields: CELL } }],
])('Expression without a value for %s', (label, parameters) => {
	it.each<[IDataObject, string, string]>([
		[{ Cell: 'misspelt' }, `The parameter '${label}' is empty`, NOTHING],
		[{ cell: null }, `The parameter '${label}' is empty in this item`, FILL_IN],
		[{ cell: '' }, `The parameter '${label}' is empty in this item`, FILL_IN],
	])(
		'refuses an expression without a value before any request: %j',
		async (item, message, description) => {
			const { error } = await runNode(sandbox, parameters, { items: [item] });
			expect(error?.message).toContain(message);
			expect(`${error?.description} Nothing was changed.`).toContain(description);
			expect(asked(sandbox)).toEqual([]);
		},
	);
});

it.each([[[]], [[null]], [['']]])("refuses %j for 'Who Can Post'", async (cell) => {
	const parameters = action('board.create', { boardName: 'New', permissionFor: CELL });
	const { error } = await runNode(sandbox, parameters, { items: [{ cell }] });
	expect(error?.message).toContain("The parameter 'Who Can Post' is an empty list");
	expect(asked(sandbox)).toEqual([]);
});

it('changes only the items without a dry run if the option differs between items', async () => {
	const parameters = {
		...updateRole('={{ $json.msid }}', '5'),
		options: { dryRun: '={{ $json.isTrial }}' },
	};
	const items = [
		{ msid: ADA, isTrial: true },
		{ msid: GRACE, isTrial: false },
	];
	await runNode(sandbox, parameters, { items });
	expect(asked(sandbox).filter((line) => !line.startsWith('GET'))).toEqual([
		`PATCH /api/v1/users/${GRACE}`,
	]);
});

type Changes = Record<string, string>;
const blank = (names: string[]): Changes => Object.fromEntries(names.map((name) => [name, CELL]));
const added = (name: string) => ({ additionalFields: blank([name]) });
const put = () => sandbox.requests.matching('PUT').at(-1)?.body;

it.each<[string, INodeParameters, names: string[], labels: string, sent: object]>([
	[
		'post',
		{ postId: '9100', updateFields: { headline: 'New' } },
		['content', 'boardId', 'author'],
		"'Content', 'Board', 'Author'",
		{ content: '<p>Hello</p>', board_id: '900', authors: [ADA], headline: 'New' },
	],
	[
		'board',
		{ boardId: byId('900') },
		['about', 'boardName', 'isPrivate', 'hiddenType', 'permissionFor', 'needsApproval'],
		"'Name', 'Private', 'Visible To', 'Who Can Post', 'Needs Approval'",
		{ board_name: 'Insiders', is_private: true, hidden_type: 2, permission_for: 5, about: '' },
	],
	[
		'tag',
		{ tagId: byId('9400') },
		['description', 'name', 'backColor'],
		"'Name', 'Background Color'",
		{ name: 'FirstSteps', back_color: '#112233', description: '' },
	],
	[
		'user',
		{ userId: byId(ADA), hiddenFields: 'clear' },
		['userDescription', 'firstName'],
		"'First Name'",
		{ first_name: 'Ada', user_description: '' },
	],
])(
	'keeps the required fields of a %s for a blank cell',
	async (kind, parameters, names, labels, sent) => {
		const updateFields = { ...(parameters.updateFields as Changes), ...blank(names) };
		const update = action(`${kind}.update`, { ...parameters, updateFields });
		const { hints } = await runNode(sandbox, update, { items: [{ cell: ' ' }] });
		expect(put()).toMatchObject(sent);
		for (const label of labels.split(', ')) expect(hints.join()).toContain(label);
		expect(hints.join()).not.toMatch(/'(About|Description)'/);
	},
);

it("does not let a model empty a board's required fields, and says so", async () => {
	const names = ['boardName', 'isPrivate', 'hiddenType', 'about'];
	const asks = Object.fromEntries(names.map((name) => [name, `={{ $fromAI('${name}') }}`]));
	const update = action('board.update', { boardId: byId('900'), updateFields: asks });
	const cleared = Object.fromEntries(names.map((name) => [name, '""']));
	const [answer] = await callUnchecked(sandbox, update, cleared);
	const kept = { board_name: 'Insiders', is_private: true, hidden_type: 2 };
	expect(put()).toMatchObject({ ...kept, about: '' });
	for (const label of ['Name', 'Private', 'Visible To']) expect(answer).toContain(`'${label}'`);
});

it('refuses a row of blank cells as an update without changes, and names a required blank cell', async () => {
	const update = (parameters: INodeParameters, updateFields: INodeParameters) =>
		action('post.update', { postId: '9100', ...parameters, updateFields });
	const items = [{ cell: '' }];
	const { error } = await runNode(sandbox, update({}, { content: CELL }), { items });
	expect(error?.message).toBe('There is nothing to update');
	const all = update({ keepOtherFields: false }, { content: CELL, headline: 'New' });
	const replaced = await runNode(sandbox, all, { items });
	expect(replaced.error?.message).toContain("needs a value for 'Author', 'Board', 'Content'");
	expect(asked(sandbox)).toEqual([]);
});

it.each([false, true])(
	'keeps fields of a board for blank cells with Create or Update (dry run: %s)',
	async (dryRun) => {
		const access = blank(['isPrivate', 'hiddenType', 'permissionFor', 'needsApproval']);
		const additionalFields = { about: 'New', ...access };
		const options = dryRun ? { dryRun } : {};
		const upsert = action('board.upsert', { boardName: '={{ $json.name }}', additionalFields });
		const table = ['Insiders', 'Novelties'].map((name) => ({ name, cell: '' }));
		const before = { ...sandbox.community.boards.get(900) };
		const { items, hints } = await runNode(
			sandbox,
			{ ...upsert, options },
			{ items: table, onError: 'continueRegularOutput' },
		);
		expect(items[0].json).toMatchObject(dryRun ? { action: 'update' } : { created: false });
		expect(items[1].json).toMatchObject({
			error: "The parameter 'Needs Approval' is empty",
			message: 'Enter a value for the new board.',
		});
		const changes = dryRun ? {} : { about: 'New' };
		expect(sandbox.community.boards.get(900)).toEqual({ ...before, ...changes });
		expect(sandbox.requests.matching('POST')).toEqual([]);
		expect(hints.join()).toContain("no value for 'Needs Approval', 'Private'");
	},
);

const IDA = { firstName: 'Ida', email: 'ida@x.example' };

it.each<[string, INodeParameters, label: string]>([
	['user.create', { ...IDA, ...added('ssoId') }, 'SSO ID'],
	['user.createOrGet', { ...IDA, ...added('lastName') }, 'Last Name'],
	['user.updateRole', { userId: byId(ADA), roleId: byId('5'), ...added('details') }, 'Details'],
	['tag.create', { name: 'New', ...added('description') }, 'Description'],
	['tag.upsert', { name: 'New', ...added('backColor') }, 'Background Color'],
	['board.upsert', { boardName: 'News', ...added('about') }, 'About'],
])('names the field without a value in a hint of %s', async (operation, parameters, label) => {
	const { hints, error } = await runNode(sandbox, action(operation, parameters));
	expect(error).toBeUndefined();
	expect(hints).toContainEqual(
		`At least one item has no value for '${label}', so the node did not set it there. If you expected a value, check the field's name in the input.`,
	);
});

it.each<[string, IDataObject]>([
	['nothing', {}],
	['blank', { cell: '' }],
])(
	'does not let a tool create a board if the expression for Private returned %s',
	async (_, cell) => {
		const parameters = action('board.upsert', {
			boardName: "={{ $fromAI('name') }}",
			additionalFields: {
				isPrivate: `={{ ${JSON.stringify(cell)}.cell }}`,
				hiddenType: `={{ ${JSON.stringify(cell)}.cell }}`,
			},
		});
		const [answer] = await callUnchecked(sandbox, parameters, { name: 'Quite New' });
		expect(sandbox.requests.matching('POST')).toEqual([]);
		expect(answer).toContain('Enter a value for the new board');
	},
);

it('keeps the username of a member for a blank cell', async () => {
	const [{ msid, username }] = sandbox.community.users.values();
	const { error } = await runNode(
		sandbox,
		action('user.update', {
			userId: byId(msid),
			hiddenFields: 'clear',
			updateFields: { username: '={{ $json.cell }}', userDescription: 'New' },
		}),
		{ items: [{ cell: '' }] },
	);
	expect(sandbox.requests.matching('PUT')[0].body).toMatchObject({ username });
	expect(error).toBeUndefined();
});

it.each([{ emailDomains: ' , ' }, { roleIds: ';,' }])(
	"refuses a trigger's filter that would match all members: %j",
	async (filters) => {
		const poller = new Poller(sandbox, { filters });
		await expect(poller.poll()).rejects.toThrow();
	},
);

it.each<[string, IDataObject]>([
	['nothing', {}],
	['null', { cell: null }],
	['blank', { cell: '' }],
])(
	"refuses a tool's filter whose expression returned %s, instead of matching all members",
	async (_, cell) => {
		const parameters = action('user.getAll', {
			returnAll: true,
			filters: { roleId: byId(`={{ ${JSON.stringify(cell)}.cell }}`) },
		});
		const [answer] = await callUnchecked(sandbox, parameters, {});
		expect(answer).toContain('is empty');
	},
);
