import type { IDataObject } from 'n8n-workflow';
import { useSandbox } from '../support/community.mts';
import { Poller } from '../support/poller.mts';
import { deliver, member, useHosts } from '../support/trigger-hosts.mts';

const sandbox = useSandbox({ members: 120 });
const { listening } = useHosts(sandbox);

const people = [
	{ ...member(1), role_id: 3, email: 'ada@Example.com' },
	{ ...member(2), role_id: 14, email: 'grace@mail.example.org' },
	{ ...member(3), role_id: 14, email: 'eve@notexample.com' },
	{ ...member(4), email: 'zoe@BÜCHER.example' },
	...['a@evil.org@example.com', 'a@evil.org, b@example.com', 'example.com', '@example.com'].map(
		(email, at) => ({ ...member(5 + at), role_id: 99, email }),
	),
];
const event = (job_id: number, ...user: IDataObject[]) => ({
	event: 'member.joined',
	job_id,
	entities: { user },
});

describe('the filters of the webhook trigger', () => {
	it.each<[filters: IDataObject, msids: string[]]>([
		[{ roleIds: '3, 98' }, ['1.a']],
		[{ roleIds: [14, '3'] }, ['1.a', '2.a', '3.a']],
		[{ roleIds: ['14'] }, ['2.a', '3.a']],
		[{ roleIds: '={{ [3, "98"] }}' }, ['1.a']],
		[{ roleIds: '={{ "3,98" }}' }, ['1.a']],
		[{ roleIds: [] }, people.map(({ msid }) => msid)],
		[{ emailDomains: 'example.com; @EXAMPLE.org' }, ['1.a', '2.a']],
		[{ emailDomains: '.example.com. mail.example.org' }, ['1.a', '2.a']],
		[{ emailDomains: 'xn--bcher-kva.example' }, ['4.a']],
		[{ emailDomains: 'bu\u0308cher.example' }, ['4.a']],
		[{ roleIds: '14', emailDomains: '*.example.org' }, ['2.a']],
		[{ roleIds: '', emailDomains: ' ' }, people.map(({ msid }) => msid)],
	])("%j are applied to the delivery's values: %j", async (filters, msids) => {
		const host = await listening({ parameters: { filters } as never });
		for (const [at, person] of people.entries()) await deliver(host, event(at + 1, person));
		const returned = host.items as Array<{ user: IDataObject }>;
		expect(returned.map(({ user }) => user.msid)).toEqual(msids);
	});

	it.each(['emailDomains', 'roleIds'])('match no member if %s has no value', async (name) => {
		const filters = { [name]: '={{ $json.nope }}' };
		const host = await listening({ parameters: { filters } as never });
		expect((await deliver(host, event(1, ...people))).status).toBe(503);
		expect(host.executions).toEqual([]);
	});

	it('keep some members of a delivery, and acknowledge one without matches like an unselected event', async () => {
		const host = await listening({ parameters: { filters: { roleIds: '3' } } as never });
		await deliver(host, event(1, ...people));
		expect(host.items).toMatchObject([{ user: { msid: '1.a' } }]);
		const { status, data } = await deliver(host, event(2, people[1]));
		expect([status, data]).toEqual([200, { message: 'Event not selected' }]);
		expect(host.executions).toHaveLength(1);
	});
});

it('a manual test drops nothing', async () => {
	const parameters = { filters: { roleIds: '99' } };
	const host = await listening({ mode: 'manual', parameters } as never);
	await deliver(host, event(1, people[0]));
	expect(host.items).toMatchObject([{ user: { msid: '1.a' } }]);
});

describe('the filter of the polling trigger', () => {
	it('keeps the members with the roles, and remembers all', async () => {
		const poller = new Poller(sandbox, { filters: { roleIds: '22, 5' } });
		expect(await poller.poll()).toEqual([]);
		const join = (first_name: string, role_id: number) =>
			sandbox.community.join({ first_name, role_id });
		join('Ada', 22);
		join('Bob', 10);
		expect((await poller.poll()).map(({ first_name }) => first_name)).toEqual(['Ada']);
		join('Cid', 5);
		expect((await poller.poll()).map(({ first_name }) => first_name)).toEqual(['Cid']);
	});

	it.each([
		[{ roleIds: 'Champion' }, 'cannot be used: Champion'],
		[{ roleIds: ['3', 'Champion'] }, 'cannot be used: Champion'],
		[{ roleIds: { id: 3 } }, 'cannot be used: {"id":3}'],
	])('%j prevents activating the workflow', async (filters, message) => {
		const poller = new Poller(sandbox, { filters } as never);
		await expect(poller.activate('activate')).rejects.toThrow(message);
	});

	it('loses no member if its expression fails', async () => {
		const poller = new Poller(sandbox);
		expect(await poller.poll()).toEqual([]);
		const { msid } = sandbox.community.join();
		const failing = { filters: { roleIds: '={{ $json.role.map((role) => role) }}' } };
		await expect(poller.poll(failing)).rejects.toThrow();
		expect(await poller.poll()).toMatchObject([{ msid }]);
	});

	it('returns the newest of them in a manual test', async () => {
		const { msid } = sandbox.community.join({ first_name: 'Ada', role_id: 22 });
		sandbox.community.join({ first_name: 'Bob', role_id: 10 });
		const poller = new Poller(sandbox, { filters: { roleIds: '22' } });
		expect(await poller.test()).toMatchObject([{ msid }]);
	});
});
