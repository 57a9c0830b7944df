import { compileAt } from '../../sandbox/openapi.mts';
import { useBareSandbox } from '../support/community.mts';
import { BOARD, call, type CallOptions } from './support.mts';

const sandbox = useBareSandbox();

const isErrorBody = compileAt('/components/schemas/Error');

/** Sends a request that is to be refused, and returns the refusal's text. */
async function refused(status: number, method: string, path: string, options?: CallOptions) {
	const answer = await call(sandbox, method, path, options);
	expect([answer.status, isErrorBody(answer.data)]).toEqual([status, true]);
	expect(answer.data.message).toMatch(new RegExp(`^ERR_V1${status} \\| `));
	return answer.data.message as string;
}

const user = { first_name: 'Ida', email: 'ida@members.example' };
const post = { board_id: 1, headline: 'x', content: 'x', authors: ['101.a'] };
const role = { action: 101, data: { role_id: 5 } };

it('a URL that is longer than servers take gets a 414', async () => {
	const ids = (count: number) => `/api/v1/tags?ids=${Array(count).fill('1').join(',')}`;
	expect((await call(sandbox, 'GET', ids(4000))).status).toBe(200);
	expect((await call(sandbox, 'GET', ids(4200))).status).toBe(414);
});

describe('a request that is not as documented gets a 400 that names the field', () => {
	it.each<[string, string, string, CallOptions, string]>([
		['unknown body field', 'POST', '/boards', { body: { ...BOARD, colour: 1 } }, 'body.colour'],
		['missing body field', 'POST', '/boards', { body: { board_name: 'x' } }, 'body.hidden_type'],
		['no body at all', 'POST', '/boards', {}, 'body must be'],
		['a list as body', 'POST', '/boards', { body: [BOARD] }, 'body'],
		[
			'text for a boolean',
			'POST',
			'/boards',
			{ body: { ...BOARD, is_private: 'no' } },
			'is_private',
		],
		[
			'text for a number',
			'POST',
			'/boards',
			{ body: { ...BOARD, hidden_type: '1' } },
			'hidden_type',
		],
		['null', 'POST', '/boards', { body: { ...BOARD, about: null } }, 'body.about'],
		[
			'empty required text',
			'POST',
			'/boards',
			{ body: { ...BOARD, board_name: '' } },
			'board_name',
		],
		['unknown value', 'POST', '/boards', { body: { ...BOARD, hidden_type: 3 } }, 'hidden_type'],
		[
			'other permission',
			'PUT',
			'/boards/1',
			{ body: { ...BOARD, permission_for: 2 } },
			'permission_for',
		],
		['email on update', 'PUT', '/users/101.a', { body: user }, 'body.email'],
		['no email address', 'POST', '/users', { body: { ...user, email: 'ida' } }, 'body.email'],
		[
			'special username',
			'POST',
			'/users',
			{ body: { ...user, username: 'i_da' } },
			'body.username',
		],
		[
			'spaced username',
			'PUT',
			'/users/101.a',
			{ body: { first_name: 'x', username: 'a b' } },
			'username',
		],
		[
			'no URL',
			'PUT',
			'/users/101.a',
			{ body: { first_name: 'x', banner: 'b.png' } },
			'body.banner',
		],
		['other action', 'PATCH', '/users/101.a', { body: { ...role, action: 102 } }, 'body.action'],
		[
			'unknown data',
			'PATCH',
			'/users/101.a',
			{ body: { ...role, data: { id: 1 } } },
			'body.data.id',
		],
		['user_id to update', 'PATCH', '/users/101', { body: role }, 'path.msid'],
		[
			'key that is no board',
			'PATCH',
			'/boards/reorder',
			{ body: { display_order: { a: 1 } } },
			'a is not',
		],
		[
			'position 0',
			'PATCH',
			'/boards/reorder',
			{ body: { display_order: { '1': 0 } } },
			'display_order.1',
		],
		[
			'position twice',
			'PATCH',
			'/boards/reorder',
			{ body: { display_order: { '1': 1, '2': 1 } } },
			'display_order',
		],
		[
			'key that is no msid',
			'PUT',
			'/boards/1/members',
			{ body: { member_changes: { '101': true } } },
			'101 is not',
		],
		[
			'access that is no boolean',
			'PUT',
			'/boards/1/members',
			{ body: { member_changes: { '101.a': 1 } } },
			'101.a',
		],
		[
			'id that is no number',
			'POST',
			'/posts',
			{ body: { ...post, board_id: 'one' } },
			'body.board_id',
		],
		['no authors', 'POST', '/posts', { body: { ...post, authors: [] } }, 'body.authors'],
		[
			'content as a boolean',
			'POST',
			'/posts',
			{ body: { ...post, content: true } },
			'body.content',
		],
		[
			'more than content',
			'PUT',
			'/comments/3001',
			{ body: { content: 'x', author: 'y' } },
			'body.author',
		],
		['no colour', 'POST', '/tags', { body: { name: 'x', back_color: 'red' } }, 'body.back_color'],
		['name without letters', 'POST', '/tags', { body: { name: '# !' } }, 'body.name'],
		['body on a read', 'GET', '/boards/1', { body: { a: 1 } }, 'body'],
		['path that is no number', 'GET', '/boards/one', {}, 'path.board_id'],
		['empty path segment', 'GET', '/users/', {}, 'path.msid'],
		['unknown query field', 'GET', '/boards', { query: { sort_by: 'id' } }, 'query.sort_by'],
		['page 0', 'GET', '/boards', { query: { page: 0 } }, 'query.page'],
		['page_size 0', 'GET', '/roles', { query: { page_size: 0 } }, 'query.page_size'],
		['page_size 51', 'GET', '/users', { query: { page_size: 51 } }, 'query.page_size'],
		['page_size 1.5', 'GET', '/tags', { query: { page_size: 1.5 } }, 'query.page_size'],
		['empty page_size', 'GET', '/tags', { query: { page_size: '' } }, 'query.page_size'],
		['a field twice', 'GET', '/tags?page=1&page=2', {}, 'query.page'],
		['other order', 'GET', '/users', { query: { order: 'up' } }, 'query.order'],
		['other sort', 'GET', '/tags', { query: { sort_by: 'user_id' } }, 'query.sort_by'],
		['other status', 'GET', '/users', { query: { status: 11 } }, 'query.status'],
		['ids with a letter', 'GET', '/tags', { query: { ids: '1,a' } }, 'query.ids'],
		['no ref_id', 'GET', '/tags/mapping', { query: { ref_type: 'POST' } }, 'query.ref_id'],
		[
			'other ref_type',
			'GET',
			'/tags/mapping',
			{ query: { ref_type: 'BOARD', ref_id: 1 } },
			'ref_type',
		],
		['no q', 'GET', '/tags/search', {}, 'query.q'],
		['no User-Agent', 'GET', '/roles', { headers: { 'user-agent': null } }, 'header.user-agent'],
		['empty User-Agent', 'GET', '/roles', { headers: { 'user-agent': '' } }, 'header.user-agent'],
	])('%s', async (_name, method, path, options, field) => {
		const before = JSON.stringify([...sandbox.community.boards.values()]);
		expect(await refused(400, method, `/api/v1${path}`, options)).toContain(field);
		expect(JSON.stringify([...sandbox.community.boards.values()])).toBe(before);
	});

	it.each([
		['text/plain', 'hello'],
		['application/x-www-form-urlencoded', 'board_name=x'],
		['application/json', '{"board_name":'],
	])('a body of the type %s: %s', async (type, body) => {
		const options = { body, headers: { 'content-type': type } };
		expect(await refused(400, 'POST', '/api/v1/boards', options)).toMatch(/JSON/i);
	});
});

