import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { isWriting } from '../../nodes/CommunityPlatform/actions/operation.ts';
import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { asked, byId } from '../support/community.mts';
import { ADA, addKnownRecords, GRACE, useKnownRecords } from '../support/known-records.mts';
import { action, createTag, updateRole } from '../support/operations.mts';
import { runNode, type RunOptions } from '../support/engine.mts';
import { hasDetailsInErrorOutput } from '../support/generations.mts';
import { wireCases } from '../support/wire/cases.mts';
import { runWithOption } from '../support/with-option.mts';

const sandbox = useKnownRecords();

const writing = resources.flatMap(({ value, operations }) =>
	operations.filter(isWriting).map((operation) => `${value}.${operation.value}`),
);

const dryRun = async (parameters: INodeParameters, runOptions?: RunOptions) =>
	await runWithOption(sandbox, 'dryRun', parameters, runOptions);

const ofBoard = (updateFields: INodeParameters): INodeParameters =>
	action('board.update', { boardId: byId('900'), updateFields });

/** All records of the community. */
function held(): string {
	const { users, boards, boardMembers, posts, comments, replies, tags } = sandbox.community;
	return [users, boards, posts, comments, replies, tags]
		.map((records) => JSON.stringify([...records]))
		.concat([...boardMembers].map(([id, members]) => `${id}: ${[...members].join()}`))
		.join('\n');
}

describe('a dry run sends no request that changes data:', () => {
	const cases = wireCases.filter(({ operation }) => writing.includes(operation));

	it('every operation that creates or changes has a case', () => {
		expect(new Set(cases.map(({ operation }) => operation))).toEqual(new Set(writing));
	});

	it.each(cases)('$operation $title', async ({ operation, arrange, parameters, item = {} }) => {
		arrange?.(sandbox);
		const before = held();
		const { items, error } = await dryRun(action(operation, parameters), { items: [item] });
		expect(error).toBeUndefined();
		expect(held()).toBe(before);
		expect(sandbox.requests.all.filter(({ method }) => method !== 'GET')).toEqual([]);
		const [planned, ...others] = items;
		expect(others).toEqual([]);
		expect(planned).toMatchObject({ dry_run: true, change: expect.any(String) });
		expect(['create', 'update', 'none']).toContain(planned.action);
		// An item of Update Role has the columns of the run instead.
		expect('changes' in planned).toBe(operation !== 'user.updateRole');
		expect(planned.change === 'nothing').toBe(planned.action === 'none');
	});
});

it.each<[string, INodeParameters, string]>([
	['a role by its names', updateRole(ADA, '22'), 'role: Member → Champion'],
	['a change that makes no difference', updateRole(ADA, '10'), 'nothing'],
	['one short value', ofBoard({ icon: 'star' }), 'icon: lock → star'],
	['a cleared value', ofBoard({ icon: '' }), 'icon: lock → none'],
	['a long value by its field alone', ofBoard({ about: 'x'.repeat(41) }), 'about'],
	['several changes by their fields', ofBoard({ about: 'x', icon: 'star' }), 'about, icon'],
	[
		'members who get and lose access',
		action('board.updateMembers', {
			boardId: byId('900'),
			addMembers: 'ada',
			removeMembers: GRACE,
		}),
		`access: add ada, remove ${GRACE}`,
	],
	['a new record by its fields', action('tag.upsert', { name: 'New' }), 'name: none → New'],
])('a dry run summarizes %s', async (_, parameters, change) => {
	const { items } = await dryRun(parameters);
	expect(items[0].change).toBe(change);
	const keys = Object.keys(items[0]);
	expect(keys.slice(keys.indexOf('change'))).toEqual([
		'change',
		'action',
		...keys.slice(keys.indexOf('action') + 1, keys.indexOf('dry_run')),
		...('changes' in items[0] ? ['dry_run', 'changes'] : ['dry_run']),
	]);
	// What people recognise comes first.
	expect(keys.indexOf('change')).toBeLessThanOrEqual(1);
});

