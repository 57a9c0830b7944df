import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { user } from '../../nodes/shared/records/types.ts';
import { byId } from '../support/community.mts';
import { ADA, GRACE, useKnownRecords } from '../support/known-records.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useKnownRecords();

async function only(parameters: INodeParameters): Promise<IDataObject> {
	const { items, error } = await runNode(sandbox, parameters);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(items[0].pairedItem).toEqual({ item: 0 });
	return items[0].json;
}

it.each<[string, INodeParameters, string]>([
	[
		'a board',
		action('board.get', { boardId: byId('900') }),
		'board_id board_name about is_private hidden_type hidden_type_name permission_for permission_for_name post_count last_posted_at',
	],
	[
		'a user',
		action('user.get', { userId: byId(ADA) }),
		'msid user_id username first_name email role_id user_status user_status_name post_count created_at',
	],
	[
		'a user from a list, with fewer fields',
		action('user.getAll', { limit: 1 }),
		'username first_name msid role_id user_status user_status_name created_at user_id user_avatar',
	],
	[
		'a post',
		action('post.get', { postId: '9100' }),
		'post_id board_id headline clean_text content post_status post_status_name comment_count created_at user',
	],
	[
		'a comment',
		action('comment.get', { commentId: '9200' }),
		'comment_id post_id clean_text comment_status comment_status_name state state_name reply_count created_at user',
	],
	[
		'a reply',
		action('reply.get', { replyId: '9300' }),
		'reply_id comment_id post_id clean_text status status_name state state_name created_at user',
	],
])('simplified, %s has these fields in this order', async (_, parameters, expected) => {
	const record = await only(parameters);
	expect(Object.keys(record)).toEqual(expected.split(' '));
	// The default output for a newcomer.
	expect(await only({ ...parameters, simplify: true })).toEqual(record);
});

describe('Options → Fields', () => {
	const options = { fields: ['comment_count', 'login_count'] };

	it.each([true, false])('returns these and the ID with Simplify %s', async (simplify) => {
		const get = action('user.get', { userId: byId(ADA), simplify, options });
		expect(Object.keys(await only(get))).toEqual(['msid', 'comment_count', 'login_count']);
	});

	it('include details in a list with Include Details', async () => {
		const listing = action('user.getAll', { limit: 1 });
		const record = await only({ ...listing, options: { ...options, includeDetails: true } });
		expect(record).toEqual({
			msid: expect.any(String),
			comment_count: 0,
			login_count: expect.any(Number),
		});
	});

	it.each([
		[
			['role_id', 'username'],
			['msid', 'role_id', 'role_name', 'username'],
		],
		[['username'], ['msid', 'username', 'role_name']],
	])("come with the role's name if requested: %j", async (fields, expected) => {
		const options = { fields, includeRoleName: true };
		const record = await only(action('user.get', { userId: byId(ADA), options }));
		expect(Object.keys(record)).toEqual(expected);
		expect(record.role_name).toBe('Member');
	});
});

it('the own status, which the API returns as text, is a number as in all other output', async () => {
	const record = await only({ resource: 'user', operation: 'getSelf' });
	expect(record).toMatchObject({ user_status: 10, user_status_name: 'ACTIVE' });
	const chosen = await only(action('user.getSelf', { options: { fields: ['user_status'] } }));
	expect(chosen.user_status).toBe(10);
});

describe('the output of an update contains its changes:', () => {
	it.each([
		['board', { boardId: byId('900') }, { icon: 'star' }, { icon: 'star', board_id: 900 }],
		['post', { postId: '9100' }, { content: 'a\nb' }, { content: 'a<br>b' }],
		[
			'user',
			{ userId: byId(ADA), hiddenFields: 'clear' },
			{ userDescription: 'Counts', lastName: 'Byron' },
			{ msid: ADA, user_description: 'Counts', last_name: 'Byron' },
		],
		['tag', { tagId: byId('9400') }, { ogTitle: 'New' }, { og_title: 'New' }],
	])('%s', async (resource, locator, updateFields, expected) => {
		const record = await only({ resource, operation: 'update', ...locator, updateFields });
		expect(record).toMatchObject(expected);
	});

	it.each([
		['comment', { commentId: '9200' }],
		['reply', { replyId: '9300' }],
	])('%s', async (resource, id) => {
		const record = await only({ resource, operation: 'update', ...id, content: 'a\nb' });
		expect(record.content).toBe('a<br>b');
		expect(record).toHaveProperty('clean_text');
	});

	it("but raw output is the API's answer", async () => {
		const record = await only(
			action('user.update', {
				userId: byId(ADA),
				simplify: false,
				hiddenFields: 'clear',
				updateFields: { lastName: 'Byron' },
			}),
		);
		expect(record).not.toHaveProperty('last_name');
	});
});

describe('raw,', () => {
	const raw = { simplify: false };
	const get = action('user.get', { userId: byId(GRACE) });

	const body = { user_id: 9002, msid: GRACE, user_status: 10, announced_later: { a: [1, null] } };

	it("a record is exactly the API's answer", async () => {
		sandbox.faults.add({ kind: 'text', text: JSON.stringify(body), times: 1 });
		expect(await only({ ...get, ...raw })).toEqual(body);
	});

	it('a record has every documented field with Include Empty Fields, and all other returned fields', async () => {
		sandbox.faults.add({ kind: 'text', text: JSON.stringify(body), times: 1 });
		const record = await only({ ...get, ...raw, options: { includeEmptyFields: true } });
		expect(Object.keys(record)).toEqual([...user.fields, 'announced_later']);
		expect(record).toMatchObject({ ...body, last_name: null });
	});
});
