import { fastify } from 'fastify';
import type { INode, INodeParameters } from 'n8n-workflow';
import { importWorkflow, manualTriggerOf, readExample } from '../../dev/n8n/examples.mts';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { until } from '../../dev/tools/wait.mts';
import { createAgent } from './support/agents.mts';
import { startChatModel } from './support/chat-model.mts';
import { useFixture } from './support/use-fixture.mts';

const LIMIT_MS = 30_000;

const fixture = useFixture({ members: 5 });

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
	const { requests } = fixture.sandbox;
	const saveTag = tool('Save Tag', { resource: 'tag', operation: 'upsert', name: decides('name') });
	const callIt = () => ({ call: { Save_Tag: { name: 'Unheard' } } });
	const done = () => ({ say: 'Done' });
	const agent = await createAgent(fixture, [saveTag], true);
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

test("An AI Agent's human review step shows the arguments of a call, and sends it after it is approved", async () => {
	const { client, credential, sandbox } = fixture;
	const post = { board: 'Announcements', headline: 'This week', content: 'Welcome!' };
	const model = await startChatModel([
		// n8n asks the model for this form.
		() => ({ call: { Write_Post: { toolParameters: post, hitlParameters: {} } } }),
		() => ({ say: 'Done' }),
	]);
	const messages = fastify();
	const asked: Asked[] = [];
	messages.post<{ Body: Asked }>('/bot:token/sendMessage', ({ body }, reply) => {
		asked.push(body);
		return reply.send({ ok: true, result: {} });
	});
	const baseUrl = await messages.listen({ host: '127.0.0.1', port: 0 });
	try {
		const review = {
			id: 'review',
			name: 'Ask the Team',
			type: 'n8n-nodes-base.telegramHitlTool',
			typeVersion: 1.2,
			position: [0, 0] as [number, number],
			webhookId: 'review',
			parameters: {
				chatId: '1',
				message: '={{ $tool.name }}: {{ JSON.stringify($tool.parameters) }}',
			},
			credentials: {
				telegramApi: await client.createCredential('Messages', 'telegramApi', {
					accessToken: ':token',
					baseUrl,
				}),
			},
		};
		const openAiApi = await client.createCredential('Chat model', 'openAiApi', {
			apiKey: 'none',
			url: model.url,
		});
		const { nodes, connections, ...rest } = await readExample('community-digest-by-ai-agent');
		const toReview = { node: review.name, type: 'ai_tool' as const, index: 0 };
		const reviewed = {
			...rest,
			nodes: [...nodes, review],
			connections: {
				...connections,
				[review.name]: connections['Write Post'],
				'Write Post': { ai_tool: [[toReview]] },
			},
		};
		const workflow = await importWorkflow(client, reviewed, credential, (node) =>
			node.name === 'Chat Model' ? { ...node, credentials: { openAiApi } } : node,
		);

		const id = await client.runWorkflow(workflow.id, manualTriggerOf(workflow));
		const [message] = await until('a message', async () => asked.length > 0 && asked, LIMIT_MS);
		const isWaiting = async () => (await client.execution(id)).status === 'waiting';
		await until('the execution to wait', isWaiting, LIMIT_MS);
		expect(message.text).toContain(`Write_Post: ${JSON.stringify(post)}`);
		expect(sandbox.requests.total).toBe(0);

		const [[{ url }]] = message.reply_markup.inline_keyboard;
		// n8n ignores a link that a program opens, such as a messenger's preview.
		await fetch(url, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130' } });
		await client.waitForExecution(id);
		expect(sandbox.requests.matching('POST').map(({ path }) => path)).toEqual(['/api/v1/posts']);
	} finally {
		await messages.close();
		await model.close();
	}
});

interface Asked {
	text: string;
	reply_markup: { inline_keyboard: Array<Array<{ url: string }>> };
}