describe('the key', () => {
	const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

	it.each([
		['missing', null],
		['wrong', basic('tests:other-key')],
		['without a source system', basic(':sandbox-key')],
		['given as a bearer token', 'Bearer sandbox-key'],
	])('gets a 403 when %s', async (_name, authorization) => {
		await refused(403, 'GET', '/api/v1/users/me', { headers: { authorization } });
		await refused(403, 'GET', '/nothing', { headers: { authorization } });
	});

	it('can be changed at any time, and can hold colons', async () => {
		sandbox.settings.apiKey = 'a:b';
		await refused(403, 'GET', '/api/v1/users/me');
		const headers = { authorization: basic('tests:a:b') };
		expect((await call(sandbox, 'GET', '/api/v1/users/me', { headers })).status).toBe(200);
		sandbox.reset();
		expect((await call(sandbox, 'GET', '/api/v1/users/me')).status).toBe(200);
	});
});

describe('what is not there', () => {
	it.each<[string, string, CallOptions]>([
		['GET', '/api/v2/users', {}],
		['GET', '/api/v1/users/me/posts', {}],
		['GET', '/', {}],
		['GET', '/api/v1/boards/9999', {}],
		['GET', '/api/v1/users/9999', {}],
		['GET', '/api/v1/users/101.wrongsid', {}],
		['GET', '/api/v1/posts/1', {}],
		['GET', '/api/v1/comments/1', {}],
		['GET', '/api/v1/replies/1', {}],
		['GET', '/api/v1/tags/1', {}],
		['GET', '/api/v1/tags/mapping?ref_type=POST&ref_id=1', {}],
		['PUT', '/api/v1/boards/9999', { body: BOARD }],
		['PATCH', '/api/v1/boards/reorder', { body: { display_order: { '9999': 1 } } }],
		['PATCH', '/api/v1/users/9999.a', { body: role }],
		['POST', '/api/v1/comments', { body: { post_id: 1, content: 'x', author: '101.a' } }],
		['POST', '/api/v1/replies', { body: { comment_id: 1, content: 'x', author: '101.a' } }],
	])('%s %s gets a 404', async (method, path, options) => {
		await refused(404, method, path, options);
	});

	it('a role or an author that does not exist gets a 404, and nothing changes', async () => {
		const { msid, role_id } = sandbox.community.user(120);
		await refused(404, 'PATCH', `/api/v1/users/${msid}`, {
			body: { action: 101, data: { role_id: 999 } },
		});
		expect(sandbox.community.user(120).role_id).toBe(role_id);
		const posts = sandbox.community.posts.size;
		await refused(404, 'POST', '/api/v1/posts', { body: { ...post, authors: ['9999.a'] } });
		expect(sandbox.community.posts.size).toBe(posts);
	});

	it.each([
		['DELETE', '/api/v1/users/101.a'],
		['POST', '/api/v1/roles'],
		['GET', '/api/v1/posts'],
		['PUT', '/api/v1/users/me'],
		['DELETE', '/api/v1/tags/501'],
	])('%s %s gets a 405', async (method, path) => {
		await refused(405, method, path);
	});
});