it('a dry run of Update Role has the columns of the run', async () => {
	const { items } = await dryRun(updateRole(ADA, '22'));
	expect(Object.entries(items[0])).toEqual([
		['username', 'ada'],
		['change', 'role: Member → Champion'],
		['action', 'update'],
		['role_id', 22],
		['role_name', 'Champion'],
		['previous_role_id', 10],
		['previous_role_name', 'Member'],
		['msid', ADA],
		['dry_run', true],
	]);
});

describe('a dry run returns', () => {
	it.each<[string, INodeParameters, IDataObject]>([
		[
			'another author and board of a post',
			action('post.update', {
				postId: '9100',
				updateFields: { author: byId(GRACE), boardId: byId('1'), headline: 'First post' },
			}),
			{
				headline: 'First post',
				action: 'update',
				post_id: 9100,
				changes: { authors: { from: [ADA], to: [GRACE] }, board_id: { from: '900', to: '1' } },
			},
		],
		[
			'the role that a member has and would get',
			updateRole(ADA, '5'),
			{
				action: 'update',
				msid: ADA,
				username: 'ada',
				role_id: 5,
				role_name: 'Moderator',
				previous_role_id: 10,
				previous_role_name: 'Member',
			},
		],
		[
			'the positions of boards',
			action('board.reorder', { orderInput: 'json', displayOrder: '{"900": 2, "1": 1}' }),
			{
				action: 'update',
				changes: { display_order: { from: { 900: 131, 1: 1 }, to: { 900: 2, 1: 1 } } },
			},
		],
		[
			'the tag that Create or Update would change, with its name',
			action('tag.upsert', {
				name: 'FIRSTSTEPS',
				additionalFields: { description: 'New', backColor: '#112233' },
			}),
			{
				action: 'update',
				display_name: 'FirstSteps',
				name: 'firststeps',
				tag_id: 9400,
				changes: { description: { from: 'For newcomers', to: 'New' } },
			},
		],
	])('%s', async (_, parameters, planned) => {
		const { items, error } = await dryRun(parameters);
		expect(error).toBeUndefined();
		expect(items).toEqual([{ dry_run: true, change: expect.any(String), ...planned }]);
	});

	it('null for fields that the API does not return, with a hint', async () => {
		const { items, hints } = await dryRun(
			action('user.update', {
				userId: byId(ADA),
				hiddenFields: 'clear',
				updateFields: { lastName: 'King', firstName: 'Ada' },
			}),
		);
		expect(items).toMatchObject([
			{ action: 'update', msid: ADA, changes: { last_name: { from: null, to: 'King' } } },
		]);
		expect(hints).toEqual([
			'Dry run: nothing was changed.',
			"The API does not return 'Last Name', so the dry run cannot show the current value.",
			expect.stringContaining("The update could clear 'Banner URL'"),
		]);
	});

	it('the fields of a member that would be cleared because they are not set', async () => {
		const update = action('user.update', { userId: byId(ADA) });
		const parameters = { hiddenFields: 'clear', updateFields: { firstName: 'Ada', lang: 'de' } };
		const cleared = { from: null, to: null };
		const { items, hints } = await dryRun({ ...update, ...parameters });
		expect(items[0].action).toBe('update');
		expect(items[0].changes).toEqual({
			banner: cleared,
			last_name: cleared,
			middle_name: cleared,
			social_media_links: cleared,
			timezone: cleared,
			lang: fromNull('de'),
		});
		expect(hints).toContainEqual(expect.stringContaining('The update could clear'));
	});

	it("no such fields if 'Skip Unchanged' would send nothing", async () => {
		const { items, hints } = await dryRun(
			action('user.update', {
				userId: byId(ADA),
				hiddenFields: 'clear',
				updateFields: { firstName: 'Ada' },
				options: { skipUnchanged: true },
			}),
		);
		expect(items).toMatchObject([{ action: 'none', changes: {} }]);
		expect(hints).toEqual(['Dry run: nothing was changed.']);
	});

	it("a hint if the API does not return a member's role", async () => {
		const text = JSON.stringify({ msid: ADA, role_id: null });
		// The roles are listed first.
		sandbox.faults.add({ kind: 'text', method: 'GET', after: 1, times: 1, text });
		const { items, hints } = await dryRun(updateRole(ADA, '5'));
		expect(items).toMatchObject([{ action: 'update', change: 'role: not shown → Moderator' }]);
		expect(hints).toContainEqual(expect.stringContaining("does not return 'Role'"));
	});

	it('the members who would gain and lose access to a board', async () => {
		const { items, hints } = await dryRun(
			action('board.updateMembers', {
				boardId: byId('900'),
				addMembers: ADA,
				removeMembers: GRACE,
			}),
		);
		const to = { [ADA]: true, [GRACE]: false };
		expect(items).toEqual([
			{
				dry_run: true,
				action: 'update',
				change: `access: add ${ADA}, remove ${GRACE}`,
				board_id: 900,
				changes: { member_changes: { from: null, to } },
			},
		]);
		expect(hints).toEqual([
			'Dry run: nothing was changed.',
			'The API does not say who is on a board, so all are listed.',
		]);
	});
});

