import { range } from '../support/community.mts';
import { serve, type TestServer } from '../support/servers.mts';
import { Poller } from './poller.mts';

const PAGE_SIZE = 25;
const numbers = (items: Awaited<ReturnType<Poller['poll']>>) =>
	items.map(({ user_id }) => user_id as number);

/** The numbers of the members, the newest first; each joined a second after the one below. */
let members: number[];
let server: TestServer;

// Gives pages of 25 members, whatever page_size says, without has_more.
beforeEach(async () => {
	members = range(1, 100).reverse();
	server = await serve((request, response) => {
		const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page'));
		const records = members.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((user_id) => ({
			user_id,
			msid: `${user_id}.a`,
			user_status: 10,
			created_at: new Date(Date.UTC(2030, 0, 1) + user_id * 1000).toISOString(),
		}));
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(records));
	});
});
afterEach(async () => await server.close());

const newPoller = () => new Poller({ baseUrl: server.origin, sourceSystem: 'n8n', apiKey: 'key' });

describe('pagination without has_more, in pages of 25', () => {
	it('gives no old member as a new one when others leave', async () => {
		const poller = newPoller();
		await poller.poll();
		members.splice(3, 5);
		expect(await poller.poll()).toEqual([]);
		members.unshift(101);
		expect(numbers(await poller.poll())).toEqual([101]);
	});

	it('reads on until all who joined are found', async () => {
		const poller = newPoller();
		await poller.poll();
		members.unshift(...range(101, 190).reverse());
		expect(numbers(await poller.poll())).toEqual(range(101, 190));
		expect(await poller.poll()).toEqual([]);
	});

	it('asks for one page again where there is nothing new', async () => {
		const poller = newPoller();
		await poller.poll();
		const before = server.requests.length;
		await poller.poll();
		expect(server.requests.length).toBe(before + 1);
	});

	it('ends with a page that brings nothing new', async () => {
		members = [];
		const poller = newPoller();
		await poller.poll();
		members = range(1, 30).reverse();
		expect(numbers(await poller.poll())).toEqual(range(1, 30));
	});
});
