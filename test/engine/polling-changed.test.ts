import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { User } from '../../sandbox/records.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { answerWith, bendAnswers, type BentSandbox } from '../support/bending.mts';
import { asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { Poller } from '../support/poller.mts';
import { serveMembers } from '../support/servers.mts';

const MEMBER = 21;
const MODERATOR = 5;
const [ACTIVE, WAITLIST, INACTIVE, BANNED, DELETED] = [10, 4, 0, -3, -100];

const sandbox = useSandbox({ members: 65, largestPage: 20 });
withoutBackoff();

const changed = (parameters: INodeParameters = {}) =>
	new Poller(sandbox, { triggerOn: 'memberChanged', ...parameters });

async function started(parameters?: INodeParameters): Promise<Poller> {
	const poller = changed(parameters);
	expect(await poller.poll()).toEqual([]);
	return poller;
}

/** An active member in the middle of the list, which has several pages. */
const someone = (at = 30): User => sandbox.community.members(ACTIVE, 'user_id', 'asc')[at];
const nameOf = (role: number) => sandbox.community.roleName(role);
const idsOf = (items: IDataObject[]) => items.map(({ msid }) => msid);

describe('Member Changed', () => {
	it.each<[string, Partial<User>, () => IDataObject]>([
		['role', { role_id: MODERATOR }, () => ({ role_id: MEMBER, role_name: nameOf(MEMBER) })],
		['status', { user_status: BANNED }, () => ({ user_status: 10, user_status_name: 'ACTIVE' })],
		['status', { user_status: INACTIVE }, () => ({ user_status: 10, user_status_name: 'ACTIVE' })],
		['username', { username: 'new_name' }, () => ({ username: 'old_name' })],
		['name', { first_name: 'Grace' }, () => ({ first_name: 'Ada' })],
	])(
		'returns a member whose %s changed to %j, with the previous value',
		async (word, change, previous) => {
			const member = sandbox.community.addUser({
				first_name: 'Ada',
				username: 'old_name',
				role_id: MEMBER,
			});
			const poller = await started();
			sandbox.community.changeUser(member.user_id, change);
			const { msid, user_id, first_name, username, role_id, user_status } = member;
			const role_name = nameOf(role_id);
			const now = { msid, user_id, first_name, username, role_id, role_name, user_status };
			expect(await poller.poll()).toEqual([
				expect.objectContaining({ ...now, changed: [word], previous: previous() }),
			]);
			expect(await poller.poll()).toEqual([]);
		},
	);

	it('returns one item for several changes of a member', async () => {
		const poller = await started();
		const { user_id, role_id, first_name } = someone();
		sandbox.community.changeUser(user_id, {
			user_status: BANNED,
			role_id: MODERATOR,
			first_name: 'Eve',
		});
		const [item, ...others] = await poller.poll();
		expect(others).toEqual([]);
		expect([...(item.changed as string[])].sort()).toEqual(['name', 'role', 'status']);
		expect(item.previous).toEqual({
			role_id,
			role_name: nameOf(role_id),
			first_name,
			user_status: 10,
			user_status_name: 'ACTIVE',
		});
	});

	it('returns a member who was approved, but no new ones', async () => {
		const { user_id, msid } = sandbox.community.waitlist({ first_name: 'Ada' });
		const poller = await started();
		sandbox.community.admit(user_id);
		sandbox.community.join({ first_name: 'Bob' });
		expect(await poller.poll()).toMatchObject([
			{ msid, user_status_name: 'ACTIVE', previous: { user_status: WAITLIST } },
		]);
		expect(await poller.poll()).toEqual([]);
	});

	it('requests each page and reads the snapshot once, and saves nothing if nothing has changed', async () => {
		const poller = await started();
		const before = poller.staticData;
		sandbox.requests.clear();
		const split = jest.spyOn(String.prototype, 'split');
		expect(await poller.poll()).toEqual([]);
		const snapshots = split.mock.contexts.filter((text) => /\t.*\n/.test(String(text)));
		split.mockRestore();
		expect(snapshots).toHaveLength(1);
		expect(poller.staticData).toBe(before);
		const pages = [10, 6, 5, 4, 0, -3].map((status) =>
			Math.ceil(sandbox.community.members(status, 'user_id', 'asc').length / 20),
		);
		const all = pages.reduce((sum, each) => sum + each);
		expect(pages[0]).toBeGreaterThanOrEqual(3);
		// Requesting pages ahead can overshoot the last page.
		expect(asked(sandbox).length).toBeGreaterThanOrEqual(all);
		expect(asked(sandbox).length).toBeLessThanOrEqual(all + 3);
	});

	it('returns only the selected changes, and remembers the others', async () => {
		const poller = await started({ changes: 'role' });
		const [one, other] = [someone(5), someone(35)];
		sandbox.community.changeUser(one.user_id, { user_status: BANNED });
		sandbox.community.changeUser(other.user_id, { role_id: MODERATOR, first_name: 'Eve' });
		const items = await poller.poll();
		expect(items).toMatchObject([{ msid: other.msid, changed: ['role'] }]);
		expect(Object.keys(items[0].previous as object)).toEqual(['role_id', 'role_name']);
		expect(await poller.poll({ triggerOn: 'memberChanged' })).toEqual([]);
	});

	it('returns role names if they can be listed, and the change in any case', async () => {
		const poller = await started();
		const { user_id, role_id } = someone();
		sandbox.community.promote(user_id, MODERATOR);
		sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/roles' });
		expect(await poller.poll()).toMatchObject([
			{ role_id: MODERATOR, role_name: null, previous: { role_id, role_name: null } },
		]);
	});
});

describe('Member Changed: members who are missing', () => {
	it('reports that a member has left if the API does not find the msid, without role and status', async () => {
		const poller = await started();
		const { msid, user_id, username, first_name, role_id } = someone();
		sandbox.community.removeUser(user_id);
		sandbox.requests.clear();
		const role_name = nameOf(role_id);
		expect(await poller.poll()).toEqual([
			expect.objectContaining({
				msid,
				user_id,
				username,
				first_name,
				role_id: null,
				role_name: null,
				user_status: null,
				user_status_name: null,
				changed: ['left'],
				change: 'left',
				previous: { role_id, role_name, user_status: ACTIVE, user_status_name: 'ACTIVE' },
			}),
		]);
		expect(asked(sandbox)).toContain(`GET /api/v1/users/${msid}`);
		expect(await poller.poll()).toEqual([]);
	});

	it('reports that a member has left if the account was deleted', async () => {
		const poller = await started();
		const { user_id, msid } = someone();
		sandbox.community.changeUser(user_id, { user_status: DELETED });
		expect(await poller.poll()).toMatchObject([{ msid, changed: ['left'] }]);
		expect(await poller.poll()).toEqual([]);
	});

	it.each([
		{ kind: 'status', status: 403 },
		{ kind: 'status', status: 500 },
		{ kind: 'html', status: 404 },
	] as const)(
		'remembers a missing member, and does not report that they have left, if the answer is %j',
		async (fault) => {
			const poller = await started();
			const { user_id, msid } = someone();
			sandbox.community.removeUser(user_id);
			sandbox.faults.add({ ...fault, path: `/api/v1/users/${msid}` });
			expect(await poller.poll()).toEqual([]);
			sandbox.faults.clear();
			expect(await poller.poll()).toMatchObject([{ msid, changed: ['left'] }]);
		},
	);

	it('compares a member as read if only the list has missed them', async () => {
		const poller = await started();
		const [moved, other] = [someone(3), someone(38)];
		const run = () => {
			// The pages of active members are being read, so the second one now starts at another member.
			sandbox.community.changeUser(moved.user_id, { user_status: BANNED });
			sandbox.community.promote(other.user_id, MODERATOR);
		};
		sandbox.faults.add({ kind: 'call', run, after: 1, times: 1 });
		const items = [...(await poller.poll()), ...(await poller.poll())];
		expect(idsOf(items).sort()).toEqual([moved.msid, other.msid].sort());
		expect(items.flatMap((item) => item.changed).sort()).toEqual(['role', 'status']);
	});
});

describe('Member Changed: identity of a member', () => {
	it('takes a member with a reused number as another one, and reports that the first has left', async () => {
		const { user_id, msid } = someone();
		const poller = await started();
		sandbox.community.removeUser(user_id);
		sandbox.community.addUser({ user_id, sid: 'another', first_name: 'Eve', username: 'eve' });
		expect(await poller.poll()).toMatchObject([{ msid, changed: ['left'] }]);
		expect(await poller.poll()).toEqual([]);
		sandbox.community.changeUser(user_id, { first_name: 'Ada' });
		expect(await poller.poll()).toMatchObject([{ msid: `${user_id}.another`, changed: ['name'] }]);
	});

	it('remembers the members if all lists are empty once, or if all known members have left', async () => {
		const poller = await started();
		const [one, other] = [someone(12), someone(36)];
		sandbox.faults.add({ kind: 'stuck', answer: 'emptyPage' });
		sandbox.faults.add({ kind: 'hasMore', value: '0' });
		expect(await poller.poll()).toEqual([]);
		sandbox.faults.clear();
		sandbox.community.promote(one.user_id, MODERATOR);
		sandbox.community.removeUser(other.user_id);
		expect(idsOf(await poller.poll()).sort()).toEqual([one.msid, other.msid].sort());
		const all = [...sandbox.community.users.values()].filter(
			(each) => each.user_status !== DELETED,
		);
		for (const { user_id } of all) sandbox.community.removeUser(user_id);
		for (let at = 0; at < 20; at++) sandbox.community.join({ first_name: 'New' });
		logged.length = 0;
		expect(idsOf(await poller.poll()).sort()).toEqual(all.map(({ msid }) => msid).sort());
		expect(logged.join()).toContain(`${all.length} members left, or the API no longer`);
	});
});

it('watches a community of two members, one of them without a username', async () => {
	const two = await startSandbox({ members: 30 });
	for (const { user_id } of two.community.users.values()) {
		if (user_id !== two.community.callerId) two.community.removeUser(user_id);
	}
	const { user_id } = two.community.addUser({ first_name: 'Ada', username: '' });
	const poller = new Poller(two, { triggerOn: 'memberChanged' });
	expect(await poller.poll()).toEqual([]);
	two.community.promote(user_id, MODERATOR);
	expect(await poller.poll()).toMatchObject([{ user_id, changed: ['role'] }]);
	await two.close();
});

describe('Member Changed: polls that fail', () => {
	it.each([
		['at the listing', { after: 1, path: '/api/v1/users' }],
		['at another status', { after: 5, path: '/api/v1/users' }],
	])('returns all changes in the next poll after a failure %s', async (_, match) => {
		const poller = await started();
		const before = poller.staticData;
		const [one, other] = [someone(12), someone(36)];
		sandbox.community.promote(one.user_id, MODERATOR);
		sandbox.community.removeUser(other.user_id);
		sandbox.faults.add({ kind: 'status', status: 500, ...match });
		await expect(poller.poll()).rejects.toMatchObject({ httpCode: '500' });
		expect(poller.staticData).toBe(before);
		sandbox.faults.clear();
		expect(idsOf(await poller.poll()).sort()).toEqual([one.msid, other.msid].sort());
	});

	it('reports that a community has more than 20,000 members', async () => {
		const many = await serveMembers(20_001, 5_000);
		const poller = new Poller({ ...sandbox, baseUrl: many.origin }, { triggerOn: 'memberChanged' });
		await expect(poller.poll()).rejects.toThrow('more than the 20,000 members');
		await many.close();
	});

	it.each([
		[[], "'Changes' is empty"],
		[['role', 'email'], "'email' is not an option of 'Changes'"],
	])('reports that no change is selected, or an unknown one: %j', async (changes, message) => {
		await expect(changed({ changes }).poll()).rejects.toThrow(message);
	});
});

describe('Member Changed: snapshot', () => {
	it('stores less than 100 bytes for each member, also after JSON', async () => {
		const many = await startSandbox({ members: 300 });
		const poller = new Poller(many, { triggerOn: 'memberChanged' });
		expect(await poller.poll()).toEqual([]);
		expect(poller.staticData.length).toBeLessThan(100 * 300);
		for (const { user_id } of many.community.members(WAITLIST, 'joined', 'asc').slice(0, 3)) {
			many.community.admit(user_id);
		}
		expect(await poller.poll()).toHaveLength(3);
		await many.close();
	});

	it('starts over with a line in the log if the snapshot is damaged', async () => {
		const poller = await started();
		const damaged = JSON.parse(poller.staticData, (key, value: unknown) =>
			key === 'members' ? 'text' : value,
		) as IDataObject;
		poller.staticData = JSON.stringify(damaged);
		sandbox.community.promote(someone().user_id, MODERATOR);
		logged.length = 0;
		expect(await poller.poll()).toEqual([]);
		expect(logged.filter((line) => line.includes('starts from now'))).toHaveLength(1);
		sandbox.community.removeUser(someone().user_id);
		expect(await poller.poll()).toHaveLength(1);
	});

	it('starts over in a node that watched new members before', async () => {
		const poller = new Poller(sandbox);
		await poller.poll();
		sandbox.community.promote(someone().user_id, MODERATOR);
		sandbox.community.join({ first_name: 'Ada' });
		const parameters = { triggerOn: 'memberChanged' };
		logged.length = 0;
		expect(await poller.poll(parameters)).toEqual([]);
		expect(logged).toEqual([]);
		expect(await poller.poll()).toEqual([]);
	});

	it('keeps the snapshot after a rename, and with durable poll cursors', async () => {
		for (const isDurable of [false, true]) {
			const poller = Object.assign(changed(), { isDurable });
			await poller.poll();
			for (const name of ['Changes', 'Community']) {
				poller.name = name;
				const { user_id, role_id, msid } = someone(name.length);
				sandbox.community.promote(user_id, role_id === MODERATOR ? MEMBER : MODERATOR);
				expect(idsOf(await poller.poll())).toEqual([msid]);
				expect(await poller.poll()).toEqual([]);
			}
		}
	});

	it('drops the snapshot if a person activates the workflow again, and keeps it after a restart', async () => {
		const poller = changed();
		await poller.activate('activate');
		sandbox.community.promote(someone(1).user_id, MODERATOR);
		expect(await poller.restarted().activate('init')).toHaveLength(1);
		sandbox.community.promote(someone(2).user_id, MODERATOR);
		expect(await poller.activate('activate')).toEqual([]);
	});

	it('drops the snapshot for another community, and keeps it for another address of the same one', async () => {
		const poller = await started();
		poller.credential = { baseUrl: sandbox.baseUrl.replace('127.0.0.1', 'localhost') };
		const { user_id, msid } = someone();
		sandbox.community.removeUser(user_id);
		expect(idsOf(await poller.poll())).toEqual([msid]);
		const other = await startSandbox({ members: 65, seed: 2 });
		[poller.community, poller.credential] = [other, {}];
		expect(await poller.poll()).toEqual([]);
		expect(asked(other).filter((url) => /users\/\d/.test(url))).toEqual([]);
		await other.close();
	});
});

describe('Member Changed: keys that cannot see everything', () => {
	let hides: Array<keyof User>;
	let refused: number | undefined;
	let bent: BentSandbox;

	beforeEach(async () => {
		[hides, refused] = [[], undefined];
		bent = await bendAnswers(sandbox, (answer) => {
			const records = JSON.parse(answer.body) as IDataObject[];
			if (!Array.isArray(records)) return;
			// The owner of the key sees all of their own fields.
			const { callerId } = sandbox.community;
			const shown = records.map((each) => ({
				...each,
				...(each.user_id !== callerId && hidden()),
			}));
			if (records[0]?.user_status === refused) answerWith(answer, { status: 'FORBIDDEN' }, 403);
			else answerWith(answer, shown);
		});
	});
	afterEach(async () => await bent.close());

	const hidden = () => Object.fromEntries(hides.map((field) => [field, undefined]));
	const poller = (parameters: INodeParameters = {}) =>
		new Poller({ ...sandbox, ...bent.sandbox }, { triggerOn: 'memberChanged', ...parameters });

	it('skips a refused status, and still remembers its members', async () => {
		const changes = poller();
		await changes.poll();
		refused = BANNED;
		const { user_id, msid } = someone();
		sandbox.community.changeUser(user_id, { user_status: BANNED });
		expect(await changes.poll()).toMatchObject([
			{ msid, user_status: BANNED, changed: ['status'] },
		]);
		sandbox.requests.clear();
		expect(await changes.poll()).toEqual([]);
		expect(asked(sandbox)).not.toContain(`GET /api/v1/users/${msid}`);
		sandbox.community.changeUser(user_id, { user_status: ACTIVE });
		expect(await changes.poll()).toMatchObject([{ msid, previous: { user_status: BANNED } }]);
	});

	it('logs the number of members who are in no list and cannot be read', async () => {
		const changes = poller();
		await changes.poll();
		refused = BANNED;
		const { user_id, msid } = someone();
		sandbox.community.changeUser(user_id, { user_status: BANNED });
		sandbox.faults.add({ kind: 'status', status: 403, path: `/api/v1/users/${msid}` });
		const { length } = sandbox.community.members(BANNED, 'joined', 'asc');
		logged.length = 0;
		expect(await changes.poll()).toEqual([]);
		expect(logged.join()).toContain(`${length} known members are in no list and cannot be read`);
	});

	it('keeps the last value of a field that is missing in one poll', async () => {
		const changes = poller({ changes: ['status', 'name'] });
		const { user_id, role_id, msid } = someone();
		await changes.poll();
		hides = ['role_id', 'msid', 'username'];
		sandbox.community.changeUser(user_id, { first_name: 'Eve' });
		expect(await changes.poll()).toMatchObject([{ user_id, changed: ['name'] }]);
		hides = [];
		sandbox.community.promote(user_id, MODERATOR);
		expect(await changes.poll({ triggerOn: 'memberChanged' })).toMatchObject([
			{ msid, changed: ['role'], previous: { role_id } },
		]);
	});

	it('fails if the list of active members is refused', async () => {
		refused = ACTIVE;
		await expect(poller().poll()).rejects.toMatchObject({ httpCode: '403' });
	});

	it('fails if a field becomes hidden whose changes are selected', async () => {
		const changes = poller({ changes: ['role', 'status'] });
		await changes.poll();
		const { user_id, msid } = someone();
		sandbox.community.promote(user_id, MODERATOR);
		hides = ['role_id', 'username'];
		await expect(changes.poll()).rejects.toThrow('cannot see the roles');
		hides = ['username'];
		expect(await changes.poll()).toMatchObject([{ msid, changed: ['role'] }]);
	});
});

it('returns the newest member in a manual test, with all selected changes except left', async () => {
	const { msid, role_id, first_name } = sandbox.community.join({ first_name: 'Ada' });
	const poller = changed({ changes: ['role', 'left', 'name'] });
	expect(await poller.test()).toMatchObject([
		{
			msid,
			first_name,
			role_name: nameOf(role_id),
			changed: ['role', 'name'],
			change: `example: role: ${nameOf(role_id)} → ${nameOf(role_id)}, name: Ada → Ada`,
			previous: { role_id, role_name: nameOf(role_id), first_name },
		},
	]);
	expect(poller.staticData).toBe('{}');
	expect(await changed({ changes: ['left'] }).test()).toMatchObject([
		{ msid, changed: ['left'], change: 'example: left', role_id: null, previous: { role_id } },
	]);
});
