import type { IDataObject, INodeParameters } from 'n8n-workflow';
import * as records from '../../nodes/shared/records/types.ts';
import { openApi } from '../../sandbox/openapi.mts';
import { byId, useSandbox } from '../support/community.mts';
import { ADA, addKnownRecords, GRACE, STILL } from '../support/known.mts';
import { runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

const AUTHOR = {
	...{ user_id: 9001, user_avatar: 'https://images.example/ada.png', username: 'ada', msid: ADA },
};
const AT = '2025-01-02T03:04:05Z';

async function only(parameters: INodeParameters): Promise<IDataObject> {
	const { items, error } = await runNode(sandbox, parameters);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(items[0].pairedItem).toEqual({ item: 0 });
	return items[0].json;
}

/** The record as a list of its fields, so that their order counts too. */
const inOrder = (record: object) => Object.entries(record);

describe('simplified,', () => {
	it.each([
		[
			'a board',
			{ resource: 'board', operation: 'get', boardId: byId('900') },
			{
				board_id: 900,
				board_name: 'Insiders',
				about: 'For insiders',
				is_private: true,
				hidden_type: 2,
				hidden_type_name: 'BOARD_MEMBERS',
				permission_for: 5,
				permission_for_name: 'ADMINS_AND_MODERATORS',
				needs_approval: true,
				post_count: 1,
			},
		],
		[
			'a user',
			{ resource: 'user', operation: 'get', userId: byId(ADA) },
			{
				msid: ADA,
				user_id: 9001,
				username: 'ada',
				first_name: 'Ada',
				email: 'ada@members.example',
				role_id: 10,
				user_status: 10,
				user_status_name: 'ACTIVE',
				post_count: 3,
				created_at: AT,
			},
		],
		[
			'a user of a list, which has fewer fields',
			{ resource: 'user', operation: 'getAll', limit: 1 },
			{
				msid: GRACE,
				user_id: 9002,
				username: 'member9002',
				user_avatar: null,
				first_name: 'Grace',
				role_id: 10,
				user_status: 10,
				user_status_name: 'ACTIVE',
				created_at: AT,
			},
		],
		[
			'a post',
			{ resource: 'post', operation: 'get', postId: '9100' },
			{
				post_id: 9100,
				board_id: 900,
				headline: 'First post',
				clean_text: 'Hello',
				post_status: 15,
				post_status_name: 'ACTIVE',
				comment_count: 1,
				view_count: 7,
				created_at: AT,
				user: AUTHOR,
			},
		],
		[
			'a comment',
			{ resource: 'comment', operation: 'get', commentId: '9200' },
			{
				comment_id: 9200,
				post_id: 9100,
				clean_text: 'Hello',
				comment_status: 15,
				comment_status_name: 'ACTIVE',
				state: 0,
				state_name: 'DEFAULT',
				reply_count: 1,
				created_at: AT,
				user: AUTHOR,
			},
		],
		[
			'a reply',
			{ resource: 'reply', operation: 'get', replyId: '9300' },
			{
				reply_id: 9300,
				comment_id: 9200,
				post_id: 9100,
				clean_text: 'Hello',
				status: 15,
				status_name: 'ACTIVE',
				state: 9,
				state_name: 'MODERATED',
				created_at: AT,
				user: AUTHOR,
			},
		],
	])('%s has these fields in this order', async (_, parameters, expected) => {
		const record = await only(parameters);
		expect(inOrder(record)).toEqual(inOrder(expected));
		expect(Object.keys(record).length).toBeLessThanOrEqual(10);
		// It is what a newcomer gets without choosing anything.
		expect(await only({ ...parameters, simplify: true })).toEqual(record);
	});

	it.each([
		['user', 'user_status', { userId: byId(ADA) }],
		['post', 'post_status', { postId: '1' }],
		['comment', 'comment_status', { commentId: '1' }],
		['comment', 'state', { commentId: '1' }],
		['reply', 'status', { replyId: '1' }],
		['reply', 'state', { replyId: '1' }],
	])('a %s has null for an unknown or missing %s', async (resource, field, named) => {
		for (const code of [7777, -1, 'toString', null, undefined]) {
			const id = resource === 'user' ? { msid: ADA } : { [`${resource}_id`]: 1 };
			const body = JSON.stringify({ ...id, [field]: code });
			sandbox.faults.add({ kind: 'text', text: body, times: 1 });
			const record = await only({ resource, operation: 'get', ...named });
			expect(record).toMatchObject({ [field]: code ?? null, [`${field}_name`]: null });
		}
	});

	it('names a code that comes as text', async () => {
		// The sample of the self details gives user_status as a string (docs/api/README.md, "User").
		expect(await only({ resource: 'user', operation: 'getSelf' })).toMatchObject({
			...{ user_status: '10', user_status_name: 'ACTIVE' },
		});
	});
});

describe('what an update has changed is part of what it gives:', () => {
	it.each([
		['board', { boardId: byId('900') }, { icon: 'star' }, { icon: 'star', board_id: 900 }],
		['post', { postId: '9100' }, { content: '<p>New</p>' }, { content: '<p>New</p>' }],
		[
			'user',
			{ userId: byId(ADA), hiddenFields: 'clear' },
			{ userDescription: 'Counts', lastName: 'Byron' },
			{ msid: ADA, user_description: 'Counts', last_name: 'Byron' },
		],
		['tag', { tagId: byId('9400') }, { ogTitle: 'New' }, { og_title: 'New' }],
	])('%s', async (resource, locator, updateFields, given) => {
		const record = await only({ resource, operation: 'update', ...locator, updateFields });
		expect(record).toMatchObject(given);
	});

	it.each([
		['comment', { commentId: '9200' }],
		['reply', { replyId: '9300' }],
	])('%s', async (resource, id) => {
		const record = await only({ resource, operation: 'update', ...id, content: '<p>New</p>' });
		expect(record.content).toBe('<p>New</p>');
		expect(record).toHaveProperty('clean_text');
	});

	it('but raw, it is what the API answered', async () => {
		const record = await only({
			...{ resource: 'user', operation: 'update', userId: byId(ADA), simplify: false },
			...{ hiddenFields: 'clear', updateFields: { lastName: 'Byron' } },
		});
		expect(record).not.toHaveProperty('last_name');
	});
});

it.each([
	['getSelf', {}],
	['create', { firstName: 'New', email: 'new@members.example' }],
	['get', { userId: byId(ADA) }],
	['getAll', { limit: 3 }],
	['update', { userId: byId(ADA), hiddenFields: 'clear', updateFields: { username: 'ada_k' } }],
])(
	'a simplified user has no column that the API never fills there: %s',
	async (operation, rest) => {
		const parameters = { resource: 'user', operation, ...rest };
		const { items } = await runNode(sandbox, parameters);
		const raw = await runNode(sandbox, {
			...{ ...parameters, simplify: false, options: { includeEmptyFields: false } },
			...(operation === 'create' ? { email: 'newer@members.example' } : {}),
		});
		const schema = {
			...{ getSelf: 'UserSelf', create: 'UserSelf', get: 'UserGet', getAll: 'UserListItem' },
			update: 'UserDetail',
		}[operation] as string;
		const documented = Object.keys(openApi.components.schemas[schema].properties as object);
		const columns = Object.keys(items[0].json).filter((field) => field !== 'user_status_name');
		expect(documented).toEqual(expect.arrayContaining(columns));
		for (const field of Object.keys(raw.items[0].json)) expect(documented).toContain(field);
	},
);

describe('raw,', () => {
	const raw = { simplify: false };
	const get = { resource: 'user', operation: 'get', userId: byId(GRACE) };

	it('a record is exactly what the API answered', async () => {
		const body = { user_id: 9002, msid: GRACE, user_status: 10, announced_later: { a: [1, null] } };
		sandbox.faults.add({ kind: 'text', text: JSON.stringify(body), times: 1 });
		expect(await only({ ...get, ...raw })).toEqual(body);
	});

	it('a record keeps a field called __proto__', async () => {
		const text = '{"tag_id":9400,"__proto__":{"a":1}}';
		sandbox.faults.add({ kind: 'text', text });
		const tag = await only({ resource: 'tag', operation: 'get', tagId: byId('9400') });
		expect(JSON.stringify(tag)).toBe(text);
	});

	it('a record lacks what the API leaves out', async () => {
		const record = await only({ ...get, ...raw });
		expect(record).toMatchObject({ msid: GRACE, login_count: 0 });
		for (const field of ['last_name', 'user_avatar', 'user_status_name', 'meta']) {
			expect(record).not.toHaveProperty(field);
		}
	});

	it.each([
		['board', { operation: 'get', boardId: byId('1') }, records.board],
		['user', { operation: 'get', userId: byId(GRACE) }, records.user],
		['user', { operation: 'getAll', limit: 1 }, records.user],
		['role', { operation: 'getAll', limit: 1 }, records.role],
		['post', { operation: 'get', postId: '9100' }, records.post],
		['comment', { operation: 'get', commentId: '9200' }, records.comment],
		['reply', { operation: 'get', replyId: '9300' }, records.reply],
		['tag', { operation: 'get', tagId: byId('501') }, records.tag],
		['tag', { operation: 'getAll', limit: 1 }, records.tagSummary],
	])('a %s has every documented field when asked for (%j)', async (resource, given, type) => {
		const parameters = { resource, ...given, ...raw };
		const sparse = await only(parameters);
		const full = await only({ ...parameters, options: { includeEmptyFields: true } });

		expect(Object.keys(full)).toEqual(type.fields);
		for (const field of type.fields) {
			expect([field, full[field]]).toEqual([field, sparse[field] ?? null]);
		}
		expect(await only({ ...parameters, options: { includeEmptyFields: false } })).toEqual(sparse);
	});

	it('a record keeps what is not documented when empty fields are included', async () => {
		sandbox.faults.add({ kind: 'text', text: '{"user_id":9002,"announced_later":2}', times: 1 });
		const record = await only({ ...get, ...raw, options: { includeEmptyFields: true } });
		expect(record).toMatchObject({ user_id: 9002, announced_later: 2, msid: null });
	});
});
