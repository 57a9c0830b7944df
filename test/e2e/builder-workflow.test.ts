import type { SavedWorkflow } from '../../dev/n8n/client.mts';
import { outputOf } from '../../dev/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../dev/n8n/examples.mts';
import { askOverMcp } from '../../dev/n8n/mcp/client.mts';
import { NODE_TYPE } from '../../nodes/shared/builder/hints.ts';
import { executionsOf, useActivation } from './support/active.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'known to both sides';
const { action, webhookTrigger } = NODE_TYPE;

const scenery = useStage({ members: 5, webhookSecret: SECRET });
const { open } = useActivation(scenery);

let token: string;
beforeAll(async () => {
	const { client } = scenery;
	await client.call('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
	const rotated = await client.call<{ apiKey: string }>('POST', '/mcp/api-key/rotate', {});
	token = rotated.apiKey;
});
afterAll(async () => {
	await scenery.client.call('PATCH', '/mcp/settings', { mcpAccessEnabled: false });
});

/** Calls one tool of n8n's own MCP server, as an assistant does. */
async function ask(tool: string, args: object): Promise<string> {
	const url = `${scenery.url}/mcp-server/http`;
	const { answers } = await askOverMcp({ url, token, calls: [[tool, args]] });
	const [{ content, isError }] = answers;
	const text = content.map((each) => each.text).join('\n');
	if (isError) throw new Error(`${tool}: ${text}`);
	return text;
}

async function record<T>(tool: string, args: object): Promise<T> {
	return JSON.parse(await ask(tool, args)) as T;
}

// As n8n's reference of its Workflow SDK has it; what is in capitals comes from the tools.
const CODE = `
import { workflow, node, trigger, newCredential, expr } from '@n8n/workflow-sdk';

const joined = trigger({
	type: 'TRIGGER',
	version: 1,
	config: {
		name: 'Member Joined',
		parameters: { events: ['member.joined'], verification: 'secret' },
		credentials: { CREDENTIAL: newCredential('Community') },
	},
	output: [{ event: 'member.joined', user: { msid: '1.a', first_name: 'Ada' } }],
});
const welcome = node({
	type: 'ACTION',
	version: 1,
	config: {
		name: 'Welcome Post',
		parameters: {
			resource: 'post',
			operation: 'create',
			boardId: { __rl: true, mode: 'id', value: 'BOARD' },
			headline: expr('Welcome, {{ $json.user.first_name }}!'),
			content: 'Good to have you here.',
		},
		credentials: { CREDENTIAL: newCredential('Community') },
	},
	output: [{ post_id: 1 }],
});

export default workflow('welcome', 'Welcome who joins').add(joined).to(welcome);
`;

test('an assistant builds “welcome who joins” through the MCP server of n8n itself', async () => {
	const { client, credential, sandbox } = scenery;
	const found = await ask('search_nodes', { queries: ['community platform'] });
	expect(found).toContain(action);
	expect(found).toContain(webhookTrigger);

	const types = await ask('get_node_types', {
		nodeIds: [
			{ nodeId: action, resource: 'post', operation: 'create' },
			{ nodeId: webhookTrigger },
		],
	});
	const [, methodName] = /boardId[\s\S]*?@searchListMethod (\w+)/.exec(types) ?? [];
	const boards = await ask('explore_node_resources', {
		...{ nodeType: action, version: 1, methodName, methodType: 'listSearch' },
		...{ credentialType: CREDENTIAL_TYPE, credentialId: credential.id },
	});
	const [board] = sandbox.community.boards.values();
	expect(boards).toContain(board.board_name);

	const code = CODE.replace('TRIGGER', webhookTrigger)
		.replace('ACTION', action)
		.replace('BOARD', String(board.board_id))
		.replaceAll('CREDENTIAL', CREDENTIAL_TYPE);
	expect(await record('validate_workflow', { code })).toEqual({ valid: true, nodeCount: 2 });
	const { workflowId, warnings = [] } = await record<{ workflowId: string; warnings?: unknown[] }>(
		'create_workflow_from_code',
		{ code, versionName: 'Welcome who joins' },
	);
	expect(warnings).toEqual([]);

	const user = { msid: '1.a', first_name: 'Ada' };
	const tested = await record<{ status: string }>('test_workflow', {
		workflowId,
		pinData: {
			'Member Joined': [{ json: { event: 'member.joined', user } }],
			'Welcome Post': [{ json: { post_id: 1 } }],
		},
	});
	expect(tested).toMatchObject({ status: 'success' });
	expect(sandbox.requests.matching('POST', '/api/v1/posts')).toEqual([]);

	const workflow: SavedWorkflow = await client.workflow(workflowId);
	sandbox.webhooks.set([{ url: await open(workflow), secret: SECRET }]);
	sandbox.community.join({ first_name: 'Grace' });
	// After that of the test.
	const [, execution] = await executionsOf(scenery, workflow, 2);
	expect(outputOf(execution, 'Welcome Post')).toEqual([
		expect.objectContaining({ board_id: board.board_id, headline: 'Welcome, Grace!' }),
	]);
}, 120_000);
