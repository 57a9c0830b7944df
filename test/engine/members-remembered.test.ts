import type { User } from '../../sandbox/records.mts';
import { byId, range } from '../support/community.mts';
import { useMembers } from '../support/named-members.mts';
import { action, getNamed } from '../support/operations.mts';

const { sandbox, run, find, active, change, pages, reads } = useMembers();

const MINUTE = 60_000;
const NOBODY = 'nobody@members.example';
const none = (email: string) => [`No member has the email address '${email}'`];
const leave = ({ msid }: User) => sandbox.community.removeUser(msid);
const setStatus = ({ msid }: User, user_status: number) =>
	void sandbox.community.changeUser(msid, { user_status });

/** Runs a function later, by the monotonic clock and by the wall clock. */
async function after(minutes: number, then: () => Promise<void>, minutesOfDay = minutes) {
	const [now, day] = [performance.now(), Date.now()];
	const clock = jest.spyOn(performance, 'now').mockReturnValue(now + minutes * MINUTE + 1);
	const date = jest.spyOn(Date, 'now').mockReturnValue(day + minutesOfDay * MINUTE);
	await then().finally(() => {
		clock.mockRestore();
		date.mockRestore();
	});
}

describe('Search for a member who was read before', () => {
	it.each([403, 404, 500])(
		'does not use a remembered member who cannot be read (%d)',
		async (status) => {
			const [one, other] = active();
			const { email } = one;
			await find('email', email);
			change(one, { email: 'other@members.example' });
			sandbox.faults.add({ kind: 'status', status, path: `/api/v1/users/${one.msid}` });
			expect(await find('email', email)).toEqual(none(email));
			change(other, { email });
			expect(await find('email', email)).not.toEqual([one.msid]);
		},
	);

	it('forgets members after a day without an execution', async () => {
		const { msid, email } = active()[28];
		const again = async () => expect(await find('email', email)).toEqual([msid]);
		await again();
		const atFirst = reads();
		await after(23 * 60, again);
		expect(reads()).toBeLessThan(atFirst);
		await after((23 + 24) * 60, again);
		expect(reads()).toBe(atFirst);
	});

	it('finds a member in the next execution who temporarily could not be read', async () => {
		const { msid, email } = active()[28];
		sandbox.faults.add({ kind: 'status', status: 500, path: `/api/v1/users/${msid}` });
		expect(await find('email', email)).toEqual(none(email));
		sandbox.faults.clear();
		expect(await find('email', email)).toEqual([msid]);
	});

	it.each(['email', 'username'] as const)(
		'prefers a member who joined since to a remembered one with a later status, by %s',
		async (by) => {
			const [inactive] = sandbox.community.members(0, 'joined', 'desc');
			const name = inactive[by];
			expect(await find(by, name)).toEqual([inactive.msid]);
			const joined = sandbox.community.waitlist();
			change(joined, { [by]: name });
			expect(await find(by, name)).toEqual([joined.msid]);
		},
	);

	it('refuses an email address that a remembered member and one who joined since share', async () => {
		const [{ email }] = active();
		await find('email', email);
		change(sandbox.community.join(), { email });
		expect(await find('email', email)).toEqual([`2 members have the email address '${email}'`]);
	});

	it('reports a failed list instead of saying that no member has the email address', async () => {
		const [{ email }] = active();
		await find('email', email);
		sandbox.faults.add({ kind: 'status', status: 500, message: 'down', pattern: /users$/ });
		sandbox.faults.add({ kind: 'status', status: 500, message: 'down', pattern: /users\/\d/ });
		expect(await find('email', email)).toEqual(['Down']);
	});

	it.each<[string, (member: User) => void]>([
		['no longer there', leave],
		['marked', (member) => setStatus(member, -100)],
	])(
		'searches all members once for the email address of a deleted member (%s)',
		async (_, remove) => {
			const [one] = active();
			const { email } = one;
			await find('email', email, NOBODY);
			remove(one);
			expect(await find('email', email)).toEqual(none(email));
			expect(await find('email', email)).toEqual(none(email));
			expect(reads()).toBe(0);
			if (sandbox.community.users.has(one.user_id)) leave(one);
			const back = sandbox.community.join({ first_name: 'Back', email });
			expect(await find('email', email)).toEqual([back.msid]);
		},
	);
});

