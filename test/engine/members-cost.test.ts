import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asNewcomer, byId, range, useSandbox } from '../support/community.mts';
import { runNode, type RunOptions } from '../support/engine.mts';
import { action } from '../support/operations.mts';

describe('People by username and e-mail', () => {
	// The searched statuses.
	const STATUSES = 6;
	const sandbox = useSandbox({ members: 240, largestPage: 20 });

	const member = (mode: string, value: unknown) => ({ __rl: true, mode, value }) as never;
	const toRole = (userId: unknown): INodeParameters =>
		action('user.updateRole', { userId: userId as never, roleId: byId(10) });
	const byEmail = toRole(member('email', '={{ $json.email }}'));
	const run = async (items: IDataObject[], caller: object, more: RunOptions = {}) =>
		await runNode(sandbox, byEmail, { items, ...more, ...caller });
	const members = () => sandbox.community.members(10, 'joined', 'desc');
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
	/** Returns the number of requests since the last call. */
	const cost = () => {
		const { total } = sandbox.requests;
		sandbox.requests.clear();
		return total;
	};

	it('three events for three members take one search, then at most four requests each', async () => {
		const caller = asNewcomer();
		const wanted = [members().at(-5)!, members()[108], members()[5]];
		for (const [at, { email, msid }] of wanted.entries()) {
			const { items } = await run([{ email }], caller);
			expect(items[0].json.msid).toBe(msid);
			if (at > 0) expect(cost()).toBeLessThanOrEqual(4);
			else cost();
		}
	});

	it('five addresses in a loop, two of them unknown, take one search and the pages for each unknown one', async () => {
		const caller = asNewcomer();
		const known = [members()[144], members()[12], members()[84]].map(({ email }) => email);
		const addresses = [known[0], 'x@nowhere.example', known[1], 'y@nowhere.example', known[2]];
		for (const email of addresses)
			await run([{ email }], caller, { onError: 'continueRegularOutput' });
		expect(cost()).toBeLessThanOrEqual(everybody() + addresses.length + 3 * (pages() + STATUSES));
	});

	it('60 rows read each member once, and the second time read each row back', async () => {
		const caller = asNewcomer();
		const rows = 60;
		const step = Math.floor(members().length / rows);
		const items = range(0, rows - 1).map((at) => ({ email: members()[at * step].email }));
		await run(items, caller);
		expect(cost()).toBeLessThanOrEqual(everybody() + rows);
		await run(items, caller);
		expect(cost()).toBeLessThanOrEqual(2 * rows + STATUSES);
	});

	it('sixty usernames are found by reading pages', async () => {
		const parameters = toRole(member('username', '={{ $json.username }}'));
		const items = members()
			.slice(0, 60)
			.map(({ username }) => ({ username }));
		const caller = asNewcomer();
		for (let time = 1; time <= 2; time++) {
			const { error } = await runNode(sandbox, parameters, { items, ...caller });
			expect(error).toBeUndefined();
			expect(cost()).toBeLessThanOrEqual(60 + pages());
		}
	});
});
