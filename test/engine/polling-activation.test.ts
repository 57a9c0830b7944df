import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';
import { range, useSandbox, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { loadedAgain, Poller } from '../support/poller.mts';

const sandbox = useSandbox({ members: 200 });
withoutBackoff();

const names = (items: IDataObject[]) => items.map(({ first_name }) => first_name);
const join = (first_name: string) => sandbox.community.join({ first_name });

/** A deactivated workflow, and members who joined since. */
async function switchedOff(joined: number): Promise<Poller> {
	const poller = new Poller(sandbox);
	await poller.activate('activate');
	for (const index of range(1, joined)) join(`New ${index}`);
	return poller;
}

describe('Activation by a person', () => {
	it('returns members who join after the activation, but not those who joined while the workflow was inactive', async () => {
		const poller = await switchedOff(130);
		expect(await poller.activate('activate')).toEqual([]);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
		expect(await poller.poll()).toEqual([]);
	});

	it.each([
		['with the next poll', async (poller: Poller) => await poller.poll()],
		// n8n retries in another mode.
		['when n8n tries again', async (poller: Poller) => await poller.activate('update')],
	])('starts from then on %s if the first poll gets no answer', async (_, again) => {
		const poller = await switchedOff(3);
		sandbox.faults.add({ kind: 'status', status: 403, times: 1 });
		await expect(poller.activate('activate')).rejects.toThrow();
		expect(await again(poller)).toEqual([]);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
	});
});

describe.each<[string, WorkflowActivateMode]>([
	['a restart of n8n', 'init'],
	['another main process that takes over', 'leadershipChange'],
	['a change to a workflow that is active', 'update'],
])('Polling trigger after %s', (_, mode) => {
	it('continues after the last poll, so that no member is missed', async () => {
		const poller = await switchedOff(3);
		expect(names(await poller.activate(mode))).toEqual(['New 1', 'New 2', 'New 3']);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
	});

	it('starts with later members if the trigger is new', async () => {
		const poller = new Poller(sandbox);
		expect(await poller.activate(mode)).toEqual([]);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
	});
});

it('misses no member during an update of the package, which reloads the trigger of an active workflow', async () => {
	const poller = new Poller(sandbox);
	poller.type = loadedAgain();
	await poller.activate('activate');
	join('Ada');
	poller.type = loadedAgain();
	expect(names(await poller.poll())).toEqual(['Ada']);
});

it('returns each member once if the package is updated during a poll', async () => {
	const poller = new Poller(sandbox);
	poller.type = loadedAgain();
	await poller.activate('activate');
	join('Ada');
	sandbox.settings.delayMs = 100;
	const before = poller.poll();
	poller.type = loadedAgain();
	const after = poller.poll();
	expect(names([...(await before), ...(await after)])).toEqual(['Ada']);
	join('Ida');
	expect(names(await poller.poll())).toEqual(['Ida']);
});

describe('First poll after a restart of n8n', () => {
	it('does not prevent publishing a workflow with a cursor if the first poll fails', async () => {
		const poller = (await switchedOff(2)).restarted();
		sandbox.faults.add({ kind: 'status', status: 403, times: 2 });
		expect(await poller.activate('init')).toEqual([]);
		expect(logged.join()).toContain('the first poll did not succeed, so the next one tries again');
		await expect(poller.poll()).rejects.toMatchObject({ httpCode: '403' });
		expect(names(await poller.poll())).toEqual(['New 1', 'New 2']);
	});

	it('fails if the first poll fails and the trigger has no cursor yet', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, times: 1 });
		await expect(new Poller(sandbox).activate('init')).rejects.toMatchObject({ httpCode: '403' });
	});
});

describe('Damaged static data', () => {
	/** A trigger whose first poll after a restart reads damaged data, of the node, of the workflow or of both. */
	async function damaged(change: (saved: IDataObject) => unknown, place = /./): Promise<Poller> {
		const poller = await switchedOff(3);
		const data = JSON.parse(poller.staticData) as Record<string, IDataObject>;
		for (const name of Object.keys(data).filter((each) => place.test(each))) {
			const [[key, saved]] = Object.entries(data[name]);
			data[name] = { [key]: change(saved as IDataObject) } as IDataObject;
		}
		return Object.assign(poller.restarted(), { staticData: JSON.stringify(data) });
	}
	const withCursor = (change: (cursor: IDataObject) => unknown) => (saved: IDataObject) => ({
		...saved,
		cursor: change(saved.cursor as IDataObject),
	});

	it.each<[string, (saved: IDataObject) => unknown]>([
		['text', () => 'text'],
		['null for a cursor', withCursor(() => null)],
		['text for a cursor', withCursor(() => 'text')],
		['a number for a cursor', withCursor(() => 5)],
		['a list for a cursor', withCursor(() => [])],
		['an empty cursor', withCursor(() => ({}))],
		['no members', withCursor((cursor) => ({ ...cursor, known: undefined }))],
		['members without a time', withCursor((cursor) => ({ ...cursor, known: [{ id: '1.a' }] }))],
		[
			'a page that does not exist',
			withCursor((cursor) => ({ ...cursor, resumeAt: { page: 0, lowest: 0 } })),
		],
		['no listing', withCursor((cursor) => ({ ...cursor, listing: 5 }))],
		[
			'text for a page',
			withCursor((cursor) => ({ ...cursor, resumeAt: { page: 'two', lowest: 0 } })),
		],
		['a time out of range', withCursor((cursor) => ({ ...cursor, oldBefore: 1e300 }))],
	])('starts over with a line in the log if the static data has %s', async (_, change) => {
		const poller = await damaged(change);
		logged.length = 0;
		expect(await poller.poll()).toEqual([]);
		expect(logged.filter((line) => line.includes('starts from now'))).toHaveLength(1);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
	});

	it.each(['node', 'global'])(
		'continues if only the static data of the %s are damaged',
		async (place) => {
			const change = withCursor(() => 'text');
			const poller = await damaged(change, new RegExp(place));
			expect(names(await poller.poll())).toEqual(['New 1', 'New 2', 'New 3']);
		},
	);
});

describe('Renamed node', () => {
	it('continues after a rename, even under a previous name', async () => {
		const poller = await switchedOff(1);
		poller.name = 'New members';
		expect(names(await poller.activate('update'))).toEqual(['New 1']);
		join('Ada');
		expect(names(await poller.poll())).toEqual(['Ada']);
		poller.name = 'Community';
		join('Bob');
		expect(names(await poller.activate('update'))).toEqual(['Bob']);
	});

	it('continues after a rename with durable poll cursors, which save no workflow data without an execution', async () => {
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
});

it("keeps separate cursors for two triggers in a workflow, even if one takes the other's name", async () => {
	const [members, waitlist] = [new Poller(sandbox), new Poller(sandbox, { status: 4 })];
	waitlist.name = 'Wait-list';
	const inTurn = async (...pollers: Poller[]) => {
		const returned: unknown[] = [];
		for (const poller of pollers) {
			// They share n8n's data of the workflow.
			const other = poller === members ? waitlist : members;
			returned.push(names(await poller.poll()));
			other.staticData = poller.staticData;
		}
		return returned;
	};
	expect(await inTurn(members, waitlist)).toEqual([[], []]);
	join('Ada');
	sandbox.community.waitlist({ first_name: 'Bob' });
	[members.name, waitlist.name] = [waitlist.name, members.name];
	expect(await inTurn(waitlist, members)).toEqual([['Bob'], ['Ada']]);
	expect(await inTurn(members, waitlist)).toEqual([[], []]);
});
