import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { user, userList } from '../../nodes/shared/records/types.ts';
import { asked, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { Poller } from './poller.mts';

const sandbox = useSandbox({ members: 200 });
withoutBackoff();

const newPoller = (parameters?: INodeParameters) => new Poller(sandbox, parameters);

const names = (items: IDataObject[]) => items.map(({ first_name }) => first_name);

function join(first_name: string, created_at?: string) {
	return sandbox.community.join({ first_name, ...(created_at && { created_at }) });
}

describe('polls', () => {
	it('start from now, then give who joined, the oldest first, each once', async () => {
		const poller = newPoller();
		expect(await poller.poll()).toEqual([]);
		join('Ada', '2031-01-01T00:00:01Z');
		join('Bob', '2031-01-01T00:00:02Z');
		expect(names(await poller.poll())).toEqual(['Ada', 'Bob']);
		expect(await poller.poll()).toEqual([]);
		join('Cid', '2031-01-01T00:00:02Z');
		expect(names(await poller.poll())).toEqual(['Cid']);
		expect(await poller.poll()).toEqual([]);
	});

	it('leave a member as the API gave it, also with the key in a name', async () => {
		const poller = newPoller();
		await poller.poll();
		join(`I am ${sandbox.apiKey}`);
		expect(names(await poller.poll())).toEqual([`I am ${sandbox.apiKey}`]);
	});

	it('ask for one page of the listing, the newest members first', async () => {
		const poller = newPoller();
		await poller.poll();
		await poller.poll();
		const listing = 'GET /api/v1/users?sort_by=joined&order=desc&status=10&page=1&page_size=50';
		expect(asked(sandbox)).toEqual([listing, listing]);
	});

	it('watch the wait-list, and no other members, when told to', async () => {
		const poller = newPoller({ status: 4 });
		await poller.poll();
		join('Ada');
		const waiting = sandbox.community.waitlist({ first_name: 'Bob' });
		expect(await poller.poll()).toMatchObject([
			{ first_name: 'Bob', user_status_name: 'WAITLIST' },
		]);
		sandbox.community.admit(waiting.user_id);
		expect(await poller.poll()).toEqual([]);
		sandbox.community.changeUser(waiting.user_id, { user_status: 4 });
		expect(await poller.poll()).toEqual([]);
	});

	it('give the simplified record, or every documented field', async () => {
		const simple = newPoller();
		const full = newPoller({ simplify: false });
		await simple.poll();
		await full.poll();
		const { msid } = join('Ada');
		const [item] = await simple.poll();
		expect(Object.keys(item)).toEqual(userList.simplified);
		expect(item).toMatchObject({ msid, user_status: 10, user_status_name: 'ACTIVE' });
		const [record] = await full.poll();
		expect(Object.keys(record)).toEqual(userList.fields);
		expect(record).toMatchObject({ msid, first_name: 'Ada', banner: null });
	});

	describe('with the output of the webhook trigger', () => {
		const asEvents = { output: 'event' };

		it.each([
			[10, 'member.joined', () => join('Ada')],
			[4, 'member.joined_waitlist', () => sandbox.community.waitlist({ first_name: 'Ada' })],
		])('give an event for status %d: %s', async (status, event, arrive) => {
			const poller = newPoller({ ...asEvents, status });
			await poller.poll();
			const { msid } = arrive();
			const [item, ...others] = await poller.poll();
			expect(others).toEqual([]);
			expect(item).toMatchObject({ event, job_id: null, dedupe_key: `${event}:${msid}` });
			expect(new Date(item.received_at as string).toISOString()).toBe(item.received_at);
			const member = item.user as IDataObject;
			expect(Object.keys(member)).toEqual(user.fields);
			expect(member).toMatchObject({ msid, first_name: 'Ada', user_status: status, email: null });
		});

		it('give the same member the same key in every workflow', async () => {
			const [one, other] = [newPoller(asEvents), newPoller(asEvents)];
			await one.poll();
			await other.poll();
			join('Ada');
			const [[first], [second]] = [await one.poll(), await other.poll()];
			expect(first.dedupe_key).toMatch(/^member\.joined:\d+\.\w+$/);
			expect(second.dedupe_key).toBe(first.dedupe_key);
			expect([first.dedupe_key]).toEqual((await one.test()).map((item) => item.dedupe_key));
		});
	});

	it('give what was read before one fails in the middle, then the failure, then the others', async () => {
		const poller = newPoller();
		await poller.poll();
		const joined = range(1, 120).map((index) => join(`New ${index}`).first_name);
		sandbox.faults.add({ kind: 'status', status: 403, after: 1 });
		expect(names(await poller.poll())).toEqual(joined.slice(70));
		const before = poller.staticData;
		await expect(poller.poll()).rejects.toMatchObject({ name: 'NodeApiError', httpCode: '403' });
		expect(poller.staticData).toBe(before);
		sandbox.faults.clear();
		expect(names(await poller.poll())).toEqual(joined.slice(0, 70));
		expect(await poller.poll()).toEqual([]);
	});

	it('ask again while the API is busy', async () => {
		const poller = newPoller();
		await poller.poll();
		join('Ada');
		sandbox.faults.add({ kind: 'status', status: 503, times: 2 });
		expect(names(await poller.poll())).toEqual(['Ada']);
		const line = `info Community Platform: "Community" in workflow "Workflow" (workflow): ${sandbox.baseUrl}: 1 request sent again`;
		expect(logged.join('\n')).toContain(line);
	});

	it('miss none when members join while several pages are read', async () => {
		const poller = newPoller();
		await poller.poll();
		const early = range(1, 130).map((index) => join(`New ${index}`));
		sandbox.faults.add({ kind: 'membersChange', join: 3, times: 2 });
		const seen = [...(await poller.poll()), ...(await poller.poll())];
		const ids = seen.map(({ user_id }) => user_id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(early.map(({ user_id }) => user_id)));
		expect(ids).toHaveLength(130 + 6);
	});

	it('read short and empty pages to the end', async () => {
		const poller = newPoller();
		await poller.poll();
		for (const index of range(1, 60)) join(`New ${index}`);
		sandbox.faults.add({ kind: 'shortPages', keep: 20 });
		expect(await poller.poll()).toHaveLength(60);
		sandbox.faults.clear();
		for (const index of range(1, 60)) join(`Newer ${index}`);
		sandbox.faults.add({ kind: 'emptyPages', at: 2, count: 2 });
		expect(await poller.poll()).toHaveLength(60);
	});

	it('start from now for another status', async () => {
		const poller = newPoller();
		await poller.poll();
		join('Ada');
		expect(await poller.poll({ status: 4 })).toEqual([]);
		sandbox.community.waitlist({ first_name: 'Bob' });
		expect(names(await poller.poll({ status: 4 }))).toEqual(['Bob']);
	});

	it('do not overlap: the second of two at a time leaves the work to the first, and waits for it', async () => {
		const poller = newPoller();
		await poller.poll();
		join('Ada');
		sandbox.settings.delayMs = 50;
		const ended: string[] = [];
		const first = poller.poll().finally(() => ended.push('first'));
		const second = poller.poll().finally(() => ended.push('second'));
		expect((await Promise.all([first, second])).map(names)).toEqual([['Ada'], []]);
		// The end of a poll takes the means to fill in the credential away from one that is still at work.
		expect(ended).toEqual(['first', 'second']);
		join('Bob');
		expect(names(await poller.poll())).toEqual(['Bob']);
	});

	it('end with what to do about it when something else answers', async () => {
		const poller = newPoller();
		sandbox.faults.add({ kind: 'notAList', value: { users: [] } });
		await expect(poller.poll()).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The answer did not come from the API',
			description: expect.stringContaining('Base URL') as string,
		});
	});
});

describe('a manual test', () => {
	it('gives the newest member alone, and leaves the cursor where it is', async () => {
		const poller = newPoller();
		await poller.poll();
		const before = poller.staticData;
		join('Ada', '2031-01-01T00:00:01Z');
		join('Bob', '2031-01-01T00:00:02Z');
		expect(names(await poller.test())).toEqual(['Bob']);
		expect(poller.staticData).toBe(before);
		expect(names(await poller.poll())).toEqual(['Ada', 'Bob']);
	});

	it('finds that member also where the listing begins with empty pages', async () => {
		join('Ada', '2031-01-01T00:00:01Z');
		sandbox.faults.add({ kind: 'emptyPages', at: 1, count: 2 });
		expect(names(await newPoller().test())).toEqual(['Ada']);
	});

	it('gives nothing where no member has the status', async () => {
		for (const { user_id, user_status } of sandbox.community.users.values()) {
			if (user_status === 4) sandbox.community.admit(user_id);
		}
		expect(await newPoller({ status: 4 }).test()).toEqual([]);
	});

	it('does not count as the first poll', async () => {
		const poller = newPoller();
		await poller.test();
		expect(poller.staticData).toBe('{}');
		expect(await poller.poll()).toEqual([]);
	});
});
