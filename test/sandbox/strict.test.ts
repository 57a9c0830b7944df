import { schemaCheck } from '../../sandbox/openapi.mts';
import { useBareSandbox } from '../support/community.mts';
import { BOARD, call, type CallOptions } from './support.mts';

const sandbox = useBareSandbox();

const isErrorBody = schemaCheck('Error');

/** Sends a request that is to be refused, and returns the refusal's text. */
async function refused(status: number, method: string, path: string, options?: CallOptions) {
	const answer = await call(sandbox, method, path, options);
	expect([answer.status, isErrorBody(answer.data)]).toEqual([status, true]);
	expect(answer.data.message).toMatch(new RegExp(`^ERR_V1${status} \\| `));
	return answer.data.message as string;
}

const board = (fields: object): CallOptions => ({ body: { ...BOARD, ...fields } });

it('a URL that is longer than servers take gets a 414', async () => {
	const ids = (count: number) => `/api/v1/tags?ids=${Array(count).fill('1').join(',')}`;
	expect((await call(sandbox, 'GET', ids(4000))).status).toBe(200);
	expect((await call(sandbox, 'GET', ids(4200))).status).toBe(414);
});

describe('a request that is not as documented gets a 400 that names the field', () => {
	it.each<[string, string, string, CallOptions, string]>([
		[
			'unknown body field',
			'POST',
			'/boards',
			board({ colour: 1 }),
			'body.colour is not documented',
		],
		['missing body field', 'POST', '/boards', { body: {} }, 'body.board_name is missing'],
		['text for a number', 'POST', '/boards', board({ hidden_type: '1' }), 'body.hidden_type'],
		['empty required text', 'POST', '/boards', board({ board_name: '' }), 'body.board_name'],
		['empty path segment', 'GET', '/users/', {}, 'path.msid'],
		['unknown query field', 'GET', '/boards', { query: { sort_by: 'id' } }, 'query.sort_by'],
		['page_size 51', 'GET', '/users', { query: { page_size: 51 } }, 'query.page_size'],
		['no User-Agent', 'GET', '/roles', { headers: { 'user-agent': null } }, 'header.user-agent'],
		[
			'position twice',
			'PATCH',
			'/boards/reorder',
			{ body: { display_order: { '1': 1, '2': 1 } } },
			'body.display_order',
		],
	])('%s', async (_name, method, path, options, field) => {
		const before = JSON.stringify([...sandbox.community.boards.values()]);
		expect(await refused(400, method, `/api/v1${path}`, options)).toContain(field);
		expect(JSON.stringify([...sandbox.community.boards.values()])).toBe(before);
	});
});

it.each<[number, string, string, CallOptions]>([
	[404, 'GET', '/api/v2/users', {}],
	[404, 'GET', '/api/v1/boards/9999', {}],
	[404, 'PATCH', '/api/v1/users/101', { body: { action: 101, data: { role_id: 999 } } }],
	[405, 'DELETE', '/api/v1/users/101.a', {}],
	[
		409,
		'POST',
		'/api/v1/users',
		{ body: { first_name: 'Ida', email: 'i@a.b', username: 'ROBINKEEPER' } },
	],
	[409, 'POST', '/api/v1/tags', { body: { name: '#RELEASE' } }],
])('gives a %i to %s %s', async (status, method, path, options) => {
	const { msid } = sandbox.community.caller;
	await refused(status, method, path.replace(/\/101$/, `/${msid}`), options);
});
