import type { INodeParameters } from 'n8n-workflow';
import { byId } from '../support/community.mts';
import { of } from '../support/refusals.mts';
import { serve, type TestServer } from '../support/servers.mts';
import { runNode } from './engine.mts';

const PAST_EXACT = '9007199254740993';
const GIVEN = '={{ $json.given }}';
const ROUNDED =
	'Give it as text: a number with more than 15 digits, or with a point, does not keep all of them.';

// An acknowledgement is enough for most tests here, which are about the request.
const OK = '{"message":"OK"}';
const bodies: string[] = [];
let answer = OK;
let server: TestServer;
beforeAll(async () => {
	server = await serve((request, response) => {
		let body = '';
		request.on('data', (chunk) => (body += chunk));
		request.on('end', () => {
			if (body !== '') bodies.push(body);
			response.writeHead(200, { 'content-type': 'application/json', has_more: '0' });
			response.end(answer);
		});
	});
});
afterAll(async () => await server.close());
beforeEach(() => {
	bodies.length = server.requests.length = 0;
	answer = OK;
});

async function run(parameters: INodeParameters, given: unknown) {
	const caller = { baseUrl: server.origin, sourceSystem: 'test', apiKey: 'key' };
	const { items, error } = await runNode(caller, parameters, { items: [{ given } as never] });
	const asked = server.requests.map(({ method, url }) => `${method} ${url}`);
	return { asked, item: items[0]?.json, error };
}

const everyId: Array<[string, INodeParameters, (id: string) => string]> = [
	['board', of('board', 'get', { boardId: byId(GIVEN) }), (id) => `GET /api/v1/boards/${id}`],
	['post', of('post', 'get', { postId: GIVEN }), (id) => `GET /api/v1/posts/${id}`],
	['comment', of('comment', 'get', { commentId: GIVEN }), (id) => `GET /api/v1/comments/${id}`],
	['reply', of('reply', 'get', { replyId: GIVEN }), (id) => `GET /api/v1/replies/${id}`],
	['tag', of('tag', 'get', { tagId: byId(GIVEN) }), (id) => `GET /api/v1/tags/${id}`],
	['user', of('user', 'get', { userId: byId(GIVEN) }), (id) => `GET /api/v1/users/${id}`],
	[
		'entity',
		of('tag', 'getForEntity', { refType: 'POST', refId: GIVEN }),
		(id) => `GET /api/v1/tags/mapping?ref_type=POST&ref_id=${id}&page=1&page_size=50`,
	],
	[
		'list of tags',
		of('tag', 'getByIds', { tagIds: GIVEN }),
		(id) => `GET /api/v1/tags?ids=${id}&page=1&page_size=50`,
	],
];

describe.each(everyId)('the identifier of a %s', (_, parameters, sent) => {
	it('goes through as it is as text, however large', async () => {
		expect((await run(parameters, PAST_EXACT)).asked).toEqual([sent(PAST_EXACT)]);
	});

	it('is refused as a number that may have been rounded', async () => {
		const { asked, error } = await run(parameters, Number(PAST_EXACT));
		expect(error?.message).toMatch(/^The parameter ".+" is a number that may have been rounded$/);
		expect(error?.description).toBe(ROUNDED);
		expect(asked).toEqual([]);
	});

	it('is the same with zeros in front', async () => {
		expect((await run(parameters, '0005')).asked).toEqual([sent('5')]);
	});
});

describe('an msid', () => {
	const parameters = of('user', 'get', { userId: byId(GIVEN) });

	it('is refused as a number with a point, of which a zero at the end is lost', async () => {
		const { asked, error } = await run(parameters, 42.1);
		expect(error?.message).toBe('The parameter "User" is a number that may have been rounded');
		expect(asked).toEqual([]);
		expect((await run(parameters, '42.10')).asked).toEqual(['GET /api/v1/users/42.10']);
	});

	it('has no zeros in front of the number, and keeps those of the code', async () => {
		expect((await run(parameters, '007.00a')).asked).toEqual(['GET /api/v1/users/7.00a']);
	});
});

it('what only acknowledges is told with the whole identifier', async () => {
	const parameters = of('board', 'updateMembers', {
		...{ boardId: byId(GIVEN), membersInput: 'text', addMembers: '1.a' },
	});
	const { item } = await run(parameters, PAST_EXACT);
	expect(item?.board_id).toBe(PAST_EXACT);
	expect((await run(parameters, '7')).item?.board_id).toBe(7);
});

