import type { INode } from 'n8n-workflow';
import { importExample } from '../../dev/n8n/examples.mts';
import type { Tag } from '../../sandbox/records.mts';
import { runToEnd } from './support/by-hand.mts';
import { type ChatModel, startChatModel } from './support/chat-model.mts';
import { useStage } from './support/use-stage.mts';

const scenery = useStage({ members: 5 });

// n8n's AI Agent runs a tool as it runs any other node, and holds no argument against its type.
describe('A tool of an AI agent', () => {
	let model: ChatModel;
	afterEach(async () => await model.close());

	const decides = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;

	/** The example with an agent, one of its tools changed and the scripted model in it. */
	async function exampleWith(parameters: INode['parameters']) {
		const { client, credential } = scenery;
		const data = { apiKey: 'none', url: model.url };
		const chat = await client.createCredential('Chat model', 'openAiApi', data);
		return await importExample(client, 'community-digest-by-ai-agent', credential, (node) => {
			if (node.name === 'Chat Model') return { ...node, credentials: { openAiApi: chat } };
			return node.name === 'List Boards' ? { ...node, parameters } : node;
		});
	}

	test('takes what the model gives, and keeps what it leaves empty', async () => {
		const { sandbox } = scenery;
		const [before] = structuredClone([...sandbox.community.tags.values()]) as Tag[];
		// An ID that was asked for as text comes as a number.
		const args = { id: before.tag_id, what: 'For news', title: '' };
		model = await startChatModel([
			() => ({ call: { List_Boards: args } }),
			() => ({ say: 'Done' }),
		]);
		const workflow = await exampleWith({
			...{ resource: 'tag', operation: 'update' },
			tagId: { __rl: true, mode: 'id', value: decides('id') },
			updateFields: { description: decides('what'), ogTitle: decides('title') },
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

	// n8n passes on nothing but the message of what a tool throws (n8n-core, `handleNodeExecutionError`).
	test('tells the model the reason, and what to give instead', async () => {
		model = await startChatModel([
			() => ({ call: { List_Boards: { id: 'Ada' } } }),
			() => ({ call: { List_Boards: { id: '7777.unknown' } } }),
			() => ({ say: 'Done' }),
		]);
		const workflow = await exampleWith({
			...{ resource: 'user', operation: 'get' },
			userId: { __rl: true, mode: 'id', value: decides('id') },
		});

		await runToEnd(scenery, workflow);

		const [unusable, refused] = model.answers.get('List_Boards') ?? [];
		expect(JSON.parse(unusable)).toEqual([
			{
				error:
					'\'Ada\' is not the msid of a user. Give the msid in "User", e.g. 42.a1b2c3, or the user number: look it up, or ask the person for it.',
			},
		]);
		expect(JSON.parse(refused)).toEqual([
			{
				error:
					'No user has the id 7777.unknown. Check "User" (7777.unknown): nothing was found there, or this key may not see it.',
			},
		]);
		expect(scenery.sandbox.requests.matching('GET', '/api/v1/users')).toHaveLength(1);
	});
});
