import { importExample } from '../../n8n/examples.mts';
import type { Tag } from '../../sandbox/records.mts';
import { runToEnd } from './support/by-hand.mts';
import { type ChatModel, startChatModel } from './support/chat-model.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 5 });

// n8n's AI Agent runs a tool as it runs any other node, and holds no argument against its type.
describe('A tool of an AI agent', () => {
	let model: ChatModel;
	afterEach(async () => await model.close());

	test('takes what the model gives, and keeps what it leaves empty', async () => {
		const { client, credential, sandbox } = scenery;
		const [before] = structuredClone([...sandbox.community.tags.values()]) as Tag[];
		// An ID that was asked for as text comes as a number.
		const args = { id: before.tag_id, what: 'For news', title: '' };
		model = await startChatModel([
			() => ({ call: { List_Boards: args } }),
			() => ({ say: 'Done' }),
		]);
		const chat = await client.createCredential('Chat model', 'openAiApi', {
			...{ apiKey: 'none', url: model.url },
		});
		const decides = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
		const changeTag = {
			...{ resource: 'tag', operation: 'update' },
			tagId: { __rl: true, mode: 'id', value: decides('id') },
			updateFields: { description: decides('what'), ogTitle: decides('title') },
		};
		const example = 'community-digest-by-ai-agent';
		const workflow = await importExample(client, example, credential, (node) => {
			if (node.name === 'Chat Model') return { ...node, credentials: { openAiApi: chat } };
			return node.name === 'List Boards' ? { ...node, parameters: changeTag } : node;
		});

		await runToEnd(scenery, workflow);

		expect(sandbox.community.tags.get(before.tag_id)).toEqual({
			...before,
			description: 'For news',
		});
		const offered = model.tools.find(({ name }) => name === 'List_Boards');
		expect(offered?.description).toBe('Update tag by ID or name in Community Platform');
		expect(Object.keys(offered?.parameters.properties ?? {})).toEqual(['id', 'what', 'title']);
		expect(offered?.parameters.required).toEqual(['id', 'what', 'title']);
	});
});
