import { outputOf } from '../../dev/n8n/client.mts';
import { CREDENTIAL } from '../../nodes/shared/transport/api.ts';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { askOverMcp } from './support/mcp.mts';
import { useFixture } from './support/use-fixture.mts';

const SECRET = 'known to both sides';
const ACTION = `${PACKAGE_NAME}.communityPlatform`;
const TRIGGER = `${ACTION}Trigger`;

const fixture = useFixture({ members: 5, webhookSecret: SECRET });
const { open } = useActivation(fixture);

let token: string;
beforeAll(async () => {
	const { client } = fixture;
	await client.call('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
	const rotated = await client.call<{ apiKey: string }>('POST', '/mcp/api-key/rotate', {});
	token = rotated.apiKey;
});
afterAll(async () => {
	await fixture.client.call('PATCH', '/mcp/settings', { mcpAccessEnabled: false });
});

/** Calls a tool of n8n's own MCP server, like an assistant. */
async function ask(tool: string, args: object): Promise<string> {
	const url = `${fixture.url}/mcp-server/http`;
	const { answers } = await askOverMcp({ url, token }, [[tool, args]]);
	const [{ text, failed }] = answers;
	if (failed) throw new Error(`${tool}: ${text}`);
	return text;
}

async function record<T>(tool: string, args: object): Promise<T> {
	return JSON.parse(await ask(tool, args)) as T;
}

// As in the reference of n8n's Workflow SDK.
const codeFor = (board: number) => `
import { workflow, node, trigger, newCredential, expr } from '@n8n/workflow-sdk';

const joined = trigger({
	type: '${TRIGGER}',
	version: 2,
	config: {
		name: 'Member Joined',
		parameters: { events: ['member.joined'], verification: 'secret' },
		credentials: { ${CREDENTIAL}: newCredential('Community') },
	},
});
const welcome = node({
	type: '${ACTION}',
	version: 1,
	config: {
		name: 'Welcome Post',
		parameters: {
			resource: 'post',
			operation: 'create',
			boardId: { __rl: true, mode: 'id', value: '${board}' },
			headline: expr('Welcome, {{ $json.user.first_name }}!'),
			content: 'Good to have you here.',
		},
		credentials: { ${CREDENTIAL}: newCredential('Community') },
	},
});

export default workflow('welcome', 'Welcome who joins').add(joined).to(welcome);
`;

test("an assistant builds “welcome new members” through n8n's own MCP server", async () => {
	const { client, credential, sandbox } = fixture;
	const found = await ask('search_nodes', { queries: ['community platform'] });
	// With a hint about the difference between the three nodes.
	for (const type of [ACTION, TRIGGER, `${ACTION}PollingTrigger`]) {
		expect(found.replaceAll('\\n', '\n')).toMatch(new RegExp(`- ${type}\\s[^]*?@builderHint \\w`));
	}

	const types = await ask('get_node_types', {
		nodeIds: [{ nodeId: ACTION, resource: 'post', operation: 'create' }, { nodeId: TRIGGER }],
	});
	const [, methodName] = /boardId[\s\S]*?@searchListMethod (\w+)/.exec(types) ?? [];
	const boards = await ask('explore_node_resources', {
		nodeType: ACTION,
		version: 1,
		methodName,
		methodType: 'listSearch',
		credentialType: CREDENTIAL,
		credentialId: credential.id,
	});
	const [board] = sandbox.community.boards.values();
	expect(boards).toContain(board.board_name);

	const code = codeFor(board.board_id);
	expect(await record('validate_workflow', { code })).toEqual({ valid: true, nodeCount: 2 });
	const { workflowId, warnings = [] } = await record<{ workflowId: string; warnings?: unknown[] }>(
		'create_workflow_from_code',
		{ code, versionName: 'Welcome who joins' },
	);
	expect(warnings).toEqual([]);

	const workflow = await client.workflow(workflowId);
	sandbox.webhooks.set([{ url: await open(workflow), secret: SECRET }]);
	sandbox.community.join({ first_name: 'Grace' });
	const [execution] = await executionsOf(fixture, workflow, 1);
	expect(outputOf(execution, 'Welcome Post')).toEqual([
		expect.objectContaining({ board_id: board.board_id, headline: 'Welcome, Grace!' }),
	]);
}, 120_000);