describe('Dry Run of a tag', () => {
	const LIST = 'GET /api/v1/tags?page=1&page_size=50';
	const addTag = (tag_id: number, display_name: string) => {
		const like = sandbox.community.tags.get(9400);
		if (!like) throw new TypeError('the known tag is missing');
		const name = sandbox.community.tagName(display_name);
		sandbox.community.tags.set(tag_id, { ...like, tag_id, name, display_name });
	};
	const rename = (name: string, tagId: unknown = '9400') =>
		action('tag.update', { tagId: byId(tagId), updateFields: { name } });
	const planned = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
		await dryRun(parameters, { items, onError: 'continueRegularOutput' });

	it.each<[string, INodeParameters]>([
		['Create', createTag('FirstSteps')],
		['Create, in capitals and with a hash sign', createTag(' #FIRSTSTEPS')],
		['Create, by the stored name', createTag('weeklyroundup')],
		['Update', rename('firststeps', '9401')],
	])('refuses a taken name in the words of the real execution: %s', async (_, parameters) => {
		addTag(9401, 'Weekly Round Up');
		const { items } = await planned(parameters);
		const real = await runNode(sandbox, parameters, { onError: 'continueRegularOutput' });
		const [{ error, message }] = real.items.map(({ json }) => json);
		expect(error).toMatch(/^A tag with the name \w+ exists$/);
		expect(items).toEqual([{ change: error, action: 'fail', dry_run: true, error, message }]);
	});

	it('refuses a name that an earlier item would give to another tag', async () => {
		addTag(9401, 'Other');
		const rows = ['Brand New', 'brand new'].map((name, at) => ({ name, id: 9400 + at }));
		for (const parameters of [
			createTag('={{ $json.name }}'),
			rename('={{ $json.name }}', '={{ $json.id }}'),
		]) {
			const { items } = await planned(parameters, rows);
			expect(items.map(({ action: what }) => what).sort()).toEqual(
				parameters.operation === 'create' ? ['create', 'fail'] : ['fail', 'update'],
			);
		}
	});

	it('accepts the name of the tag itself, even in two items', async () => {
		const { items } = await planned(rename('={{ $json.name }}'), [
			{ name: 'firststeps' },
			{ name: 'New' },
			{ name: 'NEW' },
		]);
		expect(items.map(({ action: what }) => what)).toEqual(['update', 'update', 'update']);
	});

	it('lists the tags once for all names', async () => {
		await planned(createTag('={{ $json.name }}'), [{ name: 'One' }, { name: 'Two' }]);
		// The next pages are requested ahead.
		expect(asked(sandbox).filter((line) => line === LIST)).toHaveLength(1);
	});

	it('lists no tags if the name stays the same', async () => {
		const same = { name: 'FirstSteps', image: '' };
		await planned(action('tag.update', { tagId: byId('9400'), updateFields: same }));
		expect(asked(sandbox)).toEqual(['GET /api/v1/tags/9400']);
	});

	it('reports a create without a check if the tags cannot be listed', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/tags' });
		const { items } = await planned(createTag('FirstSteps'));
		expect(items).toMatchObject([{ action: 'create' }]);
	});

	it.each<[string, INodeParameters]>([
		['Create', createTag('First Steps!')],
		['Create or Update', action('tag.upsert', { name: 'First Steps!' })],
		['Update', rename('First Steps!', '9401')],
	])('warns that the API may refuse a similar name: %s', async (_, parameters) => {
		addTag(9401, 'Other');
		const { items, hints } = await planned(parameters);
		expect(items).not.toMatchObject([{ action: 'fail' }]);
		expect(hints).toContain(
			"The API may refuse these names, because a tag with a similar name exists: 'First Steps!' (firststeps). To change that tag, enter its name exactly.",
		);
		const { error } = await runNode(sandbox, parameters);
		expect(error?.message).toBe('A tag with the name firststeps exists');
	});

	it('does not warn of a name that is similar to that of the same tag', async () => {
		const { hints } = await planned(rename('First Steps'));
		expect(hints).toEqual(['Dry run: nothing was changed.']);
	});
});

