import type { INode, INodeParameters } from 'n8n-workflow';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { createAgent } from './support/agents.mts';
import { byAgents, byAiAgent, overMcp, type ToolRoad } from './support/tool-roads.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 5 });

const decides = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
const byId = (name: string) => ({ __rl: true, mode: 'id', value: decides(name) });
const tool = (name: string, parameters: INodeParameters): INode => ({
	...{ id: name, name, typeVersion: 1, position: [0, 0], parameters },
	type: `${PACKAGE_NAME}.communityPlatformTool`,
});
const changeTag = tool('Change Tag', {
	...{ resource: 'tag', operation: 'update', tagId: byId('id') },
	updateFields: { description: decides('what'), ogTitle: decides('title') },
});
const getUser = tool('Get User', { resource: 'user', operation: 'get', userId: byId('id') });

describe.each([
	['over MCP', overMcp],
	['by the AI Agent', byAiAgent],
	["by one of n8n's own Agents", byAgents],
])('A model that calls tools %s', (_how, open) => {
	let road: ToolRoad;
	beforeAll(async () => {
		road = await open(scenery, [changeTag, getUser]);
	});
	afterAll(async () => await road.close());

	test('changes what it gives, and keeps what it leaves empty', async () => {
		const { tags } = scenery.sandbox.community;
		const [before] = structuredClone([...tags.values()]);
		const args = { id: String(before.tag_id), what: 'For news', title: '' };

		await road.call('Change_Tag', args);

		expect(tags.get(before.tag_id)).toEqual({ ...before, description: 'For news' });
	});

	test('is told the reason, and what to give instead', async () => {
		const unusable = await road.call('Get_User', { id: 'Ada/1' });
		expect(unusable).toContain("'Ada/1' is not the msid of a user. Give the msid");
		expect(scenery.sandbox.requests.all).toEqual([]);

		const refused = await road.call('Get_User', { id: '7777.unknown' });
		expect(refused).toContain('No user has the id 7777.unknown. Check');
	});
});

// n8n's own Agents ask a person before they call such a tool.
test('A tool that needs approval sends nothing before it is approved, nor where it is declined', async () => {
	const { requests } = scenery.sandbox;
	const saveTag = tool('Save Tag', { resource: 'tag', operation: 'upsert', name: decides('name') });
	const callIt = () => ({ call: { Save_Tag: { name: 'Unheard' } } });
	const done = () => ({ say: 'Done' });
	const agent = await createAgent(scenery, [saveTag], true);
	const answer = () => agent.model.answers.get('Save_Tag')?.at(-1) ?? '';
	try {
		const [declined] = await agent.chat(callIt);
		expect(declined).toMatchObject({ toolName: 'Save_Tag' });
		expect(await agent.resume(declined, false, done)).toEqual([]);
		expect(answer()).toContain('was not approved');
		const [waiting] = await agent.chat(callIt);
		expect(requests.all).toEqual([]);

		expect(await agent.resume(waiting, true, done)).toEqual([]);
		const changes = requests.all.filter(({ method }) => method !== 'GET');
		expect(changes.map(({ method, path }) => [method, path])).toEqual([['POST', '/api/v1/tags']]);
		expect(answer()).toContain('"created":true');
	} finally {
		await agent.close();
	}
});
