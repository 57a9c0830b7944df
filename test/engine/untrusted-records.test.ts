import { answerWith, bendAnswers, type BentSandbox } from '../support/bending.mts';
import { byId } from '../support/community.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { action, updateRole } from '../support/operations.mts';
import { runNode } from '../support/engine.mts';

const sandbox = useKnownRecords();

let bent: BentSandbox | undefined;
afterEach(async () => {
	await bent?.close();
	bent = undefined;
});

/** Answers paths with this ending with the JSON. The sandbox answers all others. */
async function answering(bodies: Record<string, string>): Promise<BentSandbox['sandbox']> {
	bent = await bendAnswers(sandbox, (answer, _method, path) => {
		const end = Object.keys(bodies).find((each) => path.endsWith(each));
		if (end === undefined) return;
		answerWith(answer, null);
		answer.body = bodies[end];
		answer.headers.has_more = '0';
	});
	return bent.sandbox;
}

describe('Names that every JavaScript object has', () => {
	const ROLES = `[{"role_id":5,"role_name":"constructor"},{"role_id":6,"role_name":"__proto__"},{"role_id":7,"role_name":"toString"}]`;

	it.each([
		['a record', action('user.get', { userId: byId(ADA), simplify: false })],
		['an acknowledgement', updateRole(ADA, '5')],
	])("returns 'constructor' and '__proto__' as ordinary fields of %s", async (_, parameters) => {
		const record = `{"msid":"${ADA}","role_id":5,"__proto__":{"a":1},"constructor":"x","meta":{"toString":1}}`;
		const community = await answering({ roles: ROLES, [ADA]: record });
		const options = { includeRoleName: true };
		const { items } = await runNode(community, { ...parameters, options });
		const { json } = items[0];
		expect(Object.getOwnPropertyDescriptor(json, '__proto__')?.value).toEqual({ a: 1 });
		expect(json).toMatchObject({ constructor: 'x', role_name: 'constructor' });
	});

	it("counts roles named 'constructor' and '__proto__' like others", async () => {
		const users = [5, 6, 6, 7, 8].map((role_id, at) => ({ msid: `${at}.a`, role_id }));
		const community = await answering({ roles: ROLES, users: JSON.stringify(users) });
		const { items } = await runNode(community, { resource: 'user', operation: 'getCount' });
		expect(Object.entries(items[0].json.by_role as object)).toEqual(
			expect.arrayContaining([
				...[
					['constructor', 1],
					['__proto__', 2],
					['toString', 1],
					['8', 1],
				],
			]),
		);
	});

	it("refuses 'constructor' as the order of a list", async () => {
		const sort = { sortBy: 'constructor' };
		const { error } = await runNode(sandbox, action('tag.getAll', { sort }));
		expect(error?.message).toBe("'constructor' is not an option of 'Sort By'");
	});
});

describe('IDs in answers that are no single path segment', () => {
	const BAD = ['a/b', '7/b', '7.x?y=1', '%2e%2e', '7.%2fme', '..', '.', 'me', '7.a b', '7.\ud800'];
	const toRole = (mode: string, value: unknown) => ({
		...updateRole('', '5'),
		userId: { __rl: true, mode, value } as never,
	});
	const paths = () => bent?.requests.map(({ url = '' }) => url.split('?')[0]);

	it.each(BAD)('sends no change for a member found by username with the ID %j', async (msid) => {
		const page = JSON.stringify([{ msid, username: 'ada', first_name: 'Ada' }]);
		const community = await answering({ users: page });
		const { error } = await runNode(community, toRole('username', 'ada'));
		expect(error?.message).toMatch(/^No member has the username/);
		expect(new Set(paths())).toEqual(new Set(['/api/v1/users']));
	});

	it.each(BAD)('sends no change for a member read by number with the ID %j', async (msid) => {
		const community = await answering({ 7: JSON.stringify({ msid, user_id: 7 }) });
		const { error } = await runNode(community, toRole('id', '7'));
		expect(error?.message).toBe("The API did not return the full ID of the member '7'");
		expect(paths()).toEqual(['/api/v1/users/7']);
	});

	it.each(BAD)('sends no change for an owner of the API key with the ID %j', async (msid) => {
		const community = await answering({ me: JSON.stringify({ msid, user_id: 7 }) });
		const parameters = action('post.create', { boardId: byId('900') });
		const { error } = await runNode(community, { ...parameters, headline: 'x', content: 'x' });
		expect(error?.message).toBe("The API did not return the full ID of the member 'me'");
		expect(paths()).toEqual(['/api/v1/users/me']);
	});

	it.each(['..', '.', 'a/b', '9?x', '%2e%2e', ' ', 'mapping'])(
		'sends no change for a tag with the ID %j',
		async (tag_id) => {
			const tags = JSON.stringify([{ tag_id, name: 'howto', display_name: 'HowTo' }]);
			const community = await answering({ search: tags });
			const upsert = action('tag.upsert', { name: 'HowTo' });
			const { error } = await runNode(community, upsert);
			expect(error?.message).toBe('The API did not return the ID of this tag');
			expect(paths()).toEqual(['/api/v1/tags/search']);
		},
	);

	it('finds a member by email although another one has an unusable ID', async () => {
		const members = [
			{ msid: '7.\ud800', username: 'x', role_id: 5 },
			{ msid: ADA, username: 'ada' },
		];
		const community = await answering({ users: JSON.stringify(members) });
		const { items, error } = await runNode(community, toRole('email', 'ada@members.example'));
		expect(error).toBeUndefined();
		expect(items[0].json.msid).toBe(ADA);
	});
});

describe('Texts that the API returns as numbers', () => {
	const update = action('tag.update', { tagId: byId('9400') });

	it.each(['12345678901234567890', '1.50', '1e400'])(
		'does not write back a number that has lost digits: %s',
		async (number) => {
			const tag = `{"tag_id":9400,"name":"x","display_name":"x","description":${number}}`;
			const community = await answering({ 9400: tag });
			const { error } = await runNode(community, { ...update, updateFields: { ogTitle: 'New' } });
			expect(error?.message).toBe(
				"The node cannot read the current value of 'Description' exactly",
			);
			expect(error?.description).toBe(
				"Look up the current value in your community and enter it in 'Description'. Nothing was changed.",
			);
			expect(bent?.requests.map(({ method }) => method)).toEqual(['GET']);
		},
	);

	it('replaces a number that has lost digits, and keeps other numbers', async () => {
		const tag = '{"tag_id":9400,"name":"x","display_name":7,"description":12345678901234567890}';
		const community = await answering({ 9400: tag });
		const updateFields = { description: '12345678901234567890', name: 'x' };
		const { error } = await runNode(community, { ...update, updateFields });
		expect(error).toBeUndefined();
	});
});