describe('Search by email, in later executions', () => {
	it('finds a member who joined since the last search on the newest page, and reads no other member', async () => {
		await find('email', active()[16].email);
		const { email, msid } = sandbox.community.join();
		expect(await find('email', email)).toEqual([msid]);
		expect([pages().length, reads()]).toEqual([1, 1]);
	});

	it('remembers for ten minutes that no member has an email address, except for members who joined since', async () => {
		const { error, hints } = await run(getNamed('email'), [{ name: NOBODY }]);
		const { size } = sandbox.community.users;
		const deleted = [...sandbox.community.users.values()].filter(
			({ user_status: status }) => status === -100,
		);
		expect(error?.description).toContain(
			`Check the spelling in 'Member'. The node checked ${size - deleted.length} members with any status.`,
		);
		expect(hints).toEqual([]);
		await find('email', NOBODY);
		expect(reads()).toBe(0);
		const joined = sandbox.community.join({ email: NOBODY });
		expect(await find('email', NOBODY)).toEqual([joined.msid]);
	});

	it('finds the new member of a reassigned email address ten minutes later', async () => {
		const [one, other] = [active()[5], active()[6]];
		const { email } = one;
		await find('email', email);
		change(one, { email: 'moved@members.example' });
		change(other, { email });
		expect(await find('email', email)).toEqual(none(email));
		await after(10, async () => expect(await find('email', email)).toEqual([other.msid]));
	});

	it.each<[string, minutesOfDay?: number]>([['ten minutes'], ['ten minutes and set back', -1440]])(
		'finds a changed email address if the clock went on %s',
		async (_, minutesOfDay) => {
			await find('email', NOBODY);
			change(active()[7], { email: 'changed@members.example' });
			const found = async () =>
				expect(await find('email', 'changed@members.example')).toEqual([active()[7].msid]);
			await after(10, found, minutesOfDay);
		},
	);

	it('finds an email address on the newest page even after a search for usernames', async () => {
		await find('username', active()[0].username);
		expect(await find('email', active()[3].email)).toEqual([active()[3].msid]);
		expect(reads()).toBe(20);
	});

	it('finds an email address that only a search for a username has skipped', async () => {
		const [newest, passed, oldest] = [active()[3], active()[32], active().at(-1)!];
		const board = [...sandbox.community.boards.values()].find((each) => each.is_private);
		const addMembers = `${newest.email}, @${oldest.username}`;
		const boardId = byId(board?.board_id);
		await run(action('board.updateMembers', { membersInput: 'text', boardId, addMembers }));
		expect(await find('email', passed.email)).toEqual([passed.msid]);
	});

	it('finds an email address that changed an hour ago after a deeper search since', async () => {
		const [changed, middle, oldest] = [active()[28], active()[32], active().at(-1)!];
		await find('email', middle.email);
		change(changed, { email: 'changed@members.example' });
		await after(90, async () => {
			await find('email', oldest.email);
			expect(await find('email', 'changed@members.example')).toEqual([changed.msid]);
		});
	});

	it('finds an email address if the newest members have left since', async () => {
		const [seen, wanted] = [active()[44], active()[45]];
		await find('email', seen.email);
		active().slice(0, 22).forEach(leave);
		expect(await find('email', wanted.email)).toEqual([wanted.msid]);
	});

	it('finds email addresses among many new members, in any order of the look-ups', async () => {
		await find('email', NOBODY);
		const joined = range(1, 48).map(() => sandbox.community.join());
		for (const { email, msid } of [joined[47], joined[24], joined[0]])
			expect(await find('email', email)).toEqual([msid]);
		expect(reads()).toBeLessThanOrEqual(20);
	});

	it('finds an email address below many members that Create or Get has created since', async () => {
		await find('email', NOBODY);
		const { email, msid } = sandbox.community.join();
		const items = range(1, 25).map((at) => ({ name: `created${at}@members.example` }));
		await run(action('user.createOrGet', { firstName: 'Ada', email: '={{ $json.name }}' }), items);
		expect(await find('email', email)).toEqual([msid]);
		// The created members are not read.
		expect(reads()).toBe(1);
	});

	it('finds the changed email address of a member who was banned since', async () => {
		const [one] = active();
		await find('email', NOBODY);
		change(one, { email: 'changed@members.example' });
		setStatus(one, -3);
		expect(await find('email', 'changed@members.example')).toEqual([one.msid]);
	});
});

