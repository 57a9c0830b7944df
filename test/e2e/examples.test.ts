import { outputOf, type SavedWorkflow } from '../../dev/n8n/client.mts';
import { importExample } from '../../dev/n8n/examples.mts';
import { until } from '../../dev/tools/wait.mts';
import { useActivation } from './support/active.mts';
import { runToEnd } from './support/by-hand.mts';
import { type ChatModel, startChatModel } from './support/chat-model.mts';
import { useStage } from './support/use-stage.mts';

const TAGS = 'weekly-tag-refresh';
const DIGEST = 'community-digest-by-ai-agent';
const SCHEDULE_TIMEOUT_MS = 20_000;

const scenery = useStage({ members: 120 });
const { activate } = useActivation(scenery);

/** Imports an example; where it has a chat model, that is the one at this address. */
async function importWithModel(
	example: string,
	url = 'http://127.0.0.1:9',
): Promise<SavedWorkflow> {
	const { client, credential } = scenery;
	const chat = await client.createCredential('Chat model', 'openAiApi', { apiKey: 'none', url });
	return await importExample(client, example, credential, (node) =>
		node.name === 'Chat Model' ? { ...node, credentials: { openAiApi: chat } } : node,
	);
}

test.each(['promote-active-members', TAGS, DIGEST])(
	'%s waits for the day it is meant for',
	async (example) => {
		const workflow = await importWithModel(example);

		await activate(workflow);

		const isPublished = async () => {
			const publication = await scenery.client.publication(workflow.id);
			return publication.status === 'published' && publication;
		};
		const { triggers } = await until('the schedule to be set', isPublished, SCHEDULE_TIMEOUT_MS);
		const schedule = workflow.nodes.find(({ type }) => type.endsWith('.scheduleTrigger'));
		expect(triggers).toContainEqual(
			expect.objectContaining({ nodeId: schedule?.id, status: 'activated' }),
		);
	},
);

test('“Weekly tag refresh” makes the tags match the table, once, and leaves everything else as it is', async () => {
	const { community, requests } = scenery.sandbox;
	const tags = () =>
		new Map([...community.tags.values()].map((tag) => [tag.name, structuredClone(tag)]));
	const before = tags();
	const workflow = await importWithModel(TAGS);
	const table = workflow.nodes.find(({ name }) => name === 'Tag Table');
	const { assignments } = table?.parameters.assignments as unknown as {
		assignments: Array<{ name: string; value: string }>;
	};
	// As `tags.0.backColor`.
	const rows = new Map<string, Record<string, string>>();
	for (const { name, value } of assignments) {
		const [, row, column] = name.split('.');
		rows.set(row, { ...rows.get(row), [column]: value });
	}
	const missing = [...rows.values()].filter(({ name }) => !before.has(name.toLowerCase()));

	await runToEnd(scenery, workflow);
	const after = tags();
	await runToEnd(scenery, workflow);

	expect(tags()).toEqual(after);
	for (const { name, description, backColor, textColor } of rows.values()) {
		const key = name.toLowerCase();
		expect(after.get(key)).toEqual({
			...(before.get(key) ?? after.get(key)),
			...(description && { description }),
			...(backColor && { back_color: backColor }),
			...(textColor && { text_color: textColor }),
		});
		before.delete(key);
		after.delete(key);
	}
	expect(after).toEqual(before);
	expect(missing.length).toBeGreaterThan(0);
	expect(requests.matching('POST', '/api/v1/tags')).toHaveLength(missing.length);
});

test('“Community digest by an AI agent” lets a model read members and boards and write one post in the own name', async () => {
	const { community } = scenery.sandbox;
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
		const workflow = await importWithModel(DIGEST, model.url);
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
