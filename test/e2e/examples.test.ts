import { outputOf } from '../../dev/n8n/client.mts';
import { importExample } from '../../dev/n8n/examples.mts';
import { runToEnd } from './support/by-hand.mts';
import { type ChatModel, startChatModel } from './support/chat-model.mts';
import { useStage } from './support/use-stage.mts';

const TAGS = 'weekly-tag-refresh';
const DIGEST = 'community-digest-by-ai-agent';

const scenery = useStage({ members: 120 });

test('“Weekly tag refresh” makes the tags match the table, once, and leaves everything else as it is', async () => {
	const { community, requests } = scenery.sandbox;
	const tags = () =>
		new Map([...community.tags.values()].map((tag) => [tag.name, structuredClone(tag)]));
	const before = tags();
	const workflow = await importExample(scenery.client, TAGS, scenery.credential);
	const table = JSON.stringify(workflow.nodes.find(({ name }) => name === 'Tag Table'));

	await runToEnd(scenery, workflow);
	const after = tags();
	await runToEnd(scenery, workflow);

	expect(tags()).toEqual(after);
	const created = requests.matching('POST', '/api/v1/tags');
	expect(created.length).toBeGreaterThan(0);
	expect(after.size).toBe(before.size + created.length);
	const changed = [...after.values()].filter(
		(tag) => JSON.stringify(tag) !== JSON.stringify(before.get(tag.name)),
	);
	expect(changed.length).toBeGreaterThan(created.length);
	for (const { display_name: name } of changed) expect(table).toContain(`"value":"${name}"`);
});

test('“Community digest by an AI agent” lets a model read members and boards and write one post in the own name', async () => {
	const { client, credential, sandbox } = scenery;
	const { community } = sandbox;
	community.join({ first_name: 'Ottilie' });
	/** What a model would do with the answers of the tools. */
	const digestFrom = (answers: ChatModel['answers']) => {
		const read = (tool: string) => answers.get(tool)?.join() ?? '';
		const [, newest] = /"first_name":\s*"([^"]+)"/.exec(read('List_Newest_Members')) ?? [];
		const [, board] = /"board_name":\s*"(Announcements)"/.exec(read('List_Boards')) ?? [];
		return { board, headline: 'This week', content: `<p>Welcome, ${newest}!</p>` };
	};
	const model = await startChatModel([
		() => ({ call: { List_Newest_Members: { limit: 3 }, List_Boards: {} } }),
		(answers) => ({ call: { Write_Post: digestFrom(answers) } }),
		() => ({ say: 'Published: This week' }),
	]);
	try {
		const data = { apiKey: 'none', url: model.url };
		const openAiApi = await client.createCredential('Chat model', 'openAiApi', data);
		const workflow = await importExample(client, DIGEST, credential, (node) =>
			node.name === 'Chat Model' ? { ...node, credentials: { openAiApi } } : node,
		);
		const before = new Set(community.posts.keys());

		const execution = await runToEnd(scenery, workflow);

		expect(outputOf(execution, 'AI Agent')).toEqual([{ output: 'Published: This week' }]);
		const posts = [...community.posts.values()].filter(({ post_id }) => !before.has(post_id));
		expect(posts).toEqual([
			expect.objectContaining({
				...{ headline: 'This week', content: '<p>Welcome, Ottilie!</p>' },
				author_id: community.callerId,
			}),
		]);
		expect(community.boards.get(posts[0].board_id)?.board_name).toBe('Announcements');
		// Exactly what it may decide.
		const offered = model.tools.map(({ name, parameters }) => [
			name,
			Object.keys(parameters.properties ?? {}),
		]);
		expect(Object.fromEntries(offered)).toEqual({
			List_Newest_Members: ['limit'],
			List_Boards: [],
			Write_Post: ['board', 'headline', 'content'],
		});
	} finally {
		await model.close();
	}
});
