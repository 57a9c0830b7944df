import { importExample } from '../../dev/n8n/examples.mts';
import { dueForPromotion } from '../../dev/n8n/promotion.mts';
import type { User } from '../../sandbox/records.mts';
import { runByHand, runToEnd } from './support/by-hand.mts';
import { deleteTable, importCsv, rowsOf } from './support/data-tables.mts';
import { useFixture } from './support/use-fixture.mts';

const [ADMIN, MEMBER, CHAMPION] = [1, 10, 22];

const fixture = useFixture({ members: 120 });

describe('Promote active members', () => {
	const promotion = async () =>
		await importExample(fixture.client, 'promote-active-members', fixture.credential);
	const isPromoted = ({ role_id }: User) => role_id === CHAMPION;

	test('gives the role once to exactly those who qualify and do not leave in the meantime', async () => {
		const { community, requests, faults } = fixture.sandbox;
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

		await runToEnd(fixture, workflow);
		await runToEnd(fixture, workflow);

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
			const { community, faults } = fixture.sandbox;
			const [unlucky, ...others] = dueForPromotion(community);
			const path = `/api/v1/users/${unlucky.msid}`;
			faults.add({ kind: 'status', status: 403, message: 'closed', method, path });

			const { status, data } = await runByHand(fixture, await promotion());

			expect(status).toBe('error');
			expect(data.resultData.lastNodeExecuted).toBe('Not Everybody');
			expect(data.resultData.error?.message).toContain(`${unlucky.msid}: Closed`);
			expect(others.every(isPromoted)).toBe(true);
			expect(isPromoted(unlucky)).toBe(false);
		},
	);
});

test('“Give the people in a table a role” writes into each row what would change, then what has changed', async () => {
	const { client, credential, sandbox } = fixture;
	const table = 'roles to give';
	await deleteTable(client, table);
	const members = [ADMIN, MEMBER].map((role_id) => {
		const email = `role${role_id}@table.example`;
		return sandbox.community.addUser({ first_name: 'Ada', email, role_id });
	});
	const results = async (dryRun = true) => {
		const name = 'roles-from-a-table';
		const workflow = await importExample(client, name, credential, (node) => {
			if (node.name === 'Give the Role') Object.assign(node.parameters.options!, { dryRun });
			return node;
		});
		await runToEnd(fixture, workflow);
		return (await rowsOf(client, table))!.map(({ result }) => result);
	};
	expect(await results()).toEqual([]);
	const emails = ['Role1@table.example', 'role10@table.example', 'eve@table.example'];
	await importCsv(client, table, `email,role\n${emails.join(',champion\n')},champion\n`);

	const unknown = expect.stringMatching(
		/^No member has the email address 'eve@table\.example'\. Check the spelling in 'Member'/,
	) as string;
	const planned = ['Dry run: nothing', 'Dry run: role: Member → Champion', unknown];
	expect(await results()).toEqual(planned);
	expect(members.map(({ role_id }) => role_id)).toEqual([ADMIN, MEMBER]);
	expect(await results(false)).toEqual(['Still Admin', 'Member → Champion', unknown]);
	expect(members.map(({ role_id }) => role_id)).toEqual([ADMIN, CHAMPION]);
});
