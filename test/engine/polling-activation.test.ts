import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';
import { range, useSandbox, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { Poller } from './poller.mts';

const sandbox = useSandbox({ members: 200 });
withoutBackoff();

const names = (items: IDataObject[]) => items.map(({ first_name }) => first_name);
const join = (first_name: string) => sandbox.community.join({ first_name });

/** A workflow that was active and was switched off, after which a number of members joined. */
async function switchedOff(joined: number): Promise<Poller> {
	const poller = new Poller(sandbox);
	await poller.activate('activate');
	for (const index of range(1, joined)) join(`New ${index}`);
	return poller;
}

describe('a person who switches the workflow on again', () => {
	it('gets the members who join from then on, not those who joined while it was off', async () => {
		const poller = await switchedOff(130);
		expect(await poller.activate('activate')).toEqual([]);
		expect(await poller.poll()).toEqual([]);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
		expect(await poller.poll()).toEqual([]);
	});

	it('gets the same though a poll from before is still at work', async () => {
		const poller = await switchedOff(3);
		sandbox.settings.delayMs = 50;
		const last = poller.poll();
		const first = poller.activate('activate');
		expect(names(await last)).toEqual(['New 1', 'New 2', 'New 3']);
		expect(await first).toEqual([]);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
	});

	it('starts with the next poll where the first one gets no answer', async () => {
		const poller = await switchedOff(3);
		sandbox.faults.add({ kind: 'status', status: 403, times: 1 });
		await expect(poller.activate('activate')).rejects.toThrow();
		join('Ada');
		expect(await poller.poll()).toEqual([]);
		join('Bob');
		expect(names(await poller.poll())).toEqual(['Bob']);
	});

	it('starts from now also where n8n tries again in another mode', async () => {
		const poller = await switchedOff(3);
		sandbox.faults.add({ kind: 'status', status: 403, times: 1 });
		await expect(poller.activate('activate')).rejects.toThrow();
		expect(await poller.activate('update')).toEqual([]);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
	});
});

const GOING_ON: Array<[string, WorkflowActivateMode]> = [
	['a restart of n8n', 'init'],
	['another main process that takes over', 'leadershipChange'],
	['a change to a workflow that is active', 'update'],
];

it.each(GOING_ON)('%s goes on, so that no member is missed', async (_, mode) => {
	const poller = await switchedOff(3);
	expect(names(await poller.activate(mode))).toEqual(['New 1', 'New 2', 'New 3']);
	join('Ada');
	expect(names(await poller.poll())).toEqual(['Ada']);
});

it.each(GOING_ON)('%s starts from now where the trigger is new', async (_, mode) => {
	const poller = new Poller(sandbox);
	expect(await poller.activate(mode)).toEqual([]);
	join('Ada');
	expect(names(await poller.poll())).toEqual(['Ada']);
});

describe('the first poll after a restart of n8n', () => {
	it('does not keep a workflow with a cursor from being published when it fails', async () => {
		const before = await switchedOff(2);
		const poller = before.restarted();
		sandbox.faults.add({ kind: 'status', status: 403, times: 2 });
		expect(await poller.activate('update')).toEqual([]);
		expect(logged.join()).toContain('the first poll did not get through, the next one tries again');
		await expect(poller.poll()).rejects.toMatchObject({ httpCode: '403' });
		expect(names(await poller.poll())).toEqual(['New 1', 'New 2']);
	});

	it('fails where the trigger has no cursor yet', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, times: 1 });
		await expect(new Poller(sandbox).activate('init')).rejects.toMatchObject({ httpCode: '403' });
	});
});

describe('a node that is renamed', () => {
	it('goes on, also under a name that it had before', async () => {
		const poller = await switchedOff(1);
		poller.name = 'New members';
		expect(names(await poller.activate('update'))).toEqual(['New 1']);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
		poller.name = 'Community';
		join('Bob');
		expect(names(await poller.activate('update'))).toEqual(['Bob']);
	});

	it('leaves nothing to another node that takes its name', async () => {
		const poller = await switchedOff(1);
		const other = new Poller(sandbox);
		other.staticData = poller.staticData;
		expect(await other.activate('update')).toEqual([]);
		join('Ada');
		expect(names(await other.poll())).toEqual(['Ada']);
	});

	it('starts from now when it was switched off under another name', async () => {
		const poller = await switchedOff(0);
		poller.name = 'New members';
		await poller.activate('update');
		join('Ada');
		await poller.activate('activate');
		poller.name = 'Community';
		join('Bob');
		expect(names(await poller.activate('update'))).toEqual(['Bob']);
	});
});

it('with durable poll cursors, which keep nothing of the workflow without an execution, a trigger goes on', async () => {
	const poller = new Poller(sandbox);
	poller.isDurable = true;
	await poller.poll();
	join('Ada');
	expect(names(await poller.poll())).toEqual(['Ada']);
	expect(await poller.poll()).toEqual([]);
	poller.name = 'New members';
	join('Bob');
	expect(names(await poller.poll())).toEqual(['Bob']);
});
