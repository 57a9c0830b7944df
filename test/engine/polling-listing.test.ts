import type { IDataObject } from 'n8n-workflow';
import { range } from '../support/community.mts';
import { askedPage, serve, type TestServer } from '../support/servers.mts';
import { inTimeZone, Poller } from '../support/poller.mts';

const numbers = (items: Awaited<ReturnType<Poller['poll']>>) =>
	items.map(({ user_id }) => user_id as number);
const down = (from: number, to: number) => range(to, from).reverse();

/** Each joined a second after the member with the previous number. */
const member = (user_id: number, { zone = 'Z', ...fields }: IDataObject = {}): IDataObject => ({
	user_id,
	msid: `${user_id}.a`,
	user_status: 10,
	created_at: new Date(Date.UTC(2030, 0, 1) + user_id * 1000).toISOString().slice(0, 19) + zone,
	...fields,
});
const members = (from: number, to: number) => down(from, to).map((id) => member(id));

/** The server's pages, of 25 members unless set. It ignores page_size. */
let listing: IDataObject[];
let pageSize: number;
/** The delay of the server's clock. */
let behindMs: number;
/** The number of empty pages to insert after or before the first one. */
let emptyPages: { behind: number; count: number };
let server: TestServer;
let poller: Poller;

beforeEach(async () => {
	listing = members(100, 1);
	[pageSize, behindMs] = [25, 0];
	emptyPages = { behind: 0, count: 0 };
	server = await serve((request, response) => {
		const asked = askedPage(request);
		const { behind, count } = emptyPages;
		const isEmpty = asked > behind && asked <= behind + count;
		const page = asked > behind ? asked - count : asked;
		const records = isEmpty ? [] : listing.slice((page - 1) * pageSize, page * pageSize);
		const has_more = isEmpty || page * pageSize < listing.length ? 1 : 0;
		const date = new Date(Date.now() - behindMs).toUTCString();
		const headers = { 'content-type': 'application/json', date };
		response.writeHead(200, { ...headers, has_more });
		response.end(JSON.stringify(records));
	});
	poller = new Poller({ baseUrl: server.origin, sourceSystem: 'n8n', apiKey: 'key' });
});
afterEach(async () => await server.close());

describe('empty pages', () => {
	it('without an end prevent the trigger from starting, with a reason', async () => {
		emptyPages.count = 99;
		await expect(poller.poll()).rejects.toThrow('no new record');
		emptyPages.count = 0;
		await poller.poll();
		listing.unshift(member(101));
		expect(numbers(await poller.poll())).toEqual([101]);
	});

	it('between new and known members return the found ones first, then the failure', async () => {
		await poller.poll();
		listing.unshift(...members(125, 101));
		emptyPages = { behind: 1, count: 11 };
		expect(numbers(await poller.poll())).toEqual(range(101, 125));
		await expect(poller.poll()).rejects.toMatchObject({
			message: expect.stringContaining('no new record') as string,
			description:
				"Report the operation and the time to your community platform's support, because this list never ends.",
		});
		listing.unshift(member(126));
		expect(numbers(await poller.poll())).toEqual([126]);
		emptyPages.count = 0;
		expect(await poller.poll()).toEqual([]);
		listing.unshift(member(127));
		expect(numbers(await poller.poll())).toEqual([127]);
	});
});

it('a first page can contain 130,000 members', async () => {
	[listing, pageSize] = [members(130_000, 1), 150_000];
	expect(await poller.poll()).toEqual([]);
	expect(poller.staticData.length).toBeLessThan(200_000);
	pageSize = 25;
	listing.unshift(member(130_001));
	expect(numbers(await poller.poll())).toEqual([130_001]);
});

