import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asked, byId, useSandbox } from '../support/community.mts';
import { ADA, addKnownRecords, GRACE, STILL } from '../support/known-records.mts';
import { action, updateRole } from '../support/operations.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => {
	addKnownRecords(sandbox);
	// Whom an expression without a result could be taken for.
	for (const username of ['undefined', 'null'])
		sandbox.community.addUser({ first_name: 'Nobody', username });
});

const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value }) as never;
const NOTHING =
	"The expression gave nothing. Check the field's name in the input. Nothing was changed.";
const FILL_IN = 'Fill in the field in the input, or leave this item out. Nothing was changed.';

const ofMembers = (parameters: INodeParameters) =>
	action('board.updateMembers', { boardId: byId('900'), ...parameters });
const ofRows = (row: INodeParameters) => ofMembers({ boardMembers: { members: [row] } });
const reorderBy = (mode: string) =>
	action('board.reorder', {
		boardOrder: { boards: [{ boardId: locator(mode, '={{ $json.cell }}') }] },
	});
const ofBoard = (additionalFields: INodeParameters) =>
	action('board.upsert', { boardName: 'News', additionalFields });
const update = (parameters: INodeParameters) =>
	action('user.update', { userId: byId(ADA), updateFields: { firstName: 'Ada' }, ...parameters });
const getMany = (filters: INodeParameters) => action('user.getAll', { filters });
const CELL = '={{ $json.cell }}';

describe.each<[string, INodeParameters]>([
	['Access', ofRows({ userId: byId(ADA), access: CELL })],
	['User', ofRows({ userId: locator('username', CELL) })],
	['User', ofRows({ userId: locator('email', CELL) })],
	['User', ofRows({ userId: byId(CELL) })],
	['Board', reorderBy('name')],
	['Board', reorderBy('id')],
	['Specify Members', ofMembers({ membersInput: CELL, addMembers: ADA })],
	['Specify Order', { ...reorderBy('id'), orderInput: CELL, displayOrder: '{ "1": 1 }' }],
	['Private', ofBoard({ isPrivate: CELL })],
	['Visible To', ofBoard({ hiddenType: CELL })],
	['Who Can Post', ofBoard({ permissionFor: CELL })],
	['Needs Approval', ofBoard({ needsApproval: CELL })],
	['Keep What the API Shows', update({ keepOtherFields: CELL })],
	['What the API Does Not Show', update({ hiddenFields: CELL })],
	['Dry Run', { ...updateRole(ADA, '5'), options: { dryRun: CELL } }],
	['Skip Unchanged', { ...updateRole(ADA, '5'), options: { skipUnchanged: CELL } }],
	['Status', getMany({ status: CELL })],
	['Role', getMany({ roleId: byId(CELL) })],
	['Joined After', getMany({ joinedAfter: CELL })],
	['Name Contains', getMany({ nameContains: CELL })],
	['Max Retries', { ...updateRole(ADA, '5'), options: { maxRetries: CELL } }],
	['Fields', { ...getMany({}), options: { fields: CELL } }],
])('%s by an expression that gives nothing', (label, parameters) => {
	it.each<[IDataObject, string, string]>([
		[{ Cell: 'misspelt' }, `The parameter '${label}' is empty`, NOTHING],
		[{ cell: null }, `The parameter '${label}' is empty in this item`, FILL_IN],
		[{ cell: '' }, `The parameter '${label}' is empty in this item`, FILL_IN],
	])('is refused, and nothing is sent: %j', async (item, message, description) => {
		const { error } = await runNode(sandbox, parameters, { items: [item] });
		expect(error?.message).toContain(message);
		expect(`${error?.description} Nothing was changed.`).toContain(description);
		expect(asked(sandbox)).toEqual([]);
	});
});

it.each([[[]], [[null]], [['']]])('Who Can Post of %j is refused', async (cell) => {
	const parameters = action('board.create', { boardName: 'New', permissionFor: CELL });
	const { error } = await runNode(sandbox, parameters, { items: [{ cell }] });
	expect(error?.message).toContain("The parameter 'Who Can Post' is an empty list");
	expect(asked(sandbox)).toEqual([]);
});

describe('what decides about the whole run, and differs between items', () => {
	const items = [ADA, 'x', GRACE].map((msid, at) => ({ msid, at }));
	const toRole = (options: INodeParameters) => ({
		...updateRole('={{ $json.msid }}', '5'),
		options,
	});

	it.each<[string, INodeParameters, INodeParameters?]>([
		['Dry Run', { dryRun: '={{ $json.at === 0 }}' }],
		['Dry Run', { dryRun: '={{ $json.at === 2 }}' }],
		['Max Retries', { maxRetries: '={{ $json.at }}' }],
		['Max Requests at Once', { maxRequestsAtOnce: '={{ $json.at + 1 }}' }],
		['Request Options', {}, { timeout: '={{ 1000 + $json.at }}' }],
		[
			'Request Options',
			{},
			{ batching: { batch: { batchSize: '={{ $json.at + 1 }}', batchInterval: 1 } } },
		],
	])('is refused, and nothing is sent: %s', async (label, options, requestOptions) => {
		const reason = `'${label}' is not the same for all items`;
		const usable = items.filter(({ at }) => at !== 1);
		const stopped = await runNode(sandbox, toRole(options), { items: usable, requestOptions });
		expect(stopped.error?.message).toBe(reason);
		expect(stopped.error?.description).toBe(
			'It applies to the whole run. Give it one value, or divide the items between two nodes. Nothing was changed.',
		);
		const onError = 'continueRegularOutput';
		const { items: given } = await runNode(sandbox, toRole(options), {
			items: usable,
			requestOptions,
			onError,
		});
		expect(given.map(({ json }) => json.error)).toEqual([reason, reason]);
		expect(asked(sandbox)).toEqual([]);
	});

	it('is refused where another item cannot be used, too', async () => {
		const parameters = toRole({ dryRun: '={{ $json.at === 0 }}' });
		// The unusable one is the last: nothing is read behind it, unless it was begun in the same moment.
		const { error } = await runNode(sandbox, parameters, { items: [items[0], items[2], items[1]] });
		expect(error?.message).toBe("'Dry Run' is not the same for all items");
		expect(asked(sandbox)).toEqual([]);
	});
});

it('Create or Update names an expression that gave nothing, and keeps the value', async () => {
	const additionalFields = { about: '={{ $json.about }}' };
	const { items, hints } = await runNode(sandbox, ofBoard(additionalFields));
	expect(items).toHaveLength(1);
	expect(hints).toContainEqual(expect.stringContaining("The expression in 'About' gave nothing"));
});
