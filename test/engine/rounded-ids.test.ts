import type { INodeParameters } from 'n8n-workflow';
import { byId } from '../support/community.mts';
import { of } from '../support/refusals.mts';
import { serve, type TestServer } from '../support/servers.mts';
import { runNode } from './engine.mts';

const PAST_EXACT = '9007199254740993';

const bodies: string[] = [];
let answer: string;
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

async function run(parameters: INodeParameters) {
	const caller = { baseUrl: server.origin, sourceSystem: 'test', apiKey: 'key' };
	const { items, error } = await runNode(caller, parameters);
	return { item: items[0]?.json, error };
}

it('a text that looks like a long number goes back as it is', async () => {
	answer = `{"post_id":7,"board_id":"${PAST_EXACT}","content":"${PAST_EXACT}","user":{"msid":"1.a"}}`;
	await run(of('post', 'update', { postId: '7', updateFields: { headline: 'C' } }));
	expect(JSON.parse(bodies[0])).toMatchObject({ board_id: PAST_EXACT, content: PAST_EXACT });
});

const update = { commentId: PAST_EXACT, content: 'New' };
it.each<[string, string, INodeParameters]>([
	['get', 'tag_id', of('tag', 'get', { tagId: byId(PAST_EXACT) })],
	['update', 'comment_id', of('comment', 'update', update)],
	['dry run', 'comment_id', of('comment', 'update', { ...update, options: { dryRun: true } })],
])(
	'a record whose number JSON has rounded is not taken for another one: %s',
	async (_, id, each) => {
		answer = `{"${id}":${PAST_EXACT},"name":"a","content":"A"}`;
		expect((await run(each)).error).toBeUndefined();
	},
);

it('a dry run shows no position of a board whose number JSON has rounded', async () => {
	answer = `[{"board_id":9007199254740992,"display_order":4},{"board_id":${PAST_EXACT},"display_order":5}]`;
	const options = { dryRun: true };
	const displayOrder = '{ "9007199254740992": 1 }';
	const { item } = await run(of('board', 'reorder', { orderInput: 'json', displayOrder, options }));
	expect(item.changes).toMatchObject({
		display_order: { from: { '9007199254740992': null } },
	});
});
