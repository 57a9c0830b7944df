import { outputOf, type SavedWorkflow } from '../../dev/n8n/client.mts';
import { importExample, readExample } from '../../dev/n8n/examples.mts';
import { until } from '../../dev/tools/wait.mts';
import type { Post, Tag } from '../../sandbox/records.mts';
import { useActivation } from './support/active.mts';
import { type ChatModel, startChatModel } from './support/chat-model.mts';
import { runToEnd } from './support/by-hand.mts';
import { useStage } from './support/use-stage.mts';

const DIGEST = 'community-digest-by-ai-agent';
const SCHEDULE_TIMEOUT_MS = 20_000;

const scenery = useStage({ members: 120 });

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

describe('On its schedule', () => {
	const { activate } = useActivation(scenery);

	test.each(['promote-active-members', 'weekly-tag-refresh', DIGEST])(
		'%s waits for the day it is meant for',
		async (example) => {
			const { client } = scenery;
			const workflow = await importWithModel(example);

			await activate(workflow);

			const { triggers } = await until(
				'the schedule to be set',
				async () => {
					const publication = await client.publication(workflow.id);
					return publication.status === 'published' ? publication : undefined;
				},
				SCHEDULE_TIMEOUT_MS,
			);
			const schedule = workflow.nodes.find(({ type }) => type.endsWith('.scheduleTrigger'));
			expect(triggers).toContainEqual(
				expect.objectContaining({ nodeId: schedule?.id, status: 'activated' }),
			);
		},
	);
});

interface Row {
	name: string;
	description?: string;
	backColor?: string;
	textColor?: string;
}

/** What Edit Fields sets. */
interface Fields {
	assignments: Array<{ name: string; value: string }>;
}

describe('Weekly tag refresh', () => {
	const tags = () => new Map([...scenery.sandbox.community.tags.values()].map(toEntry));
	const toEntry = (tag: Tag): [string, Tag] => [tag.name, { ...tag }];

	test('makes the tags match the table and leaves everything else as it is', async () => {
		const { client, credential, sandbox } = scenery;
		const before = tags();
		const workflow = await importExample(client, 'weekly-tag-refresh', credential);
		const rows = await tableOf('weekly-tag-refresh');
		const missing = rows.filter(({ name }) => !before.has(name.toLowerCase()));
		expect(missing.length).toBeGreaterThan(0);
		expect(missing.length).toBeLessThan(rows.length);

		await runToEnd(scenery, workflow);

		const after = tags();
		for (const { name, description, backColor, textColor } of rows) {
			const key = name.toLowerCase();
			const was = before.get(key);
			expect(after.get(key)).toEqual({
				...(was ?? after.get(key)),
				...(description && { description }),
				...(backColor && { back_color: backColor }),
				...(textColor && { text_color: textColor }),
			});
			before.delete(key);
			after.delete(key);
		}
		expect(after).toEqual(before);
		expect(sandbox.requests.matching('POST', '/api/v1/tags')).toHaveLength(missing.length);
	});

	test('creates nothing when it runs again', async () => {
		const { client, credential, sandbox } = scenery;
		const workflow = await importExample(client, 'weekly-tag-refresh', credential);
		await runToEnd(scenery, workflow);
		const refreshed = tags();
		sandbox.requests.clear();

		await runToEnd(scenery, workflow);

		expect(tags()).toEqual(refreshed);
		expect(sandbox.requests.matching('POST')).toEqual([]);
	});

	async function tableOf(example: string): Promise<Row[]> {
		const { nodes } = await readExample(example);
		const table = nodes.find(({ name }) => name === 'Tag Table');
		const { assignments } = table?.parameters.assignments as unknown as Fields;
		const rows: Record<string, Record<string, string>> = {};
		for (const { name, value } of assignments) {
			const [, tag, column] = name.split('.');
			rows[tag] = { ...rows[tag], [column]: value };
		}
		return Object.values(rows) as unknown as Row[];
	}
});

describe('Community digest by an AI agent', () => {
	let model: ChatModel;
	afterEach(async () => await model.close());

	test('lets a model read members and boards and write one post in the own name', async () => {
		const { sandbox } = scenery;
		sandbox.community.join({ first_name: 'Ottilie' });
		model = await startChatModel([
			() => ({ call: { List_Newest_Members: { limit: 3 }, List_Boards: {} } }),
			(answers) => ({ call: { Write_Post: digestFrom(answers) } }),
			() => ({ say: 'Published: This week' }),
		]);
		const workflow = await importWithModel(DIGEST, model.url);
		const before = new Set(sandbox.community.posts.keys());

		const execution = await runToEnd(scenery, workflow);

		expect(outputOf(execution, 'AI Agent')).toEqual([{ output: 'Published: This week' }]);
		const posts = [...sandbox.community.posts.values()].filter(
			({ post_id }) => !before.has(post_id),
		);
		expect(posts).toEqual([
			expect.objectContaining<Partial<Post>>({
				headline: 'This week',
				content: '<p>Welcome, Ottilie!</p>',
				board_id: boardNamed('Announcements'),
				author_id: sandbox.community.callerId,
			}),
		]);
		const listed = sandbox.requests.matching('GET', '/api/v1/users').map(({ query }) => query);
		expect(listed).toContainEqual(expect.objectContaining({ sort_by: 'joined', order: 'desc' }));
	});

	test('offers the model exactly what it may decide', async () => {
		model = await startChatModel([() => ({ say: 'Nothing to do' })]);
		const workflow = await importWithModel(DIGEST, model.url);

		await runToEnd(scenery, workflow);

		const offered = model.tools.map(({ name, parameters }) => [
			name,
			Object.keys(parameters.properties ?? {}),
		]);
		expect(Object.fromEntries(offered)).toEqual({
			List_Newest_Members: ['limit'],
			List_Boards: [],
			Write_Post: ['board', 'headline', 'content'],
		});
		expect(scenery.sandbox.requests.matching('POST')).toEqual([]);
	});

	/** Does what a model would do with the answers of the tools. */
	function digestFrom(answers: ChatModel['answers']): object {
		const read = (tool: string) => answers.get(tool)?.join() ?? '';
		const [, newest] = /"first_name":\s*"([^"]+)"/.exec(read('List_Newest_Members')) ?? [];
		const [, board] = /"board_name":\s*"(Announcements)"/.exec(read('List_Boards')) ?? [];
		return {
			board,
			headline: 'This week',
			content: `<p>Welcome, ${newest}!</p>`,
		};
	}

	function boardNamed(name: string): number | undefined {
		const boards = [...scenery.sandbox.community.boards.values()];
		return boards.find(({ board_name }) => board_name === name)?.board_id;
	}
});
