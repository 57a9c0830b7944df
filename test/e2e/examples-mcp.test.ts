import { importExample } from '../../dev/n8n/examples.mts';
import { useActivation } from './support/active.mts';
import { askOverMcp, untilServed } from './support/mcp.mts';
import { useFixture } from './support/use-fixture.mts';

const EXAMPLE = 'community-tools-over-mcp';
const TOKEN = 'a long random token';

const fixture = useFixture({ members: 120 });
const { activate } = useActivation(fixture);

test('“Let an AI assistant look things up over MCP” offers six tools, answers an assistant, and posts its text', async () => {
	const { client, credential, sandbox } = fixture;
	const { community, requests } = sandbox;
	const httpBearerAuth = await client.createCredential('MCP', 'httpBearerAuth', { token: TOKEN });
	const workflow = await importExample(client, EXAMPLE, credential, (node) =>
		node.name === 'MCP Server Trigger' ? { ...node, credentials: { httpBearerAuth } } : node,
	);
	await activate(workflow);
	const server = { url: `${fixture.url}/mcp/community`, token: TOKEN };
	await untilServed(server);
	for (const token of ['', 'another token']) {
		const refused = askOverMcp({ ...server, token }, [['List_Roles', {}]]);
		await expect(refused).rejects.toThrow(/40[13]/);
	}
	expect(requests.all).toEqual([]);

	const { msid } = community.waitlist({ first_name: 'Ottilie' });
	const before = { ...[...community.tags.values()][0] };
	const { tools, instructions, answers } = await askOverMcp(server, [
		['List_Members', { limit: 1, status: 4 }],
		['Get_Member', { msid }],
		['Get_Member', { msid: '7777.unknown' }],
		['Save_Tag', { name: 'Unheard', description: 'For what is new' }],
		['Save_Tag', { name: before.display_name, description: '' }],
	]);

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

	const [listed, read, unknown] = answers.map(({ text }) => text);
	const [member] = JSON.parse(listed) as object[];
	expect(Object.keys(member)).toEqual([
		...['msid', 'username', 'first_name', 'role_id', 'role_name'],
		...['user_status_name', 'created_at'],
	]);
	expect(member).toMatchObject({ msid, user_status_name: 'WAITLIST' });
	expect(JSON.parse(read)).toContainEqual(expect.objectContaining({ first_name: 'Ottilie' }));
	expect(unknown).toContain('No user has the id 7777.unknown');
	expect(community.tags.get(before.tag_id)).toEqual(before);
	expect(requests.matching('POST').map(({ body }) => body)).toEqual([
		expect.objectContaining({ description: 'For what is new' }),
	]);
});

test('“Let an AI assistant look things up over MCP” are not served if no token is set', async () => {
	const { client, credential } = fixture;
	const workflow = await importExample(client, EXAMPLE, credential);
	await expect(client.activate(workflow.id)).rejects.toThrow(
		'Missing required credential: httpBearerAuth',
	);
});
