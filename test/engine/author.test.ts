import type { IDataObject } from 'n8n-workflow';
import { asked, byId, byMode } from '../support/community.mts';
import { ADA, GRACE, useKnownRecords } from '../support/known-records.mts';
import { runNode } from '../support/engine.mts';
import { fromList } from '../support/wire/table.mts';
import { action } from '../support/operations.mts';

const sandbox = useKnownRecords();

const WHO_AM_I = 'GET /api/v1/users/me';
const bodies = () => sandbox.requests.matching('POST').map(({ body }) => body as IDataObject);

describe('the author', () => {
	const write = [
		{
			parameters: action('post.create', {
				boardId: byId('900'),
				headline: 'News',
				content: 'All that is new',
			}),
			of: (body: IDataObject) => (body.authors as unknown[])[0],
		},
		{
			parameters: action('comment.create', { postId: '9100', content: 'Hi' }),
			of: (body: IDataObject) => body.author,
		},
		{
			parameters: action('reply.create', { commentId: '9200', content: 'Hi' }),
			of: (body: IDataObject) => body.author,
		},
	];

	it.each(write)(
		'of a $parameters.resource is the owner of the key by default',
		async ({ parameters, of }) => {
			const { items, error } = await runNode(sandbox, parameters);
			expect(error).toBeUndefined();
			expect(asked(sandbox)[0]).toBe(WHO_AM_I);
			expect(bodies().map(of)).toEqual([sandbox.community.caller.msid]);
			expect(items[0].json.user).toMatchObject({ msid: sandbox.community.caller.msid });
		},
	);

	it('is required if n8n has emptied the field, as after a change of the credential', async () => {
		const { parameters } = write[0];
		// n8n marks the field in the editor, and refuses to run the node. Only newer n8n names the field.
		await expect(runNode(sandbox, { ...parameters, author: fromList('') })).rejects.toThrow(
			/Parameter "Author" is required|The workflow has issues/,
		);
		expect(sandbox.requests.all).toEqual([]);
	});

	it.each(['list', 'username', 'email', 'id'])(
		'is refused if it has no value, by %s, and never taken for the owner of the key',
		async (mode) => {
			const author = byMode(mode, '={{ $json.nope ?? " " }}');
			const { error } = await runNode(sandbox, { ...write[0].parameters, author });
			expect(error?.message).toBe("The parameter 'Author' is empty in this item");
			expect(bodies()).toEqual([]);
		},
	);

	it('is refused in an update if it was emptied in the editor', async () => {
		const update = action('post.update', {
			postId: '9100',
			updateFields: { author: fromList(''), headline: 'New' },
		});
		const { error } = await runNode(sandbox, update);
		expect(error?.description).toContain("Choose an author, or 'Me'.");
		expect(bodies()).toEqual([]);
	});

	it('is looked up once per execution', async () => {
		const items = Array.from({ length: 7 }, () => ({}));
		await runNode(sandbox, write[1].parameters, { items });
		expect(asked(sandbox).filter((line) => line === WHO_AM_I)).toHaveLength(1);
		expect(bodies()).toHaveLength(7);
	});

	it('can be changed to the owner of the key', async () => {
		const { error } = await runNode(
			sandbox,
			action('post.update', { postId: '9100', updateFields: { author: fromList('me') } }),
		);
		expect(error).toBeUndefined();
		expect(sandbox.community.posts.get(9100)?.author_id).toBe(sandbox.community.caller.user_id);
	});

	it('is unknown if the key is refused, so nothing is written', async () => {
		sandbox.faults.add({ kind: 'status', status: 403, path: '/api/v1/users/me' });
		const { error } = await runNode(sandbox, write[0].parameters);
		expect(error?.httpCode).toBe('403');
		expect(asked(sandbox)).toEqual([WHO_AM_I]);
	});
});

describe('a user_id instead of an msid', () => {
	const toRole = (userId: unknown) =>
		action('user.updateRole', { userId: byId(userId), roleId: byId('5') });

	it('is looked up once', async () => {
		const items = [9001, '9002', ' 9001 '].map((id) => ({ id }));
		const { items: output, error } = await runNode(sandbox, toRole('={{ $json.id }}'), { items });
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.msid)).toEqual([ADA, GRACE, ADA]);
		expect(asked(sandbox).sort()).toEqual([
			// For the hint, which names the roles.
			'GET /api/v1/roles?page=1&page_size=50',
			...['GET /api/v1/users/9001', 'GET /api/v1/users/9002'],
			...[`PATCH /api/v1/users/${ADA}`, `PATCH /api/v1/users/${ADA}`],
			`PATCH /api/v1/users/${GRACE}`,
		]);
	});

	it.each([404, 400])('that the API does not find (%d) is reported', async (status) => {
		sandbox.faults.add({ kind: 'status', status, method: 'GET' });
		const { error } = await runNode(sandbox, toRole(288));
		expect(error?.message).toBe("No member with the ID '288' was found");
		expect(error?.description).toBe(
			'Check the ID, or enter the full member ID (msid), e.g. 42.a1b2c3. The API answered: "The sandbox was told to refuse this". Nothing was changed.',
		);
		expect(asked(sandbox)).toEqual(['GET /api/v1/users/288']);
	});

	it("that the key is not allowed to read is reported with the API's reason", async () => {
		sandbox.faults.add({ kind: 'status', status: 403, method: 'GET' });
		const { error } = await runNode(sandbox, toRole(288));
		expect(error?.message).toBe('The sandbox was told to refuse this');
		expect(error?.description).toContain("Or enter the full member ID (msid) instead of '288'.");
	});

	it('is recognized as the same member, so adding and removing both is refused', async () => {
		const { error } = await runNode(
			sandbox,
			action('board.updateMembers', {
				boardId: byId('900'),
				membersInput: 'text',
				addMembers: '9001',
				removeMembers: ADA,
			}),
		);
		expect(error?.message).toBe(`Member ${ADA} is both added and removed`);
		expect(sandbox.requests.matching('PUT')).toEqual([]);
	});
});

it('rows of members add access by default, and can name a member twice', async () => {
	const boardMembers = { members: [{ userId: fromList(ADA) }, { userId: fromList(ADA) }] };
	const parameters = { boardId: byId('900'), membersInput: 'list', boardMembers };
	await runNode(sandbox, action('board.updateMembers', parameters));
	expect(sandbox.requests.matching('PUT')[0].body).toEqual({ member_changes: { [ADA]: true } });
});