describe('what must be unique gets a 409', () => {
	it.each([
		['username', { username: 'ROBINKEEPER' }],
		['email', { email: 'Robin.Keeper@members.example' }],
	])('%s of a new user, whatever the case', async (field, given) => {
		const text = await refused(409, 'POST', '/api/v1/users', { body: { ...user, ...given } });
		expect(text).toContain(field);
	});

	it('username of an updated user, who may keep the own one', async () => {
		const { msid, username } = sandbox.community.user(120);
		const path = `/api/v1/users/${msid}`;
		const body = { first_name: 'x', username: 'robinkeeper' };
		await refused(409, 'PUT', path, { body });
		const kept = await call(sandbox, 'PUT', path, { body: { ...body, username } });
		expect(kept.status).toBe(200);
	});

	it('name of a tag, which may keep the own one', async () => {
		expect(await refused(409, 'POST', '/api/v1/tags', { body: { name: '#RELEASE' } })).toContain(
			'release',
		);
		await refused(409, 'PUT', '/api/v1/tags/502', { body: { name: 'Release' } });
		const kept = await call(sandbox, 'PUT', '/api/v1/tags/501', { body: { name: 'RELEASE' } });
		expect(kept.data).toMatchObject({ name: 'release', display_name: 'RELEASE' });
	});
});

it.each(['GET', 'DELETE'])('takes the Content-Type of a %s that has no body', async (method) => {
	const headers = { 'content-type': 'application/json' };
	const { status } = await call(sandbox, method, '/api/v1/roles', { headers });
	expect(status).toBe(method === 'GET' ? 200 : 405);
});
