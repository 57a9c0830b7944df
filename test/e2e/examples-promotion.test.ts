import { importExample } from '../../dev/n8n/examples.mts';
import {
	differences,
	membersAfterPromotion,
	membersNow,
	roleChanges,
} from '../../dev/n8n/promotion.mts';
import type { User } from '../../sandbox/records.mts';
import { runByHand, runToEnd } from './support/by-hand.mts';
import { useStage } from './support/use-stage.mts';

const CHAMPION = 22;

const scenery = useStage({ members: 120 });

describe('Promote active members', () => {
	test('gives the role to exactly those who are due, once', async () => {
		const { client, credential, sandbox } = scenery;
		const before = membersNow(sandbox.community);
		const workflow = await importExample(client, 'promote-active-members', credential);

		await runToEnd(scenery, workflow);

		const expected = membersAfterPromotion(sandbox.community, before);
		expect(differences(expected, membersNow(sandbox.community))).toEqual([]);
		const updates = sandbox.requests.matching('PATCH', '/api/v1/users/').length;
		expect(updates).toBeGreaterThan(0);

		await runToEnd(scenery, workflow);
		expect(sandbox.requests.matching('PATCH', '/api/v1/users/')).toHaveLength(updates);
	});

	test('leaves out who leaves while it runs, and promotes the others', async () => {
		const { client, credential, sandbox } = scenery;
		const { community, faults } = sandbox;
		const [unread, left, ungiven, ...others] = due();
		const leaving = (method: string, { msid }: User, leave: () => void) =>
			faults.add({ kind: 'call', method, path: `/api/v1/users/${msid}`, times: 1, run: leave });
		leaving('GET', unread, () => community.removeUser(unread.msid));
		leaving('GET', left, () => community.changeUser(left.msid, { user_status: -100 }));
		leaving('PATCH', ungiven, () => community.removeUser(ungiven.msid));
		const { role_id } = left;
		const workflow = await importExample(client, 'promote-active-members', credential);

		await runToEnd(scenery, workflow);

		expect(others.length).toBeGreaterThan(1);
		expect(others.filter((member) => member.role_id !== CHAMPION)).toEqual([]);
		expect(left.role_id).toBe(role_id);
		expect([...community.users.values()]).not.toContain(unread);
		expect([...community.users.values()]).not.toContain(ungiven);
	});

	test.each(['GET', 'PATCH'])(
		'says so when a member was not promoted because a %s failed, after promoting the others',
		async (method) => {
			const { client, credential, sandbox } = scenery;
			const [unlucky, ...others] = due();
			const path = `/api/v1/users/${unlucky.msid}`;
			sandbox.faults.add({ kind: 'status', status: 403, message: 'closed', method, path });
			const workflow = await importExample(client, 'promote-active-members', credential);

			const { status, data } = await runByHand(scenery, workflow);

			expect(status).toBe('error');
			expect(data.resultData.lastNodeExecuted).toBe('Not Everybody');
			expect(data.resultData.error?.message).toContain(`${unlucky.msid}: Closed`);
			expect(others.filter((member) => member.role_id !== CHAMPION)).toEqual([]);
			expect(unlucky.role_id).not.toBe(CHAMPION);
		},
	);

	test('asks for a role if none has the name, once a member is due', async () => {
		const { client, credential, sandbox } = scenery;
		const { community, requests } = sandbox;
		const members = due();
		community.roles.get(CHAMPION)!.role_name = 'Hero';
		const workflow = await importExample(client, 'promote-active-members', credential);

		const { data } = await runByHand(scenery, workflow);
		expect(data.resultData.lastNodeExecuted).toBe('Not Everybody');
		expect(data.resultData.error?.message).toMatch(/"Role"/);

		for (const { msid } of [...members, ...champions()]) {
			community.changeUser(msid, { post_count: 0 });
		}
		await runToEnd(scenery, workflow);
		expect(requests.matching('PATCH')).toEqual([]);
	});

	const champions = () =>
		[...scenery.sandbox.community.users.values()].filter(({ role_id }) => role_id === CHAMPION);

	/** Those whom a run would promote: the records of the community, which change with it. */
	function due(): User[] {
		const { community } = scenery.sandbox;
		const before = membersNow(community);
		const after = membersAfterPromotion(community, before);
		return roleChanges(community, before, after).map(({ member }) => community.user(member.msid));
	}
});
