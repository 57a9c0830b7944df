import type { User } from '../../sandbox/records.mts';
import { asked, byId, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { getOnce, useNames } from '../support/named-members.mts';
import { action } from '../support/operations.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useSandbox({ members: 65, largestPage: 20 });
withoutBackoff();
const { run, caller } = useNames(sandbox);

const MINUTE = 60_000;
const active = () => sandbox.community.members(10, 'joined', 'desc');
const change = (member: User, fields: Partial<User>) =>
	Object.assign(sandbox.community.user(member.msid), fields);
const count = (pattern: RegExp) => asked(sandbox).filter((line) => pattern.test(line)).length;
const reads = () => count(/^GET \/api\/v1\/users\/\d/);

/** Runs a function later, by the monotonic clock and by the wall clock. */
async function after(minutes: number, then: () => Promise<void>, minutesOfDay = minutes) {
	const [now, day] = [performance.now(), Date.now()];
	const clock = jest.spyOn(performance, 'now').mockReturnValue(now + minutes * MINUTE);
	const date = jest.spyOn(Date, 'now').mockReturnValue(day + minutesOfDay * MINUTE);
	await then().finally(() => {
		clock.mockRestore();
		date.mockRestore();
	});
}

describe('a member who was seen before', () => {
	it.each([403, 404, 410, 422, 500])('and cannot be read (%d) is not used', async (status) => {
		const [one, other] = active();
		const { email } = one;
		await run(getOnce('email'), [email]);
		change(one, { email: 'other@members.example' });
		sandbox.faults.add({ kind: 'status', status, path: `/api/v1/users/${one.msid}` });
		expect(await run(getOnce('email'), [email])).toEqual([
			`No member has the email address '${email}'`,
		]);
		change(other, { email });
		expect(await run(getOnce('email'), [email])).not.toEqual([one.msid]);
	});

	it.each(['email', 'username'] as const)(
		'with a later status ranks below one who joined since, by %s',
		async (by) => {
			const [inactive] = sandbox.community.members(0, 'joined', 'desc');
			const name = inactive[by];
			expect(await run(getOnce(by), [name])).toEqual([inactive.msid]);
			const joined = sandbox.community.waitlist();
			change(joined, { [by]: name });
			expect(await run(getOnce(by), [name])).toEqual([joined.msid]);
		},
	);

	it('conflicts with one who joined since', async () => {
		const [{ email }] = active();
		await run(getOnce('email'), [email]);
		change(sandbox.community.join(), { email });
		expect(await run(getOnce('email'), [email])).toEqual([
			`2 members have the email address '${email}'`,
		]);
	});

	it.each<[string, (member: User) => void]>([
		['no longer there', ({ msid }) => sandbox.community.removeUser(msid)],
		['marked', ({ msid }) => void sandbox.community.changeUser(msid, { user_status: -100 })],
	])('and was deleted (%s) is searched among all members once', async (_, remove) => {
		const [one] = active();
		const { email } = one;
		await run(getOnce('email'), [email, 'nobody@members.example']);
		remove(one);
		const nobody = [`No member has the email address '${email}'`];
		expect(await run(getOnce('email'), [email])).toEqual(nobody);
		expect(await run(getOnce('email'), [email])).toEqual(nobody);
		expect(reads()).toBe(0);
	});
});

describe('an address', () => {
	it('that only a search for a username has skipped is found', async () => {
		const [newest, passed, oldest] = [active()[3], active()[32], active().at(-1)!];
		const board = [...sandbox.community.boards.values()].find((each) => each.is_private);
		const addMembers = `${newest.email}, @${oldest.username}`;
		const boardId = byId(board?.board_id);
		const text = { membersInput: 'text', boardId, addMembers };
		await run(action('board.updateMembers', text), ['']);
		expect(await run(getOnce('email'), [passed.email])).toEqual([passed.msid]);
	});

	it('that changed an hour ago is found after a deeper search since', async () => {
		const [changed, middle, oldest] = [active()[28], active()[32], active().at(-1)!];
		await run(getOnce('email'), [middle.email]);
		change(changed, { email: 'changed@members.example' });
		await after(90, async () => {
			await run(getOnce('email'), [oldest.email]);
			expect(await run(getOnce('email'), ['changed@members.example'])).toEqual([changed.msid]);
		});
	});

	it('is found if the newest members have left since', async () => {
		const [seen, wanted] = [active()[44], active()[45]];
		await run(getOnce('email'), [seen.email]);
		for (const { msid } of active().slice(0, 22)) sandbox.community.removeUser(msid);
		expect(await run(getOnce('email'), [wanted.email])).toEqual([wanted.msid]);
	});

	it('is found among many new members, in any order of the look-ups', async () => {
		await run(getOnce('email'), ['nobody@members.example']);
		const joined = range(1, 48).map(() => sandbox.community.join());
		const [oldest, middle, newest] = [joined[0], joined[24], joined[47]];
		for (const { email, msid } of [newest, middle, oldest]) {
			expect(await run(getOnce('email'), [email])).toEqual([msid]);
		}
		expect(reads()).toBeLessThanOrEqual(20);
	});

	it('is found below many members that Create or Get has created since', async () => {
		await run(getOnce('email'), ['nobody@members.example']);
		const { email, msid } = sandbox.community.join();
		const names = range(1, 25).map((at) => `created${at}@members.example`);
		await run(action('user.createOrGet', { firstName: 'Ada', email: '={{ $json.name }}' }), names);
		expect(await run(getOnce('email'), [email])).toEqual([msid]);
		// The created members are not read.
		expect(reads()).toBe(1);
	});

	it('of a member who was banned since is read again', async () => {
		const [one] = active();
		await run(getOnce('email'), ['nobody@members.example']);
		change(one, { email: 'changed@members.example' });
		sandbox.community.changeUser(one.msid, { user_status: -3 });
		expect(await run(getOnce('email'), ['changed@members.example'])).toEqual([one.msid]);
	});

	it('that changed eleven minutes ago is found even if the clock was set back', async () => {
		const [one] = active();
		await run(getOnce('email'), ['nobody@members.example']);
		change(one, { email: 'changed@members.example' });
		const dayBefore = -24 * 60;
		const found = async () =>
			expect(await run(getOnce('email'), ['changed@members.example'])).toEqual([one.msid]);
		await after(11, found, dayBefore);
	});
});

describe('a name that no member has', () => {
	const described = async (name: string) => {
		const options = { items: [{ name }], ...caller() };
		const { error } = await runNode(sandbox, getOnce('email'), options);
		return error?.description;
	};

	it('is reported with no more searched members than there are', async () => {
		await described('nobody@members.example');
		for (const { msid } of active().slice(0, 12)) {
			sandbox.community.changeUser(msid, { user_status: -3 });
		}
		const readable = [...sandbox.community.users.values()].filter((each) => each.user_status > -4);
		expect(await described('noone@members.example')).toContain(
			`The node checked ${readable.length} members with any status.`,
		);
	});

	it('is searched even if the API returns the status as a word', async () => {
		for (const each of sandbox.community.users.values()) {
			Object.assign(each, { user_status: each.user_status === 10 ? 'ACTIVE' : each.user_status });
		}
		expect(await described('nobody@members.example')).toMatch(
			/^Check the spelling in 'Member'\. The node checked \d\d+ members/,
		);
	});

	it('is found again in another spelling after members left its page', async () => {
		const wanted = active().at(-1)!;
		await run(getOnce('username'), [wanted.username]);
		for (const { msid } of active().slice(0, 24)) {
			sandbox.community.changeUser(msid, { user_status: -100 });
		}
		expect(await run(getOnce('username'), [` @${wanted.username.toUpperCase()}`])).toEqual([
			wanted.msid,
		]);
	});
});

it("a role change with a lost answer is not mistaken for the member's current role", async () => {
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
	await run(parameters, [5, 10], { onError: 'continueRegularOutput' });
	expect(sandbox.community.user(userId).role_id).toBe(10);
});
