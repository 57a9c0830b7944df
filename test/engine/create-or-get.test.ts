import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/faults.mts';
import { asNewcomer, asked, useSandbox, withoutBackoff } from '../support/community.mts';
import { callAsTool } from '../support/agent.mts';
import { runNode, type RunOptions } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useSandbox({ members: 65, largestPage: 20 });
withoutBackoff();

const createOrGet = (email: string, options: INodeParameters = {}): INodeParameters =>
	action('user.createOrGet', { firstName: 'Ada', email, options });
const oldest = () => sandbox.community.members(10, 'joined', 'asc')[0];
const created = () => asked(sandbox).filter((line) => line.startsWith('POST')).length;
const run = async (parameters: INodeParameters, options: RunOptions = {}) =>
	await runNode(sandbox, parameters, { ...asNewcomer(), ...options });

describe('User → Create or Get', () => {
	it('creates a member with one request', async () => {
		const { items, hints } = await run(createOrGet('ada@new.example'));
		expect(items[0].json).toMatchObject({ first_name: 'Ada', created: true });
		expect(asked(sandbox)).toEqual(['POST /api/v1/users']);
		expect(hints).toEqual([]);
	});

	it('returns the member who already has the address like Get, from any page, with the same fields each time', async () => {
		const { msid, email } = oldest();
		const { items } = await run(createOrGet(` ${email.toUpperCase()} `));
		const byId = { __rl: true, mode: 'id', value: msid } as never;
		const { items: read } = await run(action('user.get', { userId: byId }));
		expect(items[0].json).toEqual({ ...read[0].json, created: false });
	});

	it("searches the members once for many rows, and returns each row's member", async () => {
		const members = sandbox.community.members(10, 'joined', 'asc').slice(0, 5);
		const emails = [...members.map(({ email }) => email), 'ada@new.example', 'bob@new.example'];
		const { items, error } = await run(createOrGet('={{ $json.email }}'), {
			items: [...emails, members[0].email].map((email) => ({ email })),
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.created)).toEqual([
			...[false, false, false, false, false, true, true, false],
		]);
		expect(items.map(({ json }) => json.email)).toEqual([...emails, members[0].email]);
		const reads = asked(sandbox).filter((line) => /users\/\d/.test(line));
		// Each member once for the search, then each of the six once or twice for current data.
		expect(reads.length).toBeLessThan(65 + 3 * 6);
	});

	it.each<[string, Fault]>([
		['400', { kind: 'status', status: 400, message: 'email is in use', method: 'POST' }],
		['409', { kind: 'status', status: 409, message: 'exists', method: 'POST' }],
		['422', { kind: 'status', status: 422, message: 'exists', method: 'POST' }],
	])('looks for the member after a refusal with %s', async (_, fault) => {
		sandbox.faults.add(fault);
		const { items } = await run(createOrGet(oldest().email));
		expect(items[0].json).toMatchObject({ msid: oldest().msid, created: false });
	});

	it.each([{}, { dryRun: true }])(
		'looks for all members in one search after failures: %j',
		async (more) => {
			const fault = { kind: 'status', status: 422, message: 'timezone is unknown' } as const;
			sandbox.faults.add({ ...fault, method: 'POST' });
			const items = Array.from({ length: 50 }, (_, at) => ({ email: `n${at}@new.example` }));
			const parameters = createOrGet('={{ $json.email }}', more);
			await run(parameters, { items, onError: 'continueRegularOutput' });
			const lists = asked(sandbox).filter((line) => line.includes('/users?'));
			// One for the first of them, one for those who joined in the meantime, and again the pages between which members
			// were read.
			expect(lists.length).toBeLessThanOrEqual(2 * new Set(lists).size + 3);
		},
	);

	it.each([403, 404, 500])('does not look for the member after %d', async (status) => {
		sandbox.faults.add({ kind: 'status', status, message: 'no', method: 'POST' });
		const { error } = await run(createOrGet(oldest().email, { maxRetries: 0 }));
		expect(error?.message).toBe('No');
		expect(asked(sandbox)).toEqual(['POST /api/v1/users']);
	});

	it("reports the API's refusal if no member has the address", async () => {
		const message = 'email is not accepted';
		sandbox.faults.add({ kind: 'status', status: 400, message, method: 'POST' });
		const { error } = await run(createOrGet('ada@refused.example'));
		expect(error?.message).toBe('Email is not accepted');
		expect(error?.description).toBe(
			"Check 'Email'. No member has the email address 'ada@refused.example'. Nothing was changed.",
		);
		expect(created()).toBe(1);
	});

	it.each([
		[['none@new.example'], / Items already applied: 1\. The other items were not processed\./],
		[[], / Items already applied: 1\.$/],
	])(
		'with Stop, counts the members it found, and creates none after a refused one: %j',
		async (behind, said) => {
			const emails = [oldest().email, 'ada@new.example', 'refused@new.example', ...behind];
			sandbox.faults.add({ kind: 'status', status: 400, method: 'POST', after: 2, times: 1 });
			const items = emails.map((email) => ({ email }));
			const { error } = await run(createOrGet('={{ $json.email }}'), { items });
			expect(error?.description).toMatch(said);
			expect(created()).toBe(3);
		},
	);

	it('creates the member once with Retry On Fail', async () => {
		const emails = ['ada@new.example', 'refused@new.example'].map((email) => ({ email }));
		sandbox.faults.add({ kind: 'status', status: 403, method: 'POST', after: 1, times: 1 });
		const options = { items: emails, maxTries: 2 };
		const { items } = await run(createOrGet('={{ $json.email }}'), options);
		expect(items.map(({ json }) => json.created)).toEqual([true, true]);
		expect(created()).toBe(3);
	});

	it('reports in a dry run which members it would create, and sends nothing', async () => {
		const { email, msid, username } = oldest();
		const emails = [{ email }, { email: 'ada@new.example' }];
		const dryRun = createOrGet('={{ $json.email }}', { dryRun: true });
		const { items } = await run(dryRun, { items: emails });
		expect(items.map(({ json }) => json)).toMatchObject([
			{ msid, username, action: 'none', changes: {}, dry_run: true },
			{ action: 'create', changes: { email: { to: 'ada@new.example' } }, dry_run: true },
		]);
		expect(created()).toBe(0);
	});

	it('does not report "create" in a dry run if the result is unknown', async () => {
		const twins = [...sandbox.community.users.values()].slice(-2);
		for (const each of twins) Object.assign(each, { email: 'twin@members.example' });
		const { items } = await run(createOrGet('twin@members.example', { dryRun: true }));
		expect(items[0].json.error).toBe("2 members have the email address 'twin@members.example'");
	});

	it('counts in a dry run the members it would create, and reports none as "updated"', async () => {
		const { hints } = await run(createOrGet(oldest().email, { dryRun: true }));
		expect(hints[0]).toBe('Dry run: nothing was changed. 0 of 1 would be created.');
	});

	it('is a tool', async () => {
		const parameters = { ...createOrGet("={{ $fromAI('email') }}"), options: {} };
		const { answers } = await callAsTool(sandbox, parameters, { email: oldest().email });
		const [member] = JSON.parse(answers[0]) as object[];
		expect(member).toMatchObject({ msid: oldest().msid, created: false });
	});

	it('is suggested if Create finds that the member exists', async () => {
		const create = { ...createOrGet(oldest().email), operation: 'create' };
		const { error } = await run(create);
		expect(error?.description).toContain("If the member already exists, use 'Create or Get'.");
	});
});
