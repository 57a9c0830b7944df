import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { asked, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { closedOrigin } from '../support/servers.mts';
import { Poller } from './poller.mts';

const sandbox = useSandbox({ members: 300 });
withoutBackoff();

const names = (items: IDataObject[]) => items.map(({ first_name }) => first_name);
const join = (first_name: string) => sandbox.community.join({ first_name });

async function started(parameters = {}): Promise<Poller> {
	const poller = new Poller(sandbox, parameters);
	await poller.poll(parameters);
	return poller;
}

/** The same community under a name of its own. */
const elsewhere = () => sandbox.baseUrl.replace('127.0.0.1', 'localhost');

describe('the same community under an address that is spelled otherwise', () => {
	it.each([
		['capitals', () => elsewhere().replace('http', 'HTTP').replace('localhost', 'LocalHost')],
		['one slash', () => elsewhere().replace('//', '/')],
		['a path that was pasted along', () => `${elsewhere()}/api/v1/`],
	])('goes on: %s', async (_, respelled) => {
		const poller = await started();
		poller.credential = { baseUrl: elsewhere() };
		await poller.poll();
		// No member who was known is left: only the address can tell.
		for (const { user_id } of [...sandbox.community.users.values()]) {
			if (user_id !== sandbox.community.callerId) sandbox.community.removeUser(user_id);
		}
		sandbox.community.changeUser(sandbox.community.callerId, { user_status: 0 });
		join('Ada');
		poller.credential = { baseUrl: respelled() };
		expect(names(await poller.poll())).toEqual(['Ada']);
	});
});

describe('the same community under another address', () => {
	it('goes on, with no more requests', async () => {
		const poller = await started();
		join('Ada');
		poller.credential = { baseUrl: elsewhere() };
		sandbox.requests.clear();
		expect(names(await poller.poll())).toEqual(['Ada']);
		expect(asked(sandbox)).toHaveLength(1);
		join('Bob');
		expect(names(await poller.poll())).toEqual(['Bob']);
		expect(asked(sandbox)).toHaveLength(2);
	});

	it.each([49, 60, 140, 730])('goes on when %d have joined since', async (count) => {
		const poller = await started();
		const joined = range(1, count).map((index) => join(`New ${index}`).first_name);
		poller.credential = { baseUrl: elsewhere() };
		expect(names(await poller.poll())).toEqual(joined);
	});

	it('keeps its place while nothing answers there', async () => {
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

	it('starts from now for another status', async () => {
		const poller = await started();
		sandbox.community.waitlist({ first_name: 'Ada' });
		poller.credential = { baseUrl: elsewhere() };
		expect(await poller.poll({ status: 4 })).toEqual([]);
	});
});

describe('another community', () => {
	let other: Sandbox;
	// Its members have the same numbers and, most of them, the same join times.
	beforeEach(async () => {
		other = await startSandbox({ members: 300, seed: 2 });
	});
	afterEach(async () => await other.close());

	it.each([0, 70])('starts from now, with %d who joined the other one', async (count) => {
		const poller = await started();
		poller.community = other;
		for (const index of range(1, count)) other.community.join({ first_name: `New ${index}` });
		expect(await poller.poll()).toEqual([]);
		other.community.join({ first_name: 'Ada' });
		expect(names(await poller.poll())).toEqual(['Ada']);
	});
});