describe('in a batch', () => {
	const msids = () => [...sandbox.community.users.values()].slice(0, 60).map(({ msid }) => msid);

	it('it counts the planned changes', async () => {
		const users = msids();
		const differing = users.filter((msid) => sandbox.community.user(msid).role_id !== 10).length;
		const { items, hints } = await dryRun(updateRole('={{ $json.msid }}', '10'), {
			items: users.map((msid) => ({ msid })),
		});
		expect(items.filter(({ action }) => action === 'update')).toHaveLength(differing);
		expect(differing).toBeGreaterThan(0);
		expect(differing).toBeLessThan(users.length);
		expect(hints).toEqual([
			expect.stringMatching(
				`^Dry run: nothing was changed. ${differing} of ${users.length} would be updated: \\w.* → Member \\d+, .*\\d.$`,
			),
		]);
	});

	it('it also counts planned creates', async () => {
		const { hints } = await dryRun(
			action('tag.upsert', { name: '={{ $json.name }}', additionalFields: { description: 'New' } }),
			{ items: ['firststeps', 'one', 'two'].map((name) => ({ name })) },
		);
		expect(hints).toEqual([
			'Dry run: nothing was changed. 2 of 3 would be created, 1 would be updated.',
		]);
	});

	it.each<[string, INodeParameters, IDataObject[], string[]]>([
		[
			'the role of a member',
			updateRole(ADA, '={{ $json.to }}'),
			[{ to: 5 }, { to: 5 }, { to: 10 }],
			['role: Member → Moderator', 'nothing', 'role: Moderator → Member'],
		],
		[
			'a field of a board',
			ofBoard({ icon: '={{ $json.to }}' }),
			[{ to: 'a' }, { to: 'a' }, { to: 'b' }],
			['icon: lock → a', 'nothing', 'icon: a → b'],
		],
		[
			'a new member',
			action('user.createOrGet', { firstName: 'New', email: '={{ $json.to }}' }),
			[{ to: 'new@x.example' }, { to: 'NEW@x.example' }],
			['first_name, email', 'nothing'],
		],
		[
			'a new tag',
			action('tag.upsert', {
				name: 'Brand New',
				additionalFields: { description: '={{ $json.to }}' },
			}),
			[{ to: 'a' }, { to: 'a' }, { to: 'b' }],
			['name, description', 'nothing', 'description: a → b'],
		],
	])('a later row sees what an earlier one would do: %s', async (_, parameters, items, changes) => {
		const planned = await dryRun(parameters, { items });
		expect(planned.items.map(({ change }) => change)).toEqual(changes);
	});

	it('with Stop, it returns all rows, invalid ones as failed items', async () => {
		const { items, error, hints } = await dryRun(updateRole('={{ $json.msid }}', '5'), {
			items: ['777.gone', ADA, 'x', GRACE].map((msid) => ({ msid })),
		});
		expect(error).toBeUndefined();
		expect(items).toMatchObject([
			{ action: 'fail', change: 'No user has the id 777.gone', dry_run: true },
			{ msid: ADA, action: 'update' },
			{ error: "No member has the username 'x'" },
			{ msid: GRACE, action: 'update' },
		]);
		const [failed] = items;
		expect(failed.error).toBe(failed.change);
		expect(Object.keys(failed)).toEqual([
			...['change', 'action', 'dry_run'],
			...['error', 'message', 'details'],
		]);
		expect(hints).toEqual([
			"2 of 4 items failed. See the column 'error'. First reason: No user has the id 777.gone. Without 'Dry Run', the node would stop there. To skip members who are not found, add the option 'If Not Found'. To process the other items, open Settings and set 'On Error' to 'Continue (using error output)'.",
			'Dry run: nothing was changed. 2 of 4 would be updated: Member → Moderator 2.',
		]);
		expect(asked(sandbox).some((each) => each.startsWith('PATCH'))).toBe(false);
	});

	it('does not advise to process the other items if all items fail', async () => {
		const items = ['777.gone', '778.gone'].map((msid) => ({ msid }));
		const { hints } = await dryRun(updateRole('={{ $json.msid }}', '5'), { items });
		expect(hints).toEqual([
			"2 of 2 items failed. See the column 'error'. First reason: No user has the id 777.gone. Without 'Dry Run', the node would stop there. To skip members who are not found, add the option 'If Not Found'.",
		]);
	});

	it('to the error output, it returns the failure alone', async () => {
		const toRole = { ...updateRole('777.gone', '5'), options: { dryRun: true } };
		const { failed } = await runNode(sandbox, toRole, { onError: 'continueErrorOutput' });
		const details = hasDetailsInErrorOutput ? ['details'] : [];
		expect(Object.keys(failed[0].json)).toEqual(['error', 'message', ...details]);
	});
});

