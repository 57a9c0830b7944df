import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { answerWith, bendAnswers } from '../support/bending.mts';
import { callAsTool } from '../support/agent.mts';
import { asked, asNewcomer, range } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { useMembers } from '../support/named-members.mts';
import { action, getUser } from '../support/operations.mts';

const { sandbox, run, active, change, pages, reads, writes } = useMembers();

const createOrGet = (email: string, options: INodeParameters = {}): INodeParameters =>
	action('user.createOrGet', { firstName: 'Ada', email, options });
const ofRows = (options?: INodeParameters) => createOrGet('={{ $json.email }}', options);
const oldest = () => active().at(-1)!;

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
		const { items: read } = await run(getUser(msid));
		expect(items[0].json).toEqual({ ...read[0].json, created: false });
	});

	it("searches the members once for many rows, and returns each row's member", async () => {
		const known = active()
			.slice(-5)
			.map(({ email }) => email);
		const emails = [...known, 'ada@new.example', 'bob@new.example', known[0]];
		const rows = emails.map((email) => ({ email }));
		const { items, error } = await run(ofRows(), rows);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => [json.email, json.created])).toEqual(
			emails.map((email) => [email, !known.includes(email)]),
		);
		// Each member once for the search, then each of the six once or twice for current data.
		expect(reads()).toBeLessThan(65 + 3 * 6);
	});

	it('creates one account for one address in two spellings', async () => {
		const rows = ['ada@new.example', 'Ada <ADA@new.example>'].map((email) => ({ email }));
		const { items } = await run(ofRows(), rows);
		const [one, other] = items.map(({ json }) => json);
		expect([one.created, other]).toEqual([true, { ...other, msid: one.msid, created: false }]);
		expect(writes()).toHaveLength(1);
	});

	it('sends rows with different addresses at the same time', async () => {
		sandbox.faults.add({ kind: 'slow', delayMs: 60, method: 'POST' });
		const rows = range(1, 8).map((at) => ({ email: `n${at}@new.example` }));
		const { items } = await run(ofRows(), rows);
		expect(items.map(({ json }) => json.email)).toEqual(rows.map(({ email }) => email));
		expect(sandbox.requests.maxInFlight).toBe(8);
	});

	it.each([
		[400, 'email is in use'],
		[409, 'exists'],
		[422, 'exists'],
	])('looks for the member after a refusal with %d', async (status, message) => {
		sandbox.faults.add({ kind: 'status', status, message, method: 'POST' });
		const { items } = await run(createOrGet(oldest().email));
		expect(items[0].json).toMatchObject({ msid: oldest().msid, created: false });
	});

	it.each([{}, { dryRun: true }])(
		'looks for all members in one search after failures: %j',
		async (more) => {
			const fault = { kind: 'status', status: 422, message: 'timezone is unknown' } as const;
			sandbox.faults.add({ ...fault, method: 'POST' });
			const items = range(1, 30).map((at) => ({ email: `n${at}@new.example` }));
			await run(ofRows(more), items, { onError: 'continueRegularOutput' });
			// One for the items that had started by then, which lists a second time after reading the members, and one for the
			// others. Three more pages show who joined in the meantime.
			expect(pages().length).toBeLessThanOrEqual(3 * new Set(pages()).size + 3);
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
		expect(writes()).toHaveLength(1);
	});

	it('with Stop, counts the members it created and found', async () => {
		const emails = [oldest().email, 'ada@new.example', 'refused@new.example'];
		sandbox.faults.add({ kind: 'status', status: 400, method: 'POST', after: 2, times: 1 });
		const items = emails.map((email) => ({ email }));
		const { error } = await run(ofRows({ maxRequestsAtOnce: 1 }), items);
		expect(error?.description).toMatch(/ Items already applied: 1\.$/);
		expect(writes()).toHaveLength(3);
	});

	it('creates the member once with Retry On Fail', async () => {
		const emails = ['ada@new.example', 'refused@new.example'].map((email) => ({ email }));
		sandbox.faults.add({ kind: 'status', status: 403, method: 'POST', after: 1, times: 1 });
		const { items } = await run(ofRows(), emails, { maxTries: 2 });
		expect(items.map(({ json }) => json.created)).toEqual([true, true]);
		expect(writes()).toHaveLength(3);
	});

	it('reports in a dry run which members it would create, and sends nothing', async () => {
		const { email, msid, username } = oldest();
		const emails = [{ email }, { email: 'ada@new.example' }];
		const { items } = await run(ofRows({ dryRun: true }), emails);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ msid, username, action: 'none', changes: {}, dry_run: true },
			{ action: 'create', changes: { email: { to: 'ada@new.example' } }, dry_run: true },
		]);
		expect(writes()).toEqual([]);
	});

	it('does not report "create" in a dry run if the result is unknown', async () => {
		const twins = [...sandbox.community.users.values()].slice(-2);
		for (const each of twins) change(each, { email: 'twin@members.example' });
		const { items } = await run(createOrGet('twin@members.example', { dryRun: true }));
		expect(items[0].json.error).toBe("2 members have the email address 'twin@members.example'");
	});

	it('counts in a dry run the members it would create, and reports none as "updated"', async () => {
		const { hints } = await run(createOrGet(oldest().email, { dryRun: true }));
		expect(hints[0]).toBe('Dry run: nothing was changed.');
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

	it.each(['who cannot be read', 'of a status that may not be listed'])(
		'does not report "create" in a dry run for a member %s',
		async (which) => {
			const isUnread = which === 'who cannot be read';
			const one = isUnread ? active()[5] : sandbox.community.members(-3, 'joined', 'desc')[0];
			if (isUnread)
				sandbox.faults.add({ kind: 'status', status: 403, path: `/api/v1/users/${one.msid}` });
			const bent = await bendAnswers(sandbox, (answer) => {
				const records = JSON.parse(answer.body) as IDataObject[];
				if (!isUnread && Array.isArray(records) && records[0]?.user_status === -3)
					answerWith(answer, { status: 'FORBIDDEN' }, 403);
			});
			const dryRun = createOrGet(one.email, { dryRun: true });
			const running = runNode({ ...sandbox, ...bent.sandbox }, dryRun, asNewcomer());
			const { items } = await running.finally(async () => await bent.close());
			expect(items[0].json.action).not.toBe('create');
		},
	);

	it.each([true, false])(
		'does not report an old member as created after a lost answer: applied %s',
		async (applied) => {
			const { email, msid } = active()[25];
			sandbox.faults.add({ kind: 'cut', method: 'POST', applied, times: 1 });
			const { items, error } = await run(createOrGet(email), undefined, { maxTries: 2 });
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ msid, created: false });
		},
	);

	it('returns the same fields for new and known members', async () => {
		const rows = [{ email: active()[0].email }, { email: 'new@members.example' }];
		const { items } = await run(ofRows(), rows);
		const [known, created] = items.map(({ json }) => Object.keys(json));
		expect(created).toEqual(known);
	});
});
