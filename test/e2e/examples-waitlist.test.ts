import { importExample } from '../../dev/n8n/examples.mts';
import type { User } from '../../sandbox/records.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { useFixture } from './support/use-fixture.mts';

const SECRET = 'a long random text';
const ADMIN = 1;
const MODERATOR = 5;
const CONTRIBUTOR = 21;

const fixture = useFixture({ members: 120, webhookSecret: SECRET });
const { open } = useActivation(fixture);

/** Runs the example with webhooks set up. */
async function connect() {
	const workflow = await importExample(fixture.client, 'waitlist-approval', fixture.credential);
	fixture.sandbox.webhooks.set([{ url: await open(workflow), secret: SECRET }]);
	return workflow;
}

describe('Give people from known companies a role while they wait', () => {
	const roleOf = ({ msid }: User) => fixture.sandbox.community.user(msid).role_id;

	test("uses the community's record of each member, not the delivery's", async () => {
		const { community, webhooks, requests } = fixture.sandbox;
		const workflow = await connect();
		const { role_id } = community.defaultRole;
		const [stranger, similar, known, branch, partner] = [
			...['eve@elsewhere.example', 'eve@notmembers.example', 'ada@Members.example'],
			...['ada@eu.members.example', 'ada@partners.example'],
		].map((email) => community.addUser({ first_name: 'New', user_status: 4, email }));
		const email = 'eve@members.example';
		const admin = community.addUser({ first_name: 'Ada', email, role_id: ADMIN });

		await webhooks.send('member.joined_waitlist', {
			user: [{ ...stranger, email }, similar, known, branch, partner, { ...admin, user_status: 4 }],
		});

		const [{ status }] = await executionsOf(fixture, workflow, 1);
		expect(status).toBe('success');
		expect([stranger, similar, known, branch, partner, admin].map(roleOf)).toEqual([
			...[role_id, role_id, CONTRIBUTOR, CONTRIBUTOR, CONTRIBUTOR, ADMIN],
		]);
		expect(requests.matching('PATCH')).toHaveLength(3);
	});

	test('does not run for people of other companies', async () => {
		const { community, requests } = fixture.sandbox;
		const workflow = await connect();

		community.waitlist({ email: 'eve@elsewhere.example' });
		await fixture.sandbox.webhooks.settled();
		const known = community.waitlist({ email: 'ada@members.example' });

		await executionsOf(fixture, workflow, 1);
		expect(roleOf(known)).toBe(CONTRIBUTOR);
		expect(requests.matching('PATCH')).toHaveLength(1);
	});

	test.each([
		['it read the member', { method: 'GET', path: '/api/v1/users' }, 'success'],
		['it updated the role', { method: 'PATCH' }, 'error'],
	])(
		'keeps the role of a member who was approved after an execution that failed when %s',
		async (_when, request, outcome) => {
			const { client, sandbox } = fixture;
			const { community, faults, requests } = sandbox;
			const workflow = await connect();
			// A status that is not retried, so that the execution fails immediately.
			faults.add({ kind: 'status', status: 403, message: 'ERR_V1 not allowed', ...request });
			const member = community.waitlist({ email: 'ada@members.example' });
			const [failed] = await executionsOf(fixture, workflow, 1);
			expect(failed.data.resultData.error?.message).toContain('not allowed');

			faults.clear();
			requests.clear();
			community.admit(member.msid);
			community.promote(member.msid, MODERATOR);
			const retried = await client.retryExecution(failed.id);

			expect(retried).toMatchObject({ status: outcome, retryOf: failed.id });
			expect(requests.matching('PATCH')).toEqual([]);
			expect(roleOf(member)).toBe(MODERATOR);
		},
	);

	test('stops and asks for a role if no role has the name', async () => {
		const { community, requests } = fixture.sandbox;
		const workflow = await connect();
		community.roles.get(CONTRIBUTOR)!.role_name = 'Writer';

		const { msid } = community.waitlist({ email: 'ada@members.example' });

		const [{ data }] = await executionsOf(fixture, workflow, 1);
		expect(data.resultData.lastNodeExecuted).toBe('Role Not Given');
		expect(data.resultData.error?.message).toMatch(new RegExp(`not given to ${msid}: .*role`, 'i'));
		expect(requests.matching('PATCH')).toEqual([]);
	});
});
