import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { isWriting } from '../../nodes/CommunityPlatform/operation/operation.ts';
import { resources } from '../../nodes/CommunityPlatform/resources/index.ts';
import { asked, byId, useSandbox } from '../support/community.mts';
import { ADA, addKnownRecords, GRACE, STILL } from '../support/known.mts';
import { updateRole } from '../support/operations.mts';
import type { RunOptions } from './engine.mts';
import { runNode } from './engine.mts';
import { wireCases } from './wire/cases.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

const writing = resources.flatMap(({ value, operations }) =>
	operations.filter(isWriting).map((operation) => `${value}.${operation.value}`),
);

async function dryRun(
	{ options = {}, ...parameters }: INodeParameters,
	runOptions: RunOptions = {},
) {
	const asGiven = options as INodeParameters;
	const result = await runNode(
		sandbox,
		{ ...parameters, options: { ...asGiven, dryRun: true } },
		runOptions,
	);
	const { hints = [] } = result.run.data.resultData.runData.Community[0];
	return {
		...result,
		items: result.items.map(({ json }) => json),
		hints: hints.map(({ message }) => message),
	};
}

/** Everything that the community holds. */
function held(): string {
	const { users, boards, boardMembers, posts, comments, replies, tags } = sandbox.community;
	return [users, boards, posts, comments, replies, tags]
		.map((records) => JSON.stringify([...records]))
		.concat([...boardMembers].map(([id, members]) => `${id}: ${[...members].join()}`))
		.join('\n');
}

describe('a dry run sends no request that changes anything:', () => {
	const cases = wireCases.filter(({ operation }) => writing.includes(operation));

	it('there is a case for each operation that creates or changes', () => {
		expect(new Set(cases.map(({ operation }) => operation))).toEqual(new Set(writing));
	});

	it.each(cases.flatMap((wire) => [false, true].map((isRouted) => ({ wire, isRouted }))))(
		'$wire.operation $wire.does, routing engine: $isRouted',
		async ({ wire: { operation, given, parameters, item = {} }, isRouted }) => {
			given?.(sandbox);
			const [resource, name] = operation.split('.');
			const before = held();

			const { items, error } = await dryRun(
				{ resource, operation: name, ...parameters },
				{ items: [item], isRouted },
			);

			expect(error).toBeUndefined();
			expect(held()).toBe(before);
			expect(sandbox.requests.all.filter(({ method }) => method !== 'GET')).toEqual([]);
			const [planned, ...others] = items;
			expect(others).toEqual([]);
			expect(planned).toMatchObject({ dry_run: true, changes: expect.any(Object) });
			expect(['create', 'update', 'none']).toContain(planned.action);
			expect(Object.keys(planned.changes as object).length > 0).toBe(planned.action !== 'none');
		},
	);
});