describe('a role, which the API takes as a number,', () => {
	const parameters = of('user', 'updateRole', { userId: byId('1.a'), roleId: byId(GIVEN) });

	it.each(['9007199254740992', PAST_EXACT, '1'.repeat(400)])('is refused as %s', async (given) => {
		const { asked, error } = await run(parameters, given);
		expect(error?.message).toBe('The parameter "Role" is out of range');
		expect(asked).toEqual([]);
	});

	it('is sent up to the largest that is exact', async () => {
		await run(parameters, '09007199254740991');
		expect(bodies).toEqual(['{"action":101,"data":{"role_id":9007199254740991}}']);
	});
});

it('a post whose board has a number that was rounded is not updated without its board', async () => {
	const user = '{"user_id":1,"msid":"1.a"}';
	answer = `{"post_id":7,"board_id":${PAST_EXACT},"headline":"A","content":"B","user":${user}}`;
	const update = (updateFields: object) => of('post', 'update', { postId: '7', updateFields });
	const { asked, error } = await run(update({ headline: 'C' }), 0);
	expect(error?.message).toBe('The number of the board of this post is too large to be kept');
	expect(asked).toEqual(['GET /api/v1/posts/7']);
	await run(update({ headline: 'C', boardId: byId(PAST_EXACT) }), 0);
	expect(bodies.map((body) => JSON.parse(body).board_id)).toEqual([PAST_EXACT]);
});

it('a text that looks like a long number goes back as it is', async () => {
	answer = `{"post_id":7,"board_id":"${PAST_EXACT}","content":"${PAST_EXACT}","user":{"msid":"1.a"}}`;
	await run(of('post', 'update', { postId: '7', updateFields: { headline: 'C' } }), 0);
	expect(JSON.parse(bodies[0])).toMatchObject({ board_id: PAST_EXACT, content: PAST_EXACT });
});

it.failing.each<[string, INodeParameters]>([
	['get', of('tag', 'get', { tagId: byId(PAST_EXACT) })],
	['update', of('comment', 'update', { commentId: PAST_EXACT, content: 'New' })],
	[
		'dry run',
		of('comment', 'update', { commentId: PAST_EXACT, content: 'x', options: { dryRun: true } }),
	],
])('a record whose number JSON has rounded is not taken for another one: %s', async (_, each) => {
	const id = each.resource === 'tag' ? 'tag_id' : 'comment_id';
	answer = `{"${id}":${PAST_EXACT},"name":"a","content":"A"}`;
	const { error } = await run(each, 0);
	expect(error).toBeUndefined();
});

it.failing('a dry run shows no position of a board whose number JSON has rounded', async () => {
	answer = `[{"board_id":9007199254740992,"display_order":4},{"board_id":${PAST_EXACT},"display_order":5}]`;
	const options = { dryRun: true };
	const displayOrder = '{ "9007199254740992": 1 }';
	const { item } = await run(
		of('board', 'reorder', { orderInput: 'json', displayOrder, options }),
		0,
	);
	expect(JSON.stringify(item)).not.toContain('5');
});

it('one board in two spellings is named twice', async () => {
	const positions = of('board', 'reorder', { orderInput: 'json', displayOrder: GIVEN });
	const { asked, error } = await run(positions, { '5': 1, '05': 2 });
	expect(error?.message).toBe('The parameter "Positions" names a board twice');
	const rows = of('board', 'reorder', {
		...{
			orderInput: 'list',
			boardOrder: { boards: [{ boardId: byId('5') }, { boardId: byId('05') }] },
		},
	});
	expect((await run(rows, 0)).error?.message).toBe('The parameter "Boards" names a board twice');
	expect(asked).toEqual([]);
});

it('one member in two spellings is both added and removed', async () => {
	const members = of('board', 'updateMembers', {
		...{ boardId: byId('5'), membersInput: 'text', addMembers: '7.a', removeMembers: '07.a' },
	});
	expect((await run(members, 0)).error?.message).toBe('The member 7.a is both added and removed');
});

describe('what the user gave is quoted with sixty characters at most', () => {
	const long = '9'.repeat(100_000);
	it.each([
		[
			'a member named twice',
			of('board', 'updateMembers', {
				boardId: byId('5'),
				membersInput: 'text',
				addMembers: `1.${long}`,
				removeMembers: `1.${long}`,
			}),
		],
		['something that is no ID', of('post', 'get', { postId: `${long}x` })],
		['something that is no msid', of('user', 'get', { userId: byId(`${long}.`) })],
		[
			'something that is no entity',
			of('tag', 'getForEntity', { refType: 'USER', refId: `${long}.` }),
		],
	])('%s', async (_, parameters) => {
		const { error } = await run(parameters, 0);
		expect(error?.message).toContain('…');
		expect(`${error?.message}${error?.description}`.length).toBeLessThan(400);
	});
});
