import { outputOf } from '../../dev/n8n/client.mts';
import { exampleNames, importExample } from '../../dev/n8n/examples.mts';
import { runToEnd } from './support/by-hand.mts';
import { type ChatModel, startChatModel } from './support/chat-model.mts';
import { changeRow, deleteRow, deleteTable, importCsv, rowsOf } from './support/data-tables.mts';
import { useFixture } from './support/use-fixture.mts';
import { saveWorkflow } from './support/workflow.mts';

const TAGS = 'weekly-tag-refresh';
const TAG_TABLE = 'tags to keep';
const DIGEST = 'community-digest-by-ai-agent';

const fixture = useFixture({ members: 120 });

describe('Keep tags in sync with a table', () => {
	beforeEach(async () => await deleteTable(fixture.client, TAG_TABLE));

	const tags = () =>
		new Map(
			[...fixture.sandbox.community.tags.values()].map((tag) => [tag.name, structuredClone(tag)]),
		);
	const changes = () => fixture.sandbox.requests.all.filter(({ method }) => method !== 'GET');

	test('creates a table of five tags, then syncs these tags once and leaves all others unchanged', async () => {
		const { client, credential, sandbox } = fixture;
		const before = tags();
		const workflow = await importExample(client, TAGS, credential);

		await runToEnd(fixture, workflow);
		const after = tags();
		sandbox.requests.clear();
		await runToEnd(fixture, workflow);

		expect(tags()).toEqual(after);
		expect(changes()).toEqual([]);
		const rows = (await rowsOf(client, TAG_TABLE))!;
		expect(rows).toHaveLength(5);
		const found = rows.map(({ name }) => after.get(String(name).toLowerCase()));
		expect(found).toEqual(
			rows.map(({ name, description, backColor, textColor }) =>
				expect.objectContaining({
					display_name: name,
					description,
					...(backColor !== null && { back_color: backColor, text_color: textColor }),
				}),
			),
		);
		// Three of the tags already exist, and one of the five leaves the colors unchanged.
		expect(after.size).toBe(before.size + 2);
		const { back_color, text_color } = before.get('webhooks')!;
		expect(after.get('webhooks')).toMatchObject({ back_color, text_color });
		const named = new Set(rows.map(({ name }) => String(name).toLowerCase()));
		for (const [name, tag] of before) if (!named.has(name)) expect(after.get(name)).toEqual(tag);
	});

	test('uses the rows that a manager edits, and the rows of a CSV file', async () => {
		const { client, credential, sandbox } = fixture;
		const workflow = await importExample(client, TAGS, credential);
		await runToEnd(fixture, workflow);
		const [{ id, name }] = (await rowsOf(client, TAG_TABLE))!;
		await changeRow(client, TAG_TABLE, id, { description: 'Written by a manager', backColor: '' });
		const csv =
			'name,description,textColor\nMeetups,"Where, and when, we meet",#123456\n,no name,\n';
		await importCsv(client, TAG_TABLE, csv);
		const before = tags();
		sandbox.requests.clear();

		await runToEnd(fixture, workflow);

		const after = tags();
		const key = String(name).toLowerCase();
		const { back_color } = before.get(key)!;
		expect(after.get(key)).toMatchObject({ description: 'Written by a manager', back_color });
		expect(after.get('meetups')).toMatchObject({
			display_name: 'Meetups',
			description: 'Where, and when, we meet',
			text_color: '#123456',
		});
		expect(after.size).toBe(before.size + 1);
		expect(changes()).toHaveLength(2);
	});

	test('does not fill a table that already has rows', async () => {
		const { client, credential, sandbox } = fixture;
		const workflow = await importExample(client, TAGS, credential);
		await runToEnd(fixture, workflow);
		const [kept, ...others] = (await rowsOf(client, TAG_TABLE))!;
		for (const { id } of others) await deleteRow(client, TAG_TABLE, id);
		sandbox.reset();

		await runToEnd(fixture, workflow);

		expect((await rowsOf(client, TAG_TABLE))!.map(({ id }) => id)).toEqual([kept.id]);
		expect(changes()).toHaveLength(1);
	});
});

test("“Have an AI agent write a weekly digest” lets a model read members and boards and write one post as the key's owner", async () => {
	const { client, credential, sandbox } = fixture;
	const { community } = sandbox;
	community.join({ first_name: 'Ottilie' });
	/** A model's answer to the results of the tools. */
	const digestFrom = (answers: ChatModel['answers']) => {
		const read = (tool: string) => answers.get(tool)?.join() ?? '';
		const [, newest] = /"first_name":\s*"([^"]+)"/.exec(read('List_Newest_Members')) ?? [];
		const [, board] = /"board_name":\s*"(Announcements)"/.exec(read('List_Boards')) ?? [];
		return { board, headline: 'This week', content: `Welcome, ${newest}!` };
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

		const execution = await runToEnd(fixture, workflow);

		expect(outputOf(execution, 'AI Agent')).toEqual([{ output: 'Published: This week' }]);
		const posts = [...community.posts.values()].filter(({ post_id }) => !before.has(post_id));
		expect(posts).toEqual([
			expect.objectContaining({
				headline: 'This week',
				content: 'Welcome, Ottilie!',
				author_id: community.callerId,
			}),
		]);
		expect(community.boards.get(posts[0].board_id)?.board_name).toBe('Announcements');
		// Exactly the arguments that the model is allowed to choose.
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

test("n8n's Migration Report for n8n 3 names a workflow with a deprecated node, and none of the examples", async () => {
	const { client, credential } = fixture;
	const deprecated = { name: 'Transform', type: 'n8n-nodes-base.aiTransform' };
	const workflows = [await saveWorkflow(fixture, 'With a deprecated node', [deprecated])];
	for (const example of await exampleNames()) {
		workflows.push(await importExample(client, example, credential));
	}

	const affected = await affectedByN8n3();

	const named = workflows.filter(({ id }) => affected.has(id)).map(({ name }) => name);
	expect(named).toEqual(['With a deprecated node']);
});

/** Returns the IDs of the workflows in n8n's Migration Report, which only counts them and lists them for each rule. */
async function affectedByN8n3(): Promise<Set<string>> {
	const { client } = fixture;
	const path = '/breaking-changes/report';
	const { report } = await client.call<{
		report: { workflowResults: Array<{ ruleId: string }> };
	}>('GET', path, undefined, { version: 'v3' });
	const ids = new Set<string>();
	for (const { ruleId } of report.workflowResults) {
		const { affectedWorkflows } = await client.call<{ affectedWorkflows: Array<{ id: string }> }>(
			'GET',
			`${path}/${ruleId}`,
		);
		for (const { id } of affectedWorkflows) ids.add(id);
	}
	return ids;
}