describe('Search for a name that no member has', () => {
	const described = async (name: string) =>
		(await run(getNamed('email'), [{ name }])).error?.description;

	it('reports no more searched members than there are', async () => {
		await described(NOBODY);
		for (const each of active().slice(0, 12)) setStatus(each, -3);
		const readable = [...sandbox.community.users.values()].filter((each) => each.user_status > -4);
		expect(await described('noone@members.example')).toContain(
			`The node checked ${readable.length} members with any status.`,
		);
	});

	it('searches all members even if the API returns the status as a word', async () => {
		for (const each of active()) Object.assign(each, { user_status: 'ACTIVE' });
		expect(await described(NOBODY)).toMatch(
			/^Check the spelling in 'Member'\. The node checked \d\d+ members/,
		);
	});

	it('finds a username again in another spelling after members left its page', async () => {
		const wanted = active().at(-1)!;
		await find('username', wanted.username);
		for (const each of active().slice(0, 24)) setStatus(each, -100);
		expect(await find('username', ` @${wanted.username.toUpperCase()}`)).toEqual([wanted.msid]);
	});
});

describe('Search while members leave or join', () => {
	it('finds a member even if another one leaves while the members are read', async () => {
		const [leaver, plain] = [active()[10], active()[20]];
		const path = `/api/v1/users/${active()[19].msid}`;
		sandbox.faults.add({ kind: 'call', run: () => leave(leaver), path, times: 1 });
		expect(await find('email', plain.email)).toEqual([plain.msid]);
	});

	it.each<[string, (member: User) => void]>([
		['left', leave],
		['was banned', (member) => setStatus(member, -3)],
	])(
		'finds a member in a later execution even if another one %s between two pages',
		async (_, remove) => {
			const [other, plain] = [active()[10], active()[40]];
			const { email } = other;
			const run = () => remove(other);
			sandbox.faults.add({ kind: 'call', run, pattern: /users$/, after: 2, times: 1 });
			await find('email', NOBODY);
			sandbox.faults.clear();
			await find('email', email);
			expect(await find('email', plain.email)).toEqual([plain.msid]);
		},
	);

	it.each<[string, joinedAt: Date]>([
		['another member has an old ID', new Date(Date.UTC(2031, 0, 2))],
		['another member with an old ID ends a page', new Date(Date.UTC(2031, 0, 1, 0, 6, 30))],
		['an old member has joined again', new Date(Date.UTC(2031, 0, 2))],
	])(
		'finds a member among twenty-five who joined since even if above them %s',
		async (what, joinedAt) => {
			await find('email', NOBODY);
			const [{ email, msid }] = range(1, 25).map((at) =>
				sandbox.community.join({ created_at: new Date(Date.UTC(2031, 0, 1, 0, at)).toISOString() }),
			);
			const { user_id } = active()[40];
			const created_at = joinedAt.toISOString();
			if (what.startsWith('another')) {
				sandbox.community.removeUser(user_id);
				sandbox.community.join({ user_id, sid: 'another', created_at });
			} else sandbox.community.changeUser(user_id, { created_at });
			expect(await find('email', email)).toEqual([msid]);
		},
	);
});

it("does not mistake a role change with a lost answer for the member's current role", async () => {
	const [{ msid, user_id: userId }] = active();
	sandbox.community.changeUser(userId, { role_id: 10 });
	const make = () => void sandbox.community.changeUser(userId, { role_id: 5 });
	const path = `/api/v1/users/${msid}`;
	sandbox.faults.add({ kind: 'call', run: make, method: 'PATCH', path, times: 1 });
	sandbox.faults.add({ kind: 'cut', method: 'PATCH', path, times: 1 });
	const parameters = action('user.updateRole', {
		userId: byId(msid),
		roleId: byId('={{ $json.name }}'),
		options: { skipUnchanged: true, maxRetries: 0 },
	});
	const items = [{ name: 5 }, { name: 10 }];
	await run(parameters, items, { onError: 'continueRegularOutput' });
	expect(sandbox.community.user(userId).role_id).toBe(10);
});
