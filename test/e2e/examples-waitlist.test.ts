import { importExample } from '../../dev/n8n/examples.mts';
import type { User } from '../../sandbox/records.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';
const ADMIN = 1;
const MODERATOR = 5;
const CONTRIBUTOR = 21;

const scenery = useStage({ members: 120, webhookSecret: SECRET });
const { open } = useActivation(scenery);

/** Runs the example with webhooks told. */
async function connect() {
	const workflow = await importExample(scenery.client, 'waitlist-approval', scenery.credential);
	scenery.sandbox.webhooks.set([{ url: await open(workflow), secret: SECRET }]);
	return workflow;
}

describe('Wait-list: role for known companies', () => {
	const roleOf = ({ msid }: User) => scenery.sandbox.community.user(msid).role_id;

	test('gives the role to members from known companies only', async () => {
		const { community, requests } = scenery.sandbox;
		const workflow = await connect();
		const { role_id } = community.defaultRole;

		const known = community.waitlist({ email: 'ada@Members.example' });
		const strangers = [
			community.waitlist({ email: 'eve@elsewhere.example' }),
			community.waitlist({ email: 'eve@notmembers.example' }),
		];
		const executions = await executionsOf(scenery, workflow, 3);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		expect(roleOf(known)).toBe(CONTRIBUTOR);
		expect(strangers.map(roleOf)).toEqual([role_id, role_id]);
		expect(requests.matching('PATCH').map(({ path }) => path)).toEqual([
			`/api/v1/users/${known.msid}`,
		]);
	});

	test('tells the members of one event apart', async () => {
		const { community, webhooks } = scenery.sandbox;
		const workflow = await connect();
		const emails = ['eve@elsewhere.example', 'ada@members.example', 'grace@partners.example'];
		const user = emails.map((email) => waiting({ email }));

		await webhooks.send('member.joined_waitlist', { user });

		const [{ status }] = await executionsOf(scenery, workflow, 1);
		expect(status).toBe('success');
		const { role_id } = community.defaultRole;
		expect(user.map(roleOf)).toEqual([role_id, CONTRIBUTOR, CONTRIBUTOR]);
	});

	test('goes by the address that the community knows, whatever a delivery claims', async () => {
		const { sandbox } = scenery;
		const workflow = await connect();
		const stranger = waiting({ email: 'eve@elsewhere.example' });

		await sandbox.webhooks.send('member.joined_waitlist', {
			user: [{ ...stranger, email: 'eve@members.example' }],
		});

		await executionsOf(scenery, workflow, 1);
		expect(sandbox.requests.matching('PATCH')).toEqual([]);
	});

	test('leaves a member alone who is not on the wait-list, whatever a delivery claims', async () => {
		const { community, webhooks, requests } = scenery.sandbox;
		const workflow = await connect();
		const email = 'ada@members.example';
		const admin = community.addUser({ first_name: 'Ada', email, role_id: ADMIN });

		await webhooks.send('member.joined_waitlist', { user: [{ ...admin, user_status: 4 }] });

		const [{ status }] = await executionsOf(scenery, workflow, 1);
		expect(status).toBe('success');
		expect(requests.matching('PATCH')).toEqual([]);
		expect(roleOf(admin)).toBe(ADMIN);
	});

	test.each([
		[
			'the member was to be read',
			{ method: 'GET', path: '/api/v1/users', after: 1 },
			'Read Each Member',
			'success',
		],
		['the role was to be given', { method: 'PATCH' }, 'Role Not Given', 'error'],
	])(
		'takes no role from a member who was let in after a run that failed when %s',
		async (_when, request, stoppedAt, outcome) => {
			const { client, sandbox } = scenery;
			const { community, faults, requests } = sandbox;
			const workflow = await connect();
			// Not worth another try, so that the run fails at once.
			faults.add({ kind: 'status', status: 403, message: 'ERR_V1 not allowed', ...request });
			const member = community.waitlist({ email: 'ada@members.example' });
			const [failed] = await executionsOf(scenery, workflow, 1);
			expect(failed.status).toBe('error');
			expect(failed.data.resultData.lastNodeExecuted).toBe(stoppedAt);
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

	test('a run that failed before the role was given can be retried', async () => {
		const { client, sandbox } = scenery;
		const workflow = await connect();
		// The first one is the trigger's, which confirms the member.
		sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/users', after: 1 });
		const member = sandbox.community.waitlist({ email: 'ada@members.example' });
		const [failed] = await executionsOf(scenery, workflow, 1);

		sandbox.faults.clear();
		const retried = await client.retryExecution(failed.id);

		expect(retried.status).toBe('success');
		expect(roleOf(member)).toBe(CONTRIBUTOR);
	});

	test('stops and asks for a role when none has the name', async () => {
		const { community, requests } = scenery.sandbox;
		const workflow = await connect();
		community.roles.get(CONTRIBUTOR)!.role_name = 'Writer';

		const { msid } = community.waitlist({ email: 'ada@members.example' });

		const [{ data }] = await executionsOf(scenery, workflow, 1);
		expect(data.resultData.lastNodeExecuted).toBe('Role Not Given');
		expect(data.resultData.error?.message).toMatch(new RegExp(`not given to ${msid}: .*role`, 'i'));
		expect(requests.matching('PATCH')).toEqual([]);
	});

	function waiting(profile: Partial<User>): User {
		return scenery.sandbox.community.addUser({ first_name: 'New', user_status: 4, ...profile });
	}
});
