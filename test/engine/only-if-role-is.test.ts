import type { INodeParameters } from 'n8n-workflow';
import { byId } from '../support/community.mts';
import { useMembers } from '../support/named-members.mts';
import { action } from '../support/operations.mts';

const { sandbox, run, active, change, writes } = useMembers({ members: 30 });

const [, MODERATOR, MEMBER, CHAMPION] = [1, 5, 10, 22];

describe('Update Role → Only If Role Is', () => {
	const toChampion = (options: INodeParameters) =>
		action('user.updateRole', {
			userId: byId('={{ $json.msid }}'),
			roleId: byId(CHAMPION),
			options: { onlyFrom: [String(MEMBER)], ...options },
		});
	/** A member and a moderator. */
	const two = () => {
		const [one, other] = active();
		change(one, { role_id: MEMBER });
		change(other, { role_id: MODERATOR });
		return [one, other].map(({ msid, username }) => ({ msid, username }));
	};

	it.each<[string, unknown]>([
		['IDs', [String(MEMBER)]],
		['a name and an ID in a text', `Member, ${CHAMPION}`],
		['names from an expression', '={{ ["Member"] }}'],
	])('changes only members with one of the roles, set by %s', async (_, onlyFrom) => {
		const [one, other] = two();
		const { items, hints } = await run(toChampion({ onlyFrom: onlyFrom as never }), [one, other]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				msid: one.msid,
				role_id: CHAMPION,
				previous_role_id: MEMBER,
				changed: true,
				skipped_by: null,
			},
			{
				msid: other.msid,
				username: other.username,
				role_id: MODERATOR,
				previous_role_id: MODERATOR,
				previous_role_name: 'Moderator',
				changed: false,
				skipped_by: 'onlyFrom',
			},
		]);
		expect(writes()).toEqual([`PATCH /api/v1/users/${one.msid}`]);
		// A table that logs them needs the same columns for each.
		expect(new Set(items.map(({ json }) => Object.keys(json).join())).size).toBe(1);
		expect(hints).toEqual([
			'1 changed: Member → Champion 1.',
			`1 member keeps their role, because 'Only If Role Is' does not include it: ${other.username} stays Moderator.`,
		]);
	});

	it('plans no change for members with other roles in a dry run', async () => {
		const [one, other] = two();
		const { items } = await run(toChampion({ dryRun: true }), [one, other]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ action: 'update', change: 'role: Member → Champion', skipped_by: null },
			{ action: 'none', change: 'nothing', skipped_by: 'onlyFrom', dry_run: true },
		]);
		expect(writes()).toEqual([]);
	});

	it.each([{}, { dryRun: true }])(
		'counts a member who already has the role as unchanged: %j',
		async (more) => {
			const [{ msid }] = two();
			change(sandbox.community.user(msid), { role_id: CHAMPION });
			const { items, hints } = await run(toChampion(more), [{ msid }]);
			const expected =
				'dryRun' in more ? { action: 'none' } : { role_id: CHAMPION, changed: false };
			expect(items[0].json).toMatchObject({ msid, ...expected });
			expect(items[0].json.skipped_by).toBeNull();
			expect([writes(), hints.join()]).toEqual([
				[],
				expect.not.stringContaining('Only If Role Is'),
			]);
		},
	);

	it("fails if the API hides the member's role", async () => {
		const [{ msid }] = two();
		const text = JSON.stringify({ msid, username: 'ada' });
		sandbox.faults.add({ kind: 'text', path: `/api/v1/users/${msid}`, text });
		const { error } = await run(toChampion({}), [{ msid }]);
		expect(error?.message).toBe('The owner of the API key cannot see the role of this member');
		expect(writes()).toEqual([]);
	});

	it.each([[], '', '={{ $json.nope }}'])(
		'refuses a filter without a role: %j',
		async (onlyFrom) => {
			const { error } = await run(toChampion({ onlyFrom: onlyFrom as never }), [two()[0]]);
			expect(error?.message).toMatch(
				/^The parameter 'Only If Role Is' (contains no role|is empty)/,
			);
			expect(writes()).toEqual([]);
		},
	);
});