describe('with any input,', () => {
	const texts = fc.constantFrom('', 'For insiders', 'Other');
	const fields = fc.record(
		{
			about: texts,
			icon: texts,
			boardName: fc.constantFrom('Insiders', 'Other'),
			isPrivate: fc.boolean(),
			needsApproval: fc.constantFrom(true, 'false'),
			hiddenType: fc.constantFrom(0, '2', 'All Users'),
			permissionFor: fc.constantFrom(10, '5', 'Only Admins'),
		},
		{ requiredKeys: [], noNullPrototype: true },
	);
	const board = () => ({ ...sandbox.community.boards.get(900) }) as IDataObject;

	it('a dry run reports the changes and refusals of the real execution', async () => {
		await fc.assert(
			fc.asyncProperty(fields, fc.boolean(), async (updateFields, keepOtherFields) => {
				sandbox.reset();
				addKnownRecords(sandbox);
				const before = board();
				const update = action('board.update', {
					boardId: byId('900'),
					keepOtherFields,
					updateFields,
				});
				const shown = await dryRun(update);
				expect(board()).toEqual(before);

				const { error } = await runNode(sandbox, update);

				expect(shown.items.map((item) => item.error)).toEqual([error?.message]);
				const after = board();
				const isOther = (field: string) => (before[field] || null) !== (after[field] || null);
				const [{ changes }] = shown.items;
				expect(changes && Object.keys(changes).sort()).toEqual(
					error ? undefined : Object.keys(after).filter(isOther).sort(),
				);
			}),
			{ numRuns: 12 },
		);
	});
});

function fromNull(to: string): IDataObject {
	return { from: null, to };
}
