import { ANY_EVENT, EVENTS } from '../../nodes/CommunityPlatformTrigger/properties.ts';
import { MEMBER_EVENTS } from '../../nodes/shared/events.ts';
import type { User } from '../../sandbox/records.mts';
import { useSandbox } from '../support/community.mts';
import { deliver, joined, useHosts } from '../support/trigger-hosts.mts';

const sandbox = useSandbox({ members: 30 });
const { listening, rows } = useHosts(sandbox);

describe('Confirm with API', () => {
	const confirming = { parameters: { confirmWithApi: true } };

	function delivery(msid: string, job = 1) {
		return { ...joined(job), entities: { user: [{ msid, first_name: 'Forged', email: 'f@x.y' }] } };
	}

	it.each([true, 'true'])("returns the API's own record (%j)", async (confirmWithApi) => {
		const host = await listening({ parameters: { confirmWithApi } });
		const { msid, first_name, email } = sandbox.community.caller;
		await deliver(host, delivery(msid));
		expect(host.items).toMatchObject([{ user: { msid, first_name, email, banner: null } }]);
	});

	const happen: Record<string, () => User> = {
		'member.joined': () => sandbox.community.join(),
		'member.joined_waitlist': () => sandbox.community.waitlist(),
	};

	it('has a case for every documented event', () => {
		const documented = EVENTS.map(({ value }) => value).filter((value) => value !== ANY_EVENT);
		expect(Object.keys(happen)).toEqual(documented);
	});

	it.each(Object.entries(happen))('returns the member of the event %s', async (event, happens) => {
		const host = await listening({ parameters: { confirmWithApi: true, events: ['*'] } });
		const { msid } = happens();
		await deliver(host, { event, job_id: 1, entities: { user: [{ msid }] } });
		expect(host.items).toMatchObject([{ event, user: { msid } }]);
	});

	it('keeps an event about a member who is gone if the table of events says so', async () => {
		MEMBER_EVENTS.set('member.left', { isThere: false });
		const host = await listening({ parameters: { confirmWithApi: true, events: ['*'] } });
		await deliver(host, { ...delivery('999.ffff'), event: 'member.left' });
		MEMBER_EVENTS.delete('member.left');
		expect(host.items).toMatchObject([{ event: 'member.left', user: { msid: '999.ffff' } }]);
	});

	it('waits up to two seconds for a member whom reads do not find yet', async () => {
		const host = await listening(confirming);
		const { msid } = sandbox.community.caller;
		sandbox.faults.add({ kind: 'status', status: 404, path: `/api/v1/users/${msid}`, times: 2 });
		await deliver(host, delivery(msid));
		expect(host.items).toMatchObject([{ user: { msid } }]);
	});

	it.each(['999.ffff', '101.wrong', 'me', '../roles', '101.a/../../roles', '', '101.a?x=1'])(
		'drops a member who does not exist: %j',
		async (msid) => {
			const host = await listening(confirming);
			await deliver(host, delivery(msid));
			expect(host.executions).toMatchObject([{ items: [] }]);
			expect(host.executions[0].error).toBeUndefined();
			const asked = sandbox.requests.all.map(({ path }) => path);
			expect(asked.filter((path) => !/^\/api\/v1\/users\/\d+\.\w+$/.test(path))).toEqual([]);
		},
	);

	it.each(['7.\ud800', '7.%2e%2e', '7./', 5])('drops only the member with %j', async (msid) => {
		const host = await listening(confirming);
		const { caller } = sandbox.community;
		const user = [{ msid }, { msid: caller.msid }];
		await deliver(host, { ...joined(1), entities: { user } });
		expect(host.executions[0].error).toBeUndefined();
		expect(host.items).toMatchObject([{ user: { msid: caller.msid } }]);
		expect(sandbox.requests.all).toHaveLength(1);
	});

	it.each<[string, object]>([
		['another member', { user_id: 8 }],
		['another sid', { user_id: 7, msid: '7.real' }],
		['an error body', { status: 'NOT_FOUND', message: 'ERR_V1 | no such user' }],
	])('drops a member if status 200 does not confirm them: %s', async (_, body) => {
		const host = await listening(confirming);
		sandbox.faults.add({ kind: 'status', status: 200, body });
		await deliver(host, delivery('7.forged'));
		expect(host.executions).toMatchObject([{ items: [] }]);
		expect(host.executions[0].error).toBeUndefined();
	});

	it.each([
		['refuses', { status: 'FORBIDDEN', message: 'ERR_V1 | not for you' }, 'Not for you'],
		['answers with nothing', {}, "The community's answer did not contain the requested record"],
	])('fails visibly when the API %s with status 200', async (_, body, message) => {
		const host = await listening(confirming);
		sandbox.faults.add({ kind: 'text', text: JSON.stringify(body) });
		await deliver(host, delivery('7.b'));
		expect(host.executions[0].error?.message).toBe(message);
		expect(rows.size).toBe(0);
	});

	it('accepts a made-up member in a manual test', async () => {
		const host = await listening({ ...confirming, mode: 'manual' });
		await deliver(host, delivery('999.ffff'));
		expect(host.items).toMatchObject([{ user: { msid: '999.ffff', first_name: 'Forged' } }]);
	});

	it('fails visibly if the API cannot answer, records nothing, and can be retried', async () => {
		const host = await listening(confirming);
		sandbox.faults.add({ kind: 'status', status: 403 });
		const body = delivery(sandbox.community.caller.msid);
		await deliver(host, body);
		const { error, items } = host.executions[0];
		expect(items).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '403' });
		expect(error?.description).toContain('API Key');
		expect(rows.size).toBe(0);
		sandbox.faults.clear();
		await host.retry(host.executions[0]);
		expect(host.items).toHaveLength(1);
		await deliver(host, body);
		expect(host.items).toHaveLength(1);
	});

	it.each([
		{ kind: 'html' as const, status: 404 },
		{ kind: 'status' as const, status: 404, body: { status: 404, message: 'no such route' } },
	])('treats a 404 that is not from the API as a failure: %j', async (fault) => {
		const host = await listening(confirming);
		sandbox.faults.add(fault);
		await deliver(host, delivery('999.ffff'));
		expect(host.executions[0].error).toMatchObject({ name: 'NodeApiError', httpCode: '404' });
	});
});
