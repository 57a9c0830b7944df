import { asked, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { Poller } from './poller.mts';

const sandbox = useSandbox({ members: 120 });
withoutBackoff();

// A second apart: within one instant, the order is not documented.
let seconds = 0;
const join = (first_name: string) =>
	sandbox.community.join({
		first_name,
		created_at: new Date(Date.UTC(2031, 0, 1, 0, 0, ++seconds)).toISOString(),
	});

async function idsOf(poller: Poller): Promise<number[]> {
	return (await poller.poll()).map(({ user_id }) => user_id as number);
}

/** Has something happen just before one request, counted from 0. */
function before(request: number, run: () => void): void {
	sandbox.faults.add({ kind: 'call', run, after: request, times: 1 });
}

it('give a member who moves to a page that was read already, because another one leaves, the next time', async () => {
	const poller = new Poller(sandbox);
	await poller.poll();
	const joined = range(1, 150).map((index) => join(`New ${index}`).user_id);
	before(2, () => sandbox.community.removeUser(joined[149]));
	const first = await idsOf(poller);
	expect(first).toHaveLength(149);
	const given = [...first, ...(await idsOf(poller)), ...(await idsOf(poller))];
	expect(given.sort((a, b) => a - b)).toEqual(joined);
});

it('read several pages as deep again, and then ask for one page', async () => {
	const poller = new Poller(sandbox);
	await poller.poll();
	for (const index of range(1, 80)) join(`New ${index}`);
	sandbox.requests.clear();
	for (let polls = 0; polls < 3; polls++) await poller.poll();
	const pages = asked(sandbox).map((url) => /[?&]page=\d+&page_size=\d+/.exec(url)?.[0].slice(1));
	const [first, second] = ['page=1&page_size=50', 'page=2&page_size=50'];
	expect(pages).toEqual([first, second, first, second, first]);
});

it('find a member who is approved while the sign-up is among the newest fifty', async () => {
	const poller = new Poller(sandbox);
	const waiting = sandbox.community.waitlist({ first_name: 'Ada' });
	await poller.poll();
	for (const index of range(1, 49)) join(`New ${index}`);
	expect(await idsOf(poller)).toHaveLength(49);
	sandbox.community.admit(waiting.user_id);
	expect(await idsOf(poller)).toEqual([waiting.user_id]);
	sandbox.community.changeUser(waiting.user_id, { user_status: -3 });
	expect(await idsOf(poller)).toEqual([]);
	sandbox.community.admit(waiting.user_id);
	expect(await idsOf(poller)).toEqual([]);
});
