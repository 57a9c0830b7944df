import { NODE_TYPE } from '../../nodes/shared/builder/hints.ts';
import { askOverMcp, type Told } from '../../dev/n8n/mcp/client.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 5 });
const { action, webhookTrigger, pollingTrigger } = NODE_TYPE;

// The search of n8n's AI Builder is also served to other assistants over MCP: so it can be asked
// without a model.
describe("n8n's AI Builder", () => {
	let told: Told;

	beforeAll(async () => {
		const { client, url } = scenery;
		await client.call('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
		const { apiKey } = await client.call<{ apiKey: string }>('POST', '/mcp/api-key/rotate', {});
		told = await askOverMcp({
			...{ url: `${url}/mcp-server/http`, token: apiKey },
			calls: [
				['search_nodes', { queries: ['community platform'] }],
				['get_node_types', { nodeIds: [{ nodeId: action }] }],
			],
		});
	});

	afterAll(async () => {
		await scenery.client.call('PATCH', '/mcp/settings', { mcpAccessEnabled: false });
	});

	// n8n gives the text itself, or an object that holds it.
	const answer = (call: number) =>
		told.answers[call].content.map(({ text }) => text.replaceAll('\\n', '\n')).join('\n');

	test.each([
		[action, 'It does not start a workflow'],
		[`${action}Tool`, 'Acts on a community'],
		[webhookTrigger, 'if the community can reach n8n at a public address'],
		[pollingTrigger, 'only where the community cannot reach n8n'],
	])('finds %s with its hint', (type, hint) => {
		const found = answer(0)
			.split(/\n(?=- )/)
			.find((text) => text.startsWith(`- ${type}`) && text.split(/\s/)[1] === type);
		expect(found).toMatch(new RegExp(`@builderHint .*${hint}`));
	});

	test('is told which operation to choose, and how to name a record', () => {
		expect(answer(0)).toContain('choose upsert');
		expect(answer(1)).toContain("@builderHint Give mode 'name' with a name as people know it");
		expect(answer(1)).toContain("@builderHint Give mode 'id' with the msid of a user");
		expect(answer(0) + answer(1)).not.toContain('@builderHint undefined');
	});
});
