import { serve, type TestServer } from '../support/servers.mts';
import { byId } from '../support/community.mts';
import { runNode } from './engine.mts';

let listed: unknown[] = [];
let server: TestServer;

beforeAll(async () => {
	server = await serve(({ method }, response) => {
		const body = method === 'GET' ? listed : { message: 'OK' };
		response.writeHead(200, { 'content-type': 'application/json', has_more: '0' });
		response.end(JSON.stringify(body));
	});
});
afterAll(async () => await server.close());

const byName = (value: unknown) => ({ __rl: true, mode: 'name', value }) as never;

async function run(kind: 'role' | 'board' | 'tag', name: string) {
	server.requests.length = 0;
	const caller = { baseUrl: server.origin, sourceSystem: 'test', apiKey: 'key' };
	const parameters = {
		role: { resource: 'user', operation: 'updateRole', userId: byId('1.a'), roleId: byName(name) },
		board: { resource: 'board', operation: 'get', boardId: byName(name) },
		tag: { resource: 'tag', operation: 'get', tagId: byName(name) },
	}[kind];
	const { error } = await runNode(caller, parameters);
	return { error, asked: server.requests.map(({ method, url }) => `${method} ${url}`) };
}

describe.each([
	['role', 'role_id', 'role_name', '/roles'],
	['board', 'board_id', 'board_name', '/boards'],
	['tag', 'tag_id', 'display_name', '/tags'],
] as const)('a %s found by its name', (kind, idField, nameField, path) => {
	const LISTING = expect.stringMatching(`^GET /api/v1${path}\\?`);

	it.each([
		['absent', {}],
		['null', { [idField]: null }],
		['empty', { [idField]: ' ' }],
		['rounded, because it is too large for a JSON number', { [idField]: 2 ** 53 }],
	])('whose ID is %s is refused, and nothing is sent', async (_, id) => {
		listed = [{ ...id, [nameField]: 'Champion' }];
		const { error, asked } = await run(kind, 'Champion');
		expect(error).toBeDefined();
		expect(asked).toEqual([LISTING]);
	});

	it('is not one whose name the API leaves out', async () => {
		listed = [{ [idField]: 7 }, { [idField]: 8, [nameField]: null }];
		for (const name of ['undefined', 'null']) {
			const { error, asked } = await run(kind, name);
			expect(error?.message).toBe(`No ${kind} is named '${name}'`);
			expect(asked).toEqual([LISTING]);
		}
	});

	it.each([1, 2])(
		'is not known where the API shows no ID of %d that have the name',
		async (count) => {
			const shown = {
				[nameField]: 'Twin',
				about: 'x',
				back_color: 'x',
				name: 'twin',
				role_details: 'x',
			};
			listed = Array.from({ length: count }, () => shown);
			const { error, asked } = await run(kind, 'twin');
			expect(error?.message).toBe(`The API did not show the ID of the ${kind} 'twin'`);
			expect(error?.description).toContain('Give the ID in');
			expect(asked).toEqual([LISTING]);
		},
	);

	it('is named by a few of the IDs where many have the name', async () => {
		listed = Array.from({ length: 1000 }, (_, at) => ({ [idField]: at + 1, [nameField]: 'Twin' }));
		const { error } = await run(kind, 'twin');
		expect(error?.message).toBe(`1000 ${kind}s are named 'twin'`);
		expect(error?.description).toContain(': 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 990 more.');
	});
});

it('a tag that is not there and near no other can be made', async () => {
	listed = [{ tag_id: 7, display_name: 'HowTo', name: 'howto' }];
	const { error } = await run('tag', 'Weather');
	expect(error?.description).toBe(
		"Check the name in 'Tag', or choose the tag from the list. If it is a new tag, Create or Update makes it.",
	);
});

it('a community that shows none is said to show none', async () => {
	listed = [];
	const { error } = await run('board', 'News');
	expect(error?.description).toBe('The community shows no boards to the owner of this API key.');
});

it('no text holds a control character, whatever names there are or were given', async () => {
	listed = [{ role_id: 1, role_name: 'Mode\u0000rator\ufffd' }];
	const { error } = await run('role', 'Moderator\u0001');
	expect(`${error?.message}${error?.description}`).not.toMatch(/[\p{Cc}\ufffd]/u);
});
