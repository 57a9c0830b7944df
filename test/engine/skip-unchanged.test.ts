import type { INodeParameters } from 'n8n-workflow';
import { canCompare } from '../../nodes/CommunityPlatform/actions/operation.ts';
import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { asked, byId, quiet, useSandbox } from '../support/community.mts';
import { ADA, addKnownRecords, STILL } from '../support/known-records.mts';
import { action, updateRole } from '../support/operations.mts';
import type { RunOptions } from '../support/engine.mts';
import { wireCases } from '../support/wire/cases.mts';
import { runWithOption } from '../support/with-option.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

const comparing = resources.flatMap(({ value, operations }) =>
	operations.filter(canCompare).map((operation) => `${value}.${operation.value}`),
);

const skipUnchanged = async (parameters: INodeParameters, runOptions?: RunOptions) =>
	await runWithOption(sandbox, 'skipUnchanged', parameters, runOptions);

function writes(): string[] {
	return asked(sandbox).filter((each) => !each.startsWith('GET '));
}

describe('idempotency, because a second execution sends no change:', () => {
	// Fields that the API does not return cannot be compared.
	const isHidden = ({ operation }: { operation: string }) => operation === 'user.update';
	const cases = wireCases.filter((wire) => comparing.includes(wire.operation) && !isHidden(wire));

	it('every operation that compares has a case', () => {
		expect(new Set([...cases.map(({ operation }) => operation), 'user.update'])).toEqual(
			new Set(comparing),
		);
	});

	it.each(cases)('$operation $title', async ({ operation, arrange, parameters, item = {} }) => {
		arrange?.(sandbox);
		const again = async () => await skipUnchanged(action(operation, parameters), { items: [item] });
		const first = await again();
		const written = writes().length;
		const second = await again();
		expect(first.error).toBeUndefined();
		expect(first.items).toMatchObject([{ changed: written > 0 }]);
		expect(second.items).toMatchObject([{ changed: false }]);
		expect(writes()).toHaveLength(written);
		expect(second.hints).toContain('The record is already up to date, so nothing was sent.');
	});
});

it('an update sends hidden fields, because they cannot be compared', async () => {
	const { items } = await skipUnchanged(
		action('user.update', {
			userId: byId(ADA),
			hiddenFields: 'clear',
			updateFields: { firstName: 'Ada', lastName: 'Lovelace' },
		}),
	);
	expect(items).toMatchObject([{ first_name: 'Ada', changed: true }]);
	expect(writes()).toEqual([`PUT /api/v1/users/${ADA}`]);
});

it.each([
	['#FirstSteps', false],
	['firststeps', true],
	['First Steps', true],
])('a tag is renamed from FirstSteps to %s: %s', async (name, isRenamed) => {
	const { items } = await skipUnchanged(
		action('tag.update', { tagId: byId('9400'), updateFields: { name } }),
	);
	expect(items).toMatchObject([{ changed: isRenamed }]);
	expect(writes()).toHaveLength(isRenamed ? 1 : 0);
});

describe('Create or Update', () => {
	const upsert = action('tag.upsert', { name: 'Getting Started!' });

	it('sends nothing for a tag whose stored name was derived from the entered name', async () => {
		await skipUnchanged(upsert);
		const written = writes().length;
		const { items } = await skipUnchanged(upsert);
		expect(items).toMatchObject([{ display_name: upsert.name, created: false, changed: false }]);
		expect(writes()).toHaveLength(written);
	});

	it.each(['HowTo', upsert.name])(
		'reports "changed" for "%s" after a lost answer',
		async (name) => {
			sandbox.faults.add({ kind: 'cut', method: 'POST', applied: true, times: 1 });
			const { items, hints } = await skipUnchanged({ ...upsert, name });
			expect(items).toMatchObject([{ display_name: name, created: true, changed: true }]);
			expect(hints.join()).not.toMatch(/needed no change|up to date/);
		},
	);
});

describe('Update Role', () => {
	const members = (count: number) => {
		const { users } = sandbox.community;
		return [...users.values()].slice(0, count).map(({ msid }) => ({ msid }));
	};
	const promote = async (items: Array<{ msid: string }>, roleId = '5', options = {}) =>
		await skipUnchanged(
			{ ...updateRole('={{ $json.msid }}', roleId), options: { maxRequestsAtOnce: 1 } },
			{ items, ...options },
		);

	it('returns the replaced role', async () => {
		const { items } = await promote([{ msid: ADA }]);
		expect(items).toEqual([
			{
				message: 'OK',
				msid: ADA,
				username: 'ada',
				role_id: 5,
				success: true,
				role_name: 'Moderator',
				previous_role_id: 10,
				previous_role_name: 'Member',
				changed: true,
			},
		]);
		expect(sandbox.community.user(ADA).role_id).toBe(5);
	});

	it('reports that a member already has the role', async () => {
		const { items } = await promote([{ msid: ADA }], '10');
		expect(items).toEqual([
			{
				msid: ADA,
				username: 'ada',
				role_id: 10,
				success: true,
				role_name: 'Member',
				previous_role_id: 10,
				previous_role_name: 'Member',
				changed: false,
			},
		]);
		expect(asked(sandbox)).toEqual([
			'GET /api/v1/roles?page=1&page_size=50',
			`GET /api/v1/users/${ADA}`,
		]);
	});

	it('detects the role that a previous item set', async () => {
		const { items, hints } = await skipUnchanged(updateRole(ADA, '={{ $json.role }}'), {
			items: ['5', '10', '10', '5'].map((role) => ({ role })),
		});
		expect(items).toMatchObject([
			{ previous_role_id: 10, changed: true },
			{ previous_role_id: 5, changed: true },
			{ previous_role_id: 10, changed: false },
			{ previous_role_id: 10, changed: true },
		]);
		expect(hints).toEqual([
			'3 changed: Member → Moderator 2, Moderator → Member 1. 1 needed no change.',
			'Several items give the same member different roles, and the last one counts: ada. To undo changes, keep only the first row of each member.',
		]);
	});

	it('continues an interrupted batch', async () => {
		const items = members(20);
		const setRoles = async (options: RunOptions = {}) => await promote(items, '22', options);
		// One request at a time, so that none is on its way when the execution is stopped.
		const onStart = (run: () => void) =>
			sandbox.faults.add({ kind: 'call', method: 'PATCH', after: 6, times: 1, run });
		await setRoles({ onStart });
		await quiet(sandbox);
		expect(writes()).toHaveLength(7);
		const { items: rest } = await setRoles();
		expect(items.every(({ msid }) => sandbox.community.user(msid).role_id === 22)).toBe(true);
		expect(rest).toHaveLength(20);
		expect(rest.filter(({ changed }) => changed)).toHaveLength(writes().length - 7);
	});
});
