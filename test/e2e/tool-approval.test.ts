import type { INode } from 'n8n-workflow';
import { type Agent, createAgent } from './support/agents.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 5 });

const decides = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
const saveTag = {
	...{ id: 'tool', name: 'Save Tag', typeVersion: 1, position: [0, 0] },
	type: 'n8n-nodes-community-platform.communityPlatformTool',
	parameters: {
		...{ resource: 'tag', operation: 'upsert', name: decides('name') },
		additionalFields: { description: decides('what'), backColor: decides('color') },
	},
} as INode;

// n8n's own Agents ask a person before they call such a tool.
describe("A tool of one of n8n's own Agents that needs approval", () => {
	let agent: Agent;
	afterEach(async () => await agent.close());

	const args = { name: 'Unheard', what: 'For what is new', color: '' };
	const callIt = () => ({ call: { Save_Tag: args } });
	const done = () => ({ say: 'Done' });
	const changes = () => scenery.sandbox.requests.all.filter(({ method }) => method !== 'GET');
	const answer = () => agent.model.answers.get('Save_Tag')?.join('\n') ?? '';

	test('sends nothing before it is approved, and then one request that changes something', async () => {
		agent = await createAgent(scenery, [saveTag], true);

		const [waiting] = await agent.chat(callIt);

		expect(waiting).toMatchObject({ toolName: 'Save_Tag' });
		expect(scenery.sandbox.requests.all).toEqual([]);

		expect(await agent.resume(waiting, true, done)).toEqual([]);

		expect(changes().map(({ method, path }) => [method, path])).toEqual([['POST', '/api/v1/tags']]);
		const tags = [...scenery.sandbox.community.tags.values()];
		expect(tags.filter(({ display_name: name }) => name === 'Unheard')).toEqual([
			expect.objectContaining({ description: 'For what is new' }),
		]);
		expect(answer()).toContain('"created":true');
	});

	test('sends nothing where it is declined', async () => {
		agent = await createAgent(scenery, [saveTag], true);
		const [waiting] = await agent.chat(callIt);

		expect(await agent.resume(waiting, false, done)).toEqual([]);

		expect(answer()).toContain('was not approved');
		expect(scenery.sandbox.requests.all).toEqual([]);
	});

	test('tells the model the reason and what to do where it is approved and refused', async () => {
		const { sandbox } = scenery;
		agent = await createAgent(scenery, [saveTag], true);
		sandbox.faults.add({ kind: 'status', status: 403, method: 'POST', path: '/api/v1/tags' });
		const [waiting] = await agent.chat(callIt);

		await agent.resume(waiting, true, done);

		expect(answer()).toContain('Nothing was changed. The sandbox was told to refuse this.');
		expect(answer()).toContain('the member it belongs to lacks the permission for this');
		expect(changes()).toHaveLength(1);
		expect([...sandbox.community.tags.values()].map(({ name }) => name)).not.toContain('unheard');
	});
});
