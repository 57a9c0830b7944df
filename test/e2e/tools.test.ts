import type { INode, INodeParameters } from 'n8n-workflow';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { createAgent } from './support/agents.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 5 });

const decides = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
const tool = (name: string, parameters: INodeParameters): INode => ({
	id: name,
	name,
	typeVersion: 1,
	position: [0, 0],
	parameters,
	type: `${PACKAGE_NAME}.communityPlatformTool`,
});

// n8n's own Agents ask a person before they call such a tool.
test('A tool that needs approval sends no request before it is approved or after it is declined', async () => {
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