describe('a dry run gives', () => {
	it.each<[string, INodeParameters, IDataObject]>([
		[
			'what a new record would hold',
			{ resource: 'tag', operation: 'create', name: 'New', additionalFields: { image: 'x' } },
			{ action: 'create', changes: { name: fromNull('New'), image: fromNull('x') } },
		],
		[
			'the fields of an update that differ',
			{
				...{ resource: 'board', operation: 'update', boardId: byId('900') },
				updateFields: { about: 'For all', isPrivate: true, hiddenType: '1', permissionFor: 5 },
			},
			{
				...{ action: 'update', board_id: 900 },
				changes: {
					about: { from: 'For insiders', to: 'For all' },
					hidden_type: { from: 2, to: 1 },
				},
			},
		],
		[
			'none for an update that changes nothing',
			{ resource: 'comment', operation: 'update', commentId: '9200', content: '<p>Hello</p>' },
			{ action: 'none', comment_id: 9200, changes: {} },
		],
		[
			'the fields that replacing a whole record would clear',
			{
				...{ resource: 'board', operation: 'update', boardId: byId('900') },
				keepOtherFields: false,
				updateFields: {
					boardName: 'Insiders',
					isPrivate: true,
					hiddenType: 2,
					permissionFor: 5,
					needsApproval: true,
					about: 'For insiders',
				},
			},
			{ action: 'update', board_id: 900, changes: { icon: { from: 'lock', to: null } } },
		],
		[
			'another author and board of a post',
			{
				...{ resource: 'post', operation: 'update', postId: '9100' },
				updateFields: { author: byId(GRACE), boardId: byId('1'), headline: 'First post' },
			},
			{
				...{ action: 'update', post_id: 9100 },
				changes: { authors: { from: [ADA], to: [GRACE] }, board_id: { from: '900', to: '1' } },
			},
		],
		[
			'the role that a member has and would get',
			updateRole(ADA, '5'),
			{ action: 'update', msid: ADA, changes: { role_id: { from: 10, to: 5 } } },
		],
		[
			'none for a member who has the role',
			updateRole(ADA, '10'),
			{ action: 'none', msid: ADA, changes: {} },
		],
		[
			'the positions of boards',
			{ resource: 'board', operation: 'reorder', orderInput: 'json', displayOrder: '{"900": 1}' },
			{ action: 'update', changes: { display_order: { from: { 900: 131 }, to: { 900: 1 } } } },
		],
		[
			'the tag that Create or Update would create',
			{ resource: 'tag', operation: 'upsert', name: 'Unknown' },
			{ action: 'create', name: 'unknown', changes: { name: fromNull('Unknown') } },
		],
		[
			'the tag that Create or Update would change, its name kept',
			{
				...{ resource: 'tag', operation: 'upsert', name: 'FIRSTSTEPS' },
				additionalFields: { description: 'New', backColor: '#112233' },
			},
			{
				...{ action: 'update', name: 'FIRSTSTEPS', tag_id: 9400 },
				changes: { description: { from: 'For newcomers', to: 'New' } },
			},
		],
	])('%s', async (_, parameters, planned) => {
		const { items, error } = await dryRun(parameters);

		expect(error).toBeUndefined();
		expect(items).toEqual([{ dry_run: true, ...planned }]);
	});

	it('the names of the roles beside their IDs, where they are asked for', async () => {
		const { items } = await dryRun({ ...updateRole(ADA, '5'), options: { includeRoleName: true } });

		expect(items[0].changes).toEqual({
			role_id: { from: 10, to: 5 },
			role_name: { from: 'Member', to: 'Moderator' },
		});
	});

	it('null for what the API does not show, and says so', async () => {
		const { items, hints } = await dryRun({
			...{ resource: 'user', operation: 'update', userId: byId(ADA), hiddenFields: 'clear' },
			updateFields: { lastName: 'King', firstName: 'Ada' },
		});

		expect(items).toMatchObject([
			{ action: 'update', msid: ADA, changes: { last_name: { from: null, to: 'King' } } },
		]);
		expect(hints).toEqual([
			'Dry run: nothing was changed. 1 of 1 would be updated.',
			'The API does not show "Last Name": what they hold now is given as null.',
			expect.stringContaining('would be cleared if they are set'),
		]);
	});

	it('who would gain and lose access to a board', async () => {
		const { items, hints } = await dryRun({
			...{ resource: 'board', operation: 'updateMembers', boardId: byId('900') },
			...{ membersInput: 'text', addMembers: ADA, removeMembers: GRACE },
		});

		const to = { [ADA]: true, [GRACE]: false };
		expect(items).toEqual([
			{
				...{ dry_run: true, action: 'update', board_id: 900 },
				changes: { member_changes: { from: null, to } },
			},
		]);
		expect(hints).toHaveLength(2);
	});
});

describe('in a batch', () => {
	const msids = () => [...sandbox.community.users.values()].slice(0, 60).map(({ msid }) => msid);

	it('it counts what would be done', async () => {
		const users = msids();
		const differing = users.filter((msid) => sandbox.community.user(msid).role_id !== 10).length;

		const { items, hints } = await dryRun(updateRole('={{ $json.msid }}', '10'), {
			items: users.map((msid) => ({ msid })),
		});

		expect(items.filter(({ action }) => action === 'update')).toHaveLength(differing);
		expect(differing).toBeGreaterThan(0);
		expect(differing).toBeLessThan(users.length);
		expect(hints).toEqual([
			`Dry run: nothing was changed. ${differing} of ${users.length} would be updated.`,
		]);
	});

	it('it counts what would be created beside it', async () => {
		const { hints } = await dryRun(
			{
				...{ resource: 'tag', operation: 'upsert', name: '={{ $json.name }}' },
				additionalFields: { description: 'New' },
			},
			{ items: ['firststeps', 'one', 'two'].map((name) => ({ name })) },
		);

		expect(hints).toEqual([
			'Dry run: nothing was changed. 2 of 3 would be created, 1 would be updated.',
		]);
	});

	it('with Continue, an item that would fail is one that failed', async () => {
		const { items, error } = await dryRun(updateRole('={{ $json.msid }}', '10'), {
			items: [{ msid: '777.gone' }, { msid: ADA }],
			onError: 'continueRegularOutput',
		});

		expect(error).toBeUndefined();
		expect(items).toEqual([
			expect.objectContaining({ error: expect.any(String) }),
			{ dry_run: true, action: 'none', msid: ADA, changes: {} },
		]);
	});

	it('with Stop, it says that nothing was changed', async () => {
		const { error } = await dryRun(updateRole('={{ $json.msid }}', '5'), {
			items: [{ msid: ADA }, { msid: '777.gone' }],
		});

		expect(error?.description).toContain('Nothing was changed.');
		expect(asked(sandbox).some((each) => each.startsWith('PATCH'))).toBe(false);
	});
});

function fromNull(to: string): IDataObject {
	return { from: null, to };
}
