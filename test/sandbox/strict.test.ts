import { schemaCheck } from '../../sandbox/openapi.mts';
import { useBareSandbox } from '../support/community.mts';
import { BOARD, call, type CallOptions } from './support.mts';

const sandbox = useBareSandbox();

const isErrorBody = schemaCheck('Error');

/** Sends a request, expects a refusal, and returns its text. */
async function refused(status: number, method: string, path: string, options?: CallOptions) {
	const answer = await call(sandbox, method, path, options);
	expect([answer.status, isErrorBody(answer.data)]).toEqual([status, true]);
	expect(answer.data.message).toMatch(new RegExp(`^ERR_V1${status} \\| `));
	return answer.data.message as string;
}

const board = (fields: object): CallOptions => ({ body: { ...BOARD, ...fields } });

it.each<[string, string, string, CallOptions, string]>([
	['unknown body field', 'POST', '/boards', board({ colour: 1 }), 'body.colour is not documented'],
	['text for a number', 'POST', '/boards', board({ hidden_type: '1' }), 'body.hidden_type'],
	['empty path segment', 'GET', '/users/', {}, 'path.msid'],
	['no User-Agent', 'GET', '/roles', { headers: { 'user-agent': null } }, 'header.user-agent'],
])(
	'a request with %s gets a 400 that names the field',
	async (_name, method, path, options, field) => {
		const before = JSON.stringify([...sandbox.community.boards.values()]);
		expect(await refused(400, method, `/api/v1${path}`, options)).toContain(field);
		expect(JSON.stringify([...sandbox.community.boards.values()])).toBe(before);
	},
);

it.each<[number, string, string, CallOptions]>([
	[404, 'GET', '/api/v1/boards/9999', {}],
	[404, 'PATCH', '/api/v1/users/101', { body: { action: 101, data: { role_id: 999 } } }],
	[405, 'DELETE', '/api/v1/users/101.a', {}],
	[409, 'POST', '/api/v1/tags', { body: { name: '#RELEASE' } }],
])('answers %i to %s %s', async (status, method, path, options) => {
	const { msid } = sandbox.community.caller;
	await refused(status, method, path.replace(/\/101$/, `/${msid}`), options);
});