describe('members who joined at the same moment, as in an import', () => {
	const joined = (agoMs: number) => ({ created_at: new Date(Date.now() - agoMs).toISOString() });

	it('cost one request per poll after the moment is over', async () => {
		const moment = joined(300_000);
		listing = down(800, 1).map((id) => member(id, moment));
		await poller.poll();
		server.requests.length = 0;
		expect(await poller.poll()).toEqual([]);
		listing.unshift(member(801, joined(0)));
		expect(numbers(await poller.poll())).toEqual([801]);
		expect(server.requests).toHaveLength(2);
	});

	it("do not hide another one who joins at that moment, by the API's clock", async () => {
		behindMs = 300_000;
		const moment = joined(300_000);
		listing = down(1100, 1).map((id) => member(id, moment));
		await poller.poll();
		listing.splice(400, 0, member(1101, moment));
		expect(numbers(await poller.poll())).toEqual([1101]);
	});
});

describe('a listing that cannot be relied on', () => {
	const wrongOrder = 'is not sorted by sign-up date';

	it('fails if the oldest are first', async () => {
		listing.reverse();
		await expect(poller.poll()).rejects.toThrow(wrongOrder);
	});

	it('does not fail if a few members are out of order, because they were approved', async () => {
		listing.splice(1, 0, listing.pop() as IDataObject);
		listing.splice(9, 0, listing.pop() as IDataObject);
		await poller.poll();
		listing.unshift(member(101));
		expect(numbers(await poller.poll())).toEqual([101]);
	});

	it('fails if no member has an ID', async () => {
		const hidden = { msid: undefined, user_id: undefined, first_name: 'Ada' };
		listing = down(100, 1).map((id) => member(id, hidden));
		await expect(poller.poll()).rejects.toThrow('members without an ID');
	});
});

it('fails for a filter on roles if the API hides them, and no member is missed', async () => {
	const filters = { roleIds: '3' };
	const filtered = new Poller(
		{ baseUrl: server.origin, sourceSystem: 'n8n', apiKey: 'key' },
		{ filters },
	);
	await expect(filtered.poll()).rejects.toThrow('cannot see the roles');
	// The owner of the key sees at least the own one.
	listing = down(100, 1).map((id) => member(id, id === 99 ? { role_id: 3 } : {}));
	await expect(filtered.poll()).rejects.toThrow('cannot see the roles');
	listing = down(100, 1).map((id) => member(id, { role_id: 3 }));
	expect(await filtered.poll()).toEqual([]);
	listing = members(101, 1);
	await expect(filtered.poll()).rejects.toThrow('cannot see the roles');
	listing = down(102, 1).map((id) => member(id, id === 102 ? {} : { role_id: 3 }));
	expect(numbers(await filtered.poll())).toEqual([101]);
});

describe('a member', () => {
	const undated = (id: number) => member(id, { created_at: undefined });

	it('is found on a list that was empty at first, even without join times', async () => {
		listing = [];
		await poller.poll();
		listing = down(30, 1).map(undated);
		expect(numbers(await poller.poll())).toEqual(range(1, 30));
		listing.unshift(undated(31));
		expect(numbers(await poller.poll())).toEqual([31]);
	});

	it('is found by the position in the list if it has no join times', async () => {
		listing = down(100, 1).map(undated);
		await poller.poll();
		listing.unshift(...down(160, 101).map(undated));
		expect(numbers(await poller.poll())).toEqual(range(101, 160));
		listing.splice(3, 40);
		for (let polls = 0; polls < 3; polls++) expect(await poller.poll()).toEqual([]);
		listing.unshift(undated(161));
		expect(numbers(await poller.poll())).toEqual([161]);
	});

	it("is found by the API's clock, even if it is an hour behind", async () => {
		behindMs = 3_600_000;
		listing = down(100, 1).map(undated);
		await poller.poll();
		const created_at = new Date(Date.now() - behindMs + 5_000).toISOString();
		listing.unshift(member(101, { created_at }));
		expect(numbers(await poller.poll())).toEqual([101]);
	});

	it('has a join time in UTC if it contains no time zone', async () => {
		await inTimeZone('America/New_York', async () => {
			await poller.poll();
			// This machine's zone would make old members five hours younger.
			listing = [...members(100, 91), ...down(70, 1).map((id) => member(id, { zone: '' }))];
			expect(await poller.poll()).toEqual([]);
		});
	});
});
