import { importExample } from '../../dev/n8n/examples.mts';
import { dueForPromotion } from '../../dev/n8n/promotion.mts';
import type { User } from '../../sandbox/records.mts';
import { runByHand, runToEnd } from './support/by-hand.mts';
import { useStage } from './support/use-stage.mts';

const CHAMPION = 22;

const scenery = useStage({ members: 120 });

describe('Promote active members', () => {
	const promotion = async () =>
		await importExample(scenery.client, 'promote-active-members', scenery.credential);
	const isPromoted = ({ role_id }: User) => role_id === CHAMPION;

	test('gives the role once to exactly those who qualify and do not leave in the meantime', async () => {
		const { community, requests, faults } = scenery.sandbox;
		const [unread, left, ungiven, ...others] = dueForPromotion(community);
		const expected = [...community.users.values()].map(({ msid, role_id }) => ({
			msid,
			role_id: others.some((due) => due.msid === msid) ? CHAMPION : role_id,
		}));
		const leaving = (method: string, { msid }: User, leave: () => void) =>
			faults.add({ kind: 'call', method, path: `/api/v1/users/${msid}`, times: 1, run: leave });
		leaving('GET', unread, () => community.removeUser(unread.msid));
		leaving('GET', left, () => community.changeUser(left.msid, { user_status: -100 }));
		leaving('PATCH', ungiven, () => community.removeUser(ungiven.msid));
		const workflow = await promotion();

		await runToEnd(scenery, workflow);
		await runToEnd(scenery, workflow);

		const gone = [unread, ungiven].map(({ msid }) => msid);
		const roles = [...community.users.values()].map(({ msid, role_id }) => ({ msid, role_id }));
		expect(roles).toEqual(expected.filter(({ msid }) => !gone.includes(msid)));
		expect(others.length).toBeGreaterThan(1);
		const sent = requests.matching('PATCH', '/api/v1/users/').map(({ path }) => path);
		expect(sent.toSorted()).toEqual([...new Set(sent)].toSorted());
	});

	test.each(['GET', 'PATCH'])(
		'promotes the others and reports a member who was not promoted because a %s failed',
		async (method) => {
			const { community, faults } = scenery.sandbox;
			const [unlucky, ...others] = dueForPromotion(community);
			const path = `/api/v1/users/${unlucky.msid}`;
			faults.add({ kind: 'status', status: 403, message: 'closed', method, path });

			const { status, data } = await runByHand(scenery, await promotion());

			expect(status).toBe('error');
			expect(data.resultData.lastNodeExecuted).toBe('Not Everybody');
			expect(data.resultData.error?.message).toContain(`${unlucky.msid}: Closed`);
			expect(others.every(isPromoted)).toBe(true);
			expect(isPromoted(unlucky)).toBe(false);
		},
	);
});
