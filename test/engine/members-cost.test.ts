import { byId, byMode, range } from '../support/community.mts';
import { msidsIn, useMembers } from '../support/named-members.mts';
import { action, getNamed } from '../support/operations.mts';

// Active members fill five pages.
const { sandbox, run, find, active } = useMembers({ members: 120 });

// The searched statuses.
const STATUSES = 6;
const toRole = (by: string) =>
	action('user.updateRole', { userId: byMode(by, '={{ $json.name }}'), roleId: byId(10) });
const createOrGet = action('user.createOrGet', { firstName: 'Ada', email: '={{ $json.name }}' });
/** The number of pages if all members had one status. */
const pages = () => Math.ceil(sandbox.community.users.size / 20);
/**
 * The requests of a search through all members: one for each member who can be found, and one for every page of each
 * status.
 */
const everybody = () => {
	const users = [...sandbox.community.users.values()];
	const readable = users.filter(({ user_status: status }) => status !== -100);
	return readable.length + pages() + STATUSES;
};
/** The number of requests of the last execution. */
const cost = () => sandbox.requests.total;
const ROWS = 40;
/** The names of members from all pages. */
const names = () => range(0, ROWS - 1).map((at) => ({ name: active()[at * 2].email }));

describe('the requests to find members', () => {
	it('for three members in three executions are one search, then at most four requests each', async () => {
		const wanted = [active().at(-5)!, active()[54], active()[5]];
		for (const [at, { email, msid }] of wanted.entries()) {
			expect(msidsIn(await run(toRole('email'), [{ name: email }]))).toEqual([msid]);
			if (at > 0) expect(cost()).toBeLessThanOrEqual(4);
		}
	});

	it('for five addresses in a loop, two of them unknown, are one search and the pages for each unknown one', async () => {
		const known = [active()[72], active()[6], active()[42]].map(({ email }) => email);
		let total = 0;
		for (const name of [known[0], 'x@nowhere.example', known[1], 'y@nowhere.example', known[2]]) {
			await run(toRole('email'), [{ name }]);
			total += cost();
		}
		expect(total).toBeLessThanOrEqual(everybody() + 5 + 3 * (pages() + STATUSES));
	});

	it('by email read each member once, and the second time read each row back', async () => {
		await run(toRole('email'), names());
		expect(cost()).toBeLessThanOrEqual(everybody() + ROWS);
		await run(toRole('email'), names());
		expect(cost()).toBeLessThanOrEqual(2 * ROWS + STATUSES);
	});

	it('by username list the pages if there are more than 50 names', async () => {
		const newest = active().slice(0, 60);
		const items = newest.map(({ username }) => ({ name: username }));
		for (let time = 1; time <= 2; time++) {
			const { error } = await run(toRole('username'), items);
			expect(error).toBeUndefined();
			expect(cost()).toBeLessThanOrEqual(60 + pages() + STATUSES);
		}
	});

	it.each([
		['Get', getNamed('email')],
		['Create or Get', createOrGet],
	])('for %s of remembered members read each once', async (_, parameters) => {
		await find('email', 'nobody@members.example');
		const { items } = await run(parameters, names());
		expect(items.map(({ json }) => ({ name: json.email }))).toEqual(names());
		expect(items.some(({ json }) => json.created)).toBe(false);
		expect(cost()).toBeLessThanOrEqual(ROWS + 3);
	});
});
