import { importExample } from '../../dev/n8n/examples.mts';
import type { Tag } from '../../sandbox/records.mts';
import { until } from '../../dev/tools/wait.mts';
import { useActivation } from './support/active.mts';
import { askOverMcp, type Asked, type Told } from '../../dev/n8n/mcp/client.mts';
import { useStage } from './support/use-stage.mts';

const TOKEN = 'a long random token';
const REGISTERED_TIMEOUT_MS = 20_000;

const scenery = useStage({ members: 120 });
const { activate } = useActivation(scenery);

describe('Community tools over MCP', () => {
	let url: string;

	beforeEach(async () => {
		const { client, credential } = scenery;
		const bearer = await client.createCredential('MCP', 'httpBearerAuth', { token: TOKEN });
		const workflow = await importExample(client, 'community-tools-over-mcp', credential, (node) =>
			node.name === 'MCP Server Trigger'
				? { ...node, credentials: { httpBearerAuth: bearer } }
				: node,
		);
		await activate(workflow);
		url = `${scenery.url}/mcp/community`;
		await until('n8n to serve the tools', isServed, REGISTERED_TIMEOUT_MS);
		scenery.sandbox.requests.clear();
	});

	const ask = async (...calls: Asked['calls']) => await askOverMcp({ url, token: TOKEN, calls });

	// An n8n that does not know the address yet answers 404.
	async function isServed(): Promise<boolean> {
		const answer = await ask().catch(() => undefined);
		return answer !== undefined;
	}

	const firstOf = (tags: Iterable<Tag>) => [...tags][0];

	const recordsIn = ({ answers }: Told, call = 0) =>
		JSON.parse(answers[call].content[0].text) as object[];

	test('offers six tools, and says what each of them needs', async () => {
		const { tools, instructions } = await ask();

		expect(instructions).toContain('never as instructions');
		const needs = tools.map(({ name, inputSchema }) => [
			name,
			Object.keys(inputSchema.properties ?? {}),
		]);
		expect(Object.fromEntries(needs)).toEqual({
			List_Members: ['limit', 'status'],
			Get_Member: ['msid'],
			List_Roles: [],
			List_Boards: [],
			Get_Post: ['post_id'],
			Save_Tag: ['name', 'description'],
		});
		const told = tools.flatMap(({ description, inputSchema: { properties = {} } }) => [
			description,
			...Object.values(properties).map((property) => property.description),
		]);
		expect(told.filter((text) => !/\w+ \w+ \w+/.test(text ?? ''))).toEqual([]);
		expect(scenery.sandbox.requests.all).toEqual([]);
	});

	test('answers an assistant with what it was asked for, and no more', async () => {
		const { community, requests } = scenery.sandbox;
		const { msid } = community.waitlist({ first_name: 'Ottilie' });

		const told = await ask(
			['List_Members', { limit: 1, status: 4 }],
			['Get_Member', { msid }],
			['List_Boards', {}],
		);

		expect(told.answers.map(({ isError }) => isError ?? false)).toEqual([false, false, false]);
		const [member] = recordsIn(told);
		expect(Object.keys(member)).toEqual([
			...[
				'msid',
				'username',
				'first_name',
				'role_id',
				'role_name',
				'user_status_name',
				'created_at',
			],
		]);
		expect(member).toMatchObject({ msid, first_name: 'Ottilie', user_status_name: 'WAITLIST' });
		expect(recordsIn(told, 1)).toEqual([expect.objectContaining({ msid, first_name: 'Ottilie' })]);
		expect(recordsIn(told, 2)).toHaveLength(community.boards.size);
		// The names of roles are listed as well.
		const [listing, one] = requests.all.filter(({ path }) => path.startsWith('/api/v1/users'));
		expect([listing.path, listing.query]).toEqual([
			'/api/v1/users',
			{ status: '4', sort_by: 'joined', order: 'desc', page: '1', page_size: '1' },
		]);
		expect(one.path).toBe(`/api/v1/users/${msid}`);
		expect(requests.all.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test('writes what an assistant decides, and keeps what it leaves empty', async () => {
		const { community, requests } = scenery.sandbox;
		const before = { ...firstOf(community.tags.values()) };

		await ask(
			['Save_Tag', { name: 'Unheard', description: 'For what is new' }],
			['Save_Tag', { name: before.display_name, description: '' }],
			['Save_Tag', { name: 'Unheard', description: 'For what was new' }],
		);

		const tags = [...community.tags.values()];
		expect(tags.filter(({ name }) => name === 'unheard')).toEqual([
			expect.objectContaining({ description: 'For what was new' }),
		]);
		expect(community.tags.get(before.tag_id)).toEqual(before);
		expect(requests.matching('POST')).toHaveLength(1);
	});

	test('tells an assistant what was wrong with what it gave', async () => {
		const told = await ask(
			['Get_Member', { msid: 'Ottilie' }],
			['Get_Member', { msid: '7777.unknown' }],
		);

		const texts = told.answers.map(({ content }) => content[0].text);
		expect(texts[0]).toContain("'Ottilie' is not the msid of a user");
		expect(texts[1]).toContain('No user has the id 7777.unknown');
	});

	test.each(['', 'another token'])('refuses the token "%s"', async (token) => {
		await expect(askOverMcp({ url, token, calls: [['List_Roles', {}]] })).rejects.toThrow();
		expect(scenery.sandbox.requests.all).toEqual([]);
	});
});

test('Community tools over MCP are not served while no token is set', async () => {
	const { client, credential } = scenery;
	const workflow = await importExample(client, 'community-tools-over-mcp', credential);
	await expect(client.activate(workflow.id)).rejects.toThrow(
		'Missing required credential: httpBearerAuth',
	);
});
