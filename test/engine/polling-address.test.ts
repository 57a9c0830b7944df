import type { IDataObject } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/server.mts';
import { asked, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { closedOrigin } from '../support/servers.mts';
import { Poller } from '../support/poller.mts';

const sandbox = useSandbox({ members: 300 });
withoutBackoff();

const names = (items: IDataObject[]) => items.map(({ first_name }) => first_name);
const join = (first_name: string) => sandbox.community.join({ first_name });

async function started(): Promise<Poller> {
	const poller = new Poller(sandbox);
	await poller.poll();
	return poller;
}

/** The same community under another host name. */
const elsewhere = () => sandbox.baseUrl.replace('127.0.0.1', 'localhost');

describe('the same community under another address', () => {
	it.each([1, 120])('continues if %d have joined since, without extra requests', async (count) => {
		const poller = await started();
		const joined = range(1, count).map((index) => join(`New ${index}`).first_name);
		poller.credential = { baseUrl: elsewhere() };
		sandbox.requests.clear();
		expect(names(await poller.poll())).toEqual(joined);
		expect(asked(sandbox)).toHaveLength(Math.ceil((count + 1) / 50));
	});

	it('keeps its cursor while nothing answers there', async () => {
		const poller = await started();
		const before = poller.staticData;
		join('Ada');
		poller.credential = { baseUrl: await closedOrigin() };
		poller.budgetMs = 300;
		await expect(poller.poll()).rejects.toThrow();
		poller.budgetMs = undefined;
		sandbox.faults.add({ kind: 'html', times: 1 });
		poller.credential = { baseUrl: elsewhere() };
		await expect(poller.poll()).rejects.toThrow('web page');
		expect(poller.staticData).toBe(before);
		expect(names(await poller.poll())).toEqual(['Ada']);
	});
});

// Its members have the same IDs and mostly the same join times.
it.each([0, 70])('with another community, a trigger starts over (%d joined)', async (count) => {
	const other = await startSandbox({ members: 300, seed: 2 });
	const poller = await started();
	poller.community = other;
	for (const index of range(1, count)) other.community.join({ first_name: `New ${index}` });
	expect(await poller.poll()).toEqual([]);
	other.community.join({ first_name: 'Ada' });
	expect(names(await poller.poll())).toEqual(['Ada']);
	await other.close();
});
