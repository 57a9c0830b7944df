import type { IDataObject } from 'n8n-workflow';
import { userDetailWithEmail } from '../../nodes/shared/records/types.ts';
import type { User } from '../../sandbox/records.mts';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { Poller } from '../support/poller.mts';

const [MEMBER, MODERATOR, BANNED] = [21, 5, -3];

const sandbox = useSandbox({ members: 100 });
withoutBackoff();

async function started(includeDetails = false): Promise<Poller> {
	const poller = new Poller(sandbox, { triggerOn: 'memberChanged', options: { includeDetails } });
	expect(await poller.poll()).toEqual([]);
	sandbox.requests.clear();
	return poller;
}

const join = (first_name: string, record: Partial<User> = {}) =>
	sandbox.community.addUser({ role_id: MEMBER, first_name, ...record });
const nameOf = (role: number) => sandbox.community.roleName(role);
const reads = () => asked(sandbox).filter((url) => /users\/\d/.test(url));
const long = 'Maximiliana '.repeat(4).trim();

describe('the summary of a change', () => {
	it.each<[Partial<User>, () => string]>([
		[{ role_id: MODERATOR }, () => `role: ${nameOf(MEMBER)} → ${nameOf(MODERATOR)}`],
		[{ user_status: BANNED }, () => 'status: ACTIVE → BANNED'],
		[{ username: 'new' }, () => 'username: old → new'],
		[{ first_name: ' Grace\nHopper ' }, () => 'name: Ada → Grace Hopper'],
		[{ first_name: long }, () => 'name'],
		[
			{ user_status: BANNED, username: 'new' },
			() => 'status: ACTIVE → BANNED, username: old → new',
		],
	])('of %j', async (change, words) => {
		const { user_id } = join('Ada', { username: 'old' });
		const poller = await started();
		sandbox.community.changeUser(user_id, change);
		expect(await poller.poll()).toMatchObject([{ change: words() }]);
	});

	it('contains the IDs of roles whose names cannot be listed', async () => {
		const { user_id } = join('Ada');
		const poller = await started();
		sandbox.community.promote(user_id, MODERATOR);
		sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/roles' });
		expect(await poller.poll()).toMatchObject([{ change: 'role: 21 → 5' }]);
	});
});

describe('Include Details', () => {
	it('reads changed members who have not left, so that the items have the email address', async () => {
		const [ada, bob] = [join('Ada', { email: 'ada@example.com' }), join('Bob')];
		const poller = await started(true);
		sandbox.community.promote(ada.user_id, MODERATOR);
		sandbox.community.removeUser(bob.user_id);
		const items = await poller.poll();
		expect(items).toMatchObject([
			{ msid: ada.msid, email: 'ada@example.com', post_count: 0, role_id: MODERATOR },
			{ msid: bob.msid, email: null, first_name: 'Bob', change: 'left', role_id: null },
		]);
		// The change is the first column, so that people see it without scrolling.
		const ofMember = [...(userDetailWithEmail.simplified ?? []), 'role_name'];
		for (const item of items) {
			expect(Object.keys(item)).toEqual(['change', ...ofMember, 'changed', 'previous']);
		}
		// Bob is read to check whether he has left.
		expect(reads().sort()).toEqual(
			[ada, bob].map(({ msid }) => `GET /api/v1/users/${msid}`).sort(),
		);
		expect(await poller.poll()).toEqual([]);
	});

	it.each([
		{ kind: 'status', status: 403 },
		{ kind: 'status', status: 500 },
		{ kind: 'status', status: 404 },
		{ kind: 'html', status: 404 },
	] as const)('returns a member who cannot be read (%j) as listed', async (fault) => {
		const members = ['Ada', 'Bob', 'Cid'].map((name) =>
			join(name, { email: `${name}@example.com` }),
		);
		const poller = await started(true);
		for (const { user_id } of members) sandbox.community.promote(user_id, MODERATOR);
		sandbox.faults.add({ ...fault, path: `/api/v1/users/${members[1].msid}` });
		logged.length = 0;
		const items = await poller.poll();
		expect(items.map(({ first_name, email }) => [first_name, email])).toEqual([
			['Ada', 'Ada@example.com'],
			['Bob', null],
			['Cid', 'Cid@example.com'],
		]);
		expect(items[1]).toMatchObject({ role_id: MODERATOR, user_status_name: 'ACTIVE' });
		const isLogged = logged.join().includes('1 changed members could not be read');
		expect(isLogged).toBe(fault.kind === 'html' || fault.status !== 404);
		sandbox.faults.clear();
		expect(await poller.poll()).toEqual([]);
	});

	it('returns the compared values, even for a member who changes before the details are read', async () => {
		const { user_id, msid } = join('Ada');
		const poller = await started(true);
		sandbox.community.promote(user_id, MODERATOR);
		const run = () =>
			void sandbox.community.changeUser(user_id, { role_id: 22, user_status: -100 });
		sandbox.faults.add({ kind: 'call', run, path: '/api/v1/roles', times: 1 });
		expect(await poller.poll()).toMatchObject([
			{ msid, role_id: MODERATOR, user_status_name: 'ACTIVE', changed: ['role'] },
		]);
		expect(await poller.poll()).toMatchObject([{ msid, change: 'left' }]);
	});

	it('returns all changes if the time limit of the poll is over', async () => {
		const members = ['Ada', 'Bob'].map((name) => join(name, { email: `${name}@example.com` }));
		const poller = await started(true);
		for (const { user_id } of members) sandbox.community.promote(user_id, MODERATOR);
		sandbox.faults.add({ kind: 'hang', path: `/api/v1/users/${members[1].msid}` });
		poller.budgetMs = 3000;
		const items: IDataObject[] = await poller.poll();
		expect(items.map(({ email }) => email)).toEqual(['Ada@example.com', null]);
		poller.budgetMs = undefined;
		sandbox.faults.clear();
		expect(await poller.poll()).toEqual([]);
	});

	it('is in the example of a manual test', async () => {
		sandbox.community.join({ first_name: 'Ada', email: 'ada@example.com' });
		const parameters = { triggerOn: 'memberChanged', options: { includeDetails: true } };
		expect(await new Poller(sandbox, parameters).test()).toMatchObject([
			{ email: 'ada@example.com', change: expect.stringMatching(/^example: .*role: /) as string },
		]);
	});
});
