import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { user, userList } from '../../nodes/shared/records/types.ts';
import { asked, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { Poller } from '../support/poller.mts';

const sandbox = useSandbox({ members: 200 });
withoutBackoff();

async function started(parameters?: INodeParameters): Promise<Poller> {
	const poller = new Poller(sandbox, parameters);
	expect(await poller.poll()).toEqual([]);
	return poller;
}

const names = (items: IDataObject[]) => items.map(({ first_name }) => first_name);
const ids = (items: IDataObject[]) => items.map(({ user_id }) => user_id as number);

/** A join time this many seconds after another, because the order within one instant is not documented. */
const at = (seconds: number) => new Date(Date.UTC(2031, 0, 1, 0, 0, seconds)).toISOString();

function join(first_name: string, seconds?: number) {
	const created_at = seconds === undefined ? {} : { created_at: at(seconds) };
	return sandbox.community.join({ first_name, ...created_at });
}

/** @returns the IDs of the new members, in order */
const joinMany = (count: number) =>
	range(1, count).map((index) => join(`New ${index}`, index).user_id);

describe('polls', () => {
	it('start with the first poll, then return each new member once, the oldest first', async () => {
		const poller = await started();
		join('Ada', 1);
		join('Bob', 2);
		expect(names(await poller.poll())).toEqual(['Ada', 'Bob']);
		expect(await poller.poll()).toEqual([]);
		join('Cid', 2);
		expect(names(await poller.poll())).toEqual(['Cid']);
		expect(await poller.poll()).toEqual([]);
	});

	it('request one page of the list, the newest members first, and save nothing if there are no new ones', async () => {
		const poller = await started();
		const before = poller.staticData;
		await poller.poll();
		expect(poller.staticData).toBe(before);
		const listing = 'GET /api/v1/users?sort_by=joined&order=desc&status=10&page=1&page_size=50';
		expect(asked(sandbox)).toEqual([listing, listing]);
	});

	it('return a new account that has the number of a deleted one', async () => {
		const poller = await started();
		const { user_id } = join('Ada', 1);
		expect(names(await poller.poll())).toEqual(['Ada']);
		sandbox.community.removeUser(user_id);
		const again = { user_id, sid: 'another', first_name: 'Eve', username: 'eve' };
		sandbox.community.addUser({ ...again, created_at: at(2) });
		expect(names(await poller.poll())).toEqual(['Eve']);
		expect(await poller.poll()).toEqual([]);
	});

	it.each([{ triggerOn: 'memberLeft' }, { status: 5 }, { output: 'all' }])(
		'fail if a choice is unknown: %j',
		async (parameters) => {
			const polling = new Poller(sandbox, parameters).poll();
			await expect(polling).rejects.toThrow(/is not an option of '(Watch For|Status|Output)'/);
		},
	);

	it.each([4, '4', 'Wait-List'])(
		'watch only the wait-list if it is selected: %j',
		async (status) => {
			const poller = await started({ status });
			join('Ada');
			const waiting = sandbox.community.waitlist({ first_name: 'Bob' });
			const [bob, ...others] = await poller.poll();
			expect(bob).toMatchObject({ first_name: 'Bob', user_status_name: 'WAITLIST' });
			expect(others).toEqual([]);
			sandbox.community.admit(waiting.user_id);
			expect(await poller.poll()).toEqual([]);
			sandbox.community.changeUser(waiting.user_id, { user_status: 4 });
			expect(await poller.poll()).toEqual([]);
		},
	);

	it('return the simplified record, or every documented field', async () => {
		const simple = await started();
		const full = await started({ simplify: false });
		const { msid } = join('Ada');
		const [item] = await simple.poll();
		expect(Object.keys(item)).toEqual(userList.simplified);
		expect(item).toMatchObject({ msid, user_status: 10, user_status_name: 'ACTIVE' });
		const [record] = await full.poll();
		expect(Object.keys(record)).toEqual(userList.fields);
		expect(record).toMatchObject({ msid, first_name: 'Ada', banner: null });
	});

	it.each([
		[10, 'member.joined', () => join('Ada')],
		['4', 'member.joined_waitlist', () => sandbox.community.waitlist({ first_name: 'Ada' })],
	])('return an event for status %s: %s', async (status, event, arrive) => {
		const poller = await started({ output: 'event', status });
		const { msid } = arrive();
		const [item, ...others] = await poller.poll();
		expect(others).toEqual([]);
		expect(item).toMatchObject({ event, job_id: null, dedupe_key: `${event}:${msid}` });
		expect(new Date(item.received_at as string).toISOString()).toBe(item.received_at);
		const member = item.user as IDataObject;
		expect(Object.keys(member)).toEqual(user.fields);
		const user_status = Number(status);
		expect(member).toMatchObject({ msid, first_name: 'Ada', user_status, email: null });
	});

	it('return the members read before a failure, then the failure, then the others', async () => {
		const poller = await started();
		const joined = joinMany(120);
		sandbox.faults.add({ kind: 'status', status: 403, after: 1 });
		expect(ids(await poller.poll())).toEqual(joined.slice(70));
		const before = poller.staticData;
		await expect(poller.poll()).rejects.toMatchObject({ name: 'NodeApiError', httpCode: '403' });
		expect(poller.staticData).toBe(before);
		sandbox.faults.clear();
		expect(ids(await poller.poll())).toEqual(joined.slice(0, 70));
		expect(await poller.poll()).toEqual([]);
	});

	it('start over for another status', async () => {
		const poller = await started();
		join('Ada');
		expect(await poller.poll({ status: 4 })).toEqual([]);
		sandbox.community.waitlist({ first_name: 'Bob' });
		expect(names(await poller.poll({ status: 4 }))).toEqual(['Bob']);
	});

	it('do not overlap, because a concurrent second one waits for the first and returns nothing', async () => {
		const poller = await started();
		join('Ada');
		sandbox.settings.delayMs = 50;
		const ended: string[] = [];
		const first = poller.poll().finally(() => ended.push('first'));
		const second = poller.poll().finally(() => ended.push('second'));
		expect((await Promise.all([first, second])).map(names)).toEqual([['Ada'], []]);
		// The end of a poll would remove the credential helper from a poll that is still running.
		expect(ended).toEqual(['first', 'second']);
		join('Bob');
		expect(names(await poller.poll())).toEqual(['Bob']);
	});
});

it('an approved member is found while the sign-up is among the newest fifty', async () => {
	const waiting = sandbox.community.waitlist({ first_name: 'Ada' });
	join('Bea', 0);
	const poller = await started();
	joinMany(48);
	expect(await poller.poll()).toHaveLength(48);
	sandbox.community.admit(waiting.user_id);
	expect(ids(await poller.poll())).toEqual([waiting.user_id]);
	sandbox.community.changeUser(waiting.user_id, { user_status: -3 });
	expect(await poller.poll()).toEqual([]);
	sandbox.community.admit(waiting.user_id);
	expect(await poller.poll()).toEqual([]);
});

describe('a manual test', () => {
	it('returns only the newest member, and does not move the cursor', async () => {
		const poller = await started();
		const before = poller.staticData;
		join('Ada', 1);
		join('Bob', 2);
		expect(names(await poller.test())).toEqual(['Bob']);
		expect(poller.staticData).toBe(before);
		expect(names(await poller.poll())).toEqual(['Ada', 'Bob']);
	});

	it('finds that member even if the list starts with empty pages', async () => {
		join('Ada', 1);
		sandbox.faults.add({ kind: 'emptyPages', at: 1, count: 2 });
		expect(names(await new Poller(sandbox).test())).toEqual(['Ada']);
	});

	it('returns nothing if no member has the status, and does not count as the first poll', async () => {
		for (const { user_id, user_status } of sandbox.community.users.values()) {
			if (user_status === 4) sandbox.community.admit(user_id);
		}
		const poller = new Poller(sandbox, { status: 4 });
		expect(await poller.test()).toEqual([]);
		expect(poller.staticData).toBe('{}');
	});
});

it('members who were returned long ago are not returned again, even if a thousand newer ones have left', async () => {
	const poller = await started();
	const joined = joinMany(1200);
	expect(await poller.poll()).toHaveLength(1200);
	expect(await poller.poll()).toEqual([]);
	for (const id of joined.slice(190)) sandbox.community.removeUser(id);
	expect(await poller.poll()).toEqual([]);
	const { user_id } = join('Ada', 2000);
	expect(ids(await poller.poll())).toEqual([user_id]);
});
