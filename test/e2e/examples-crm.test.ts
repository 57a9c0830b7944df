import type { SavedWorkflow } from '../../dev/n8n/client.mts';
import { importExample } from '../../dev/n8n/examples.mts';
import { bodyOf, serve, type TestServer } from '../support/servers.mts';
import { executionsOf, useActivation } from './support/active.mts';
import { useStage } from './support/use-stage.mts';

const SECRET = 'a long random text';
const KEY = { name: 'Authorization', value: 'Bearer a key of the CRM' };
const [CRM, CHAT] = ['/crm', '/chat'];

const scenery = useStage({ members: 30, webhookSecret: SECRET });
const { open } = useActivation(scenery);

describe('Tell the CRM and the chat about each new member', () => {
	let stand: TestServer;
	let received: Array<{ path: string; body: unknown; key?: string }>;
	/** The status that an address answers with; 200 unless set. */
	let statuses: Record<string, number>;
	let workflow: SavedWorkflow;

	beforeEach(async () => {
		const { client, credential, sandbox } = scenery;
		received = [];
		statuses = {};
		stand = await serve((request, response) => {
			void bodyOf(request).then((body) => {
				const { url: path = '', headers } = request;
				received.push({ path, body, key: headers.authorization });
				response.statusCode = statuses[path] ?? 200;
				response.setHeader('content-type', 'application/json').end('{}');
			});
		});
		const header = await client.createCredential('CRM', 'httpHeaderAuth', KEY);
		const at = (path: string) => ({ url: stand.origin + path });
		workflow = await importExample(client, 'new-member-to-crm-and-chat', credential, (node) => {
			const parameters = { ...node.parameters };
			if (node.name === 'Tell the Chat') Object.assign(parameters, at(CHAT));
			if (node.name !== 'Add to the CRM') return { ...node, parameters };
			Object.assign(parameters, at(CRM));
			return { ...node, parameters, credentials: { httpHeaderAuth: header } };
		});
		sandbox.webhooks.set([{ url: await open(workflow), secret: SECRET }]);
	});

	afterEach(async () => await stand.close());

	const sentTo = (address: string) => received.filter(({ path }) => path === address);

	test('sends each member of an event to both once, also if the event is delivered again', async () => {
		const { community, webhooks } = scenery.sandbox;
		const created_at = '2026-01-31T23:30:00Z';
		const [ada, eve, nameless] = [
			community.addUser({ first_name: 'Ada', email: 'Ada@crm.example', created_at }),
			community.addUser({ first_name: 'Eve <!channel>', email: 'eve@crm.example', created_at }),
			community.addUser({
				first_name: '<b></b>',
				email: 'cy@crm.example',
				username: 'cy',
				created_at,
			}),
		];
		// The community's own record counts, not what an event claims.
		const user = [{ ...ada, email: 'other@crm.example' }, eve, nameless];

		const [{ number }] = await webhooks.send('member.joined', { user });
		const [first] = await executionsOf(scenery, workflow, 1);
		await webhooks.repeat(number, 2);
		const executions = await executionsOf(scenery, workflow, 3);

		expect(first.data.resultData.error).toBeUndefined();
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		const joined = '2026-01-31';
		expect(sentTo(CRM).map(({ body }) => body)).toEqual([
			{ email: 'ada@crm.example', first_name: 'Ada', joined },
			{ email: 'eve@crm.example', first_name: 'Eve', joined },
			{ email: 'cy@crm.example', first_name: 'cy', joined },
		]);
		expect(sentTo(CHAT).map(({ body }) => body)).toEqual([
			{ text: `Ada (ada@crm.example) joined on ${joined}.` },
			{ text: `Eve (eve@crm.example) joined on ${joined}.` },
			{ text: `cy (cy@crm.example) joined on ${joined}.` },
		]);
		expect(sentTo(CRM).map(({ key }) => key)).toEqual([KEY.value, KEY.value, KEY.value]);
		expect(sentTo(CHAT).filter(({ key }) => key !== undefined)).toEqual([]);
	});

	test('tells the chat once when the CRM refuses a member first, and the run is retried', async () => {
		const { client, sandbox } = scenery;
		statuses[CRM] = 503;
		sandbox.community.join({ first_name: 'Ada', email: 'ada@crm.example' });
		const [{ id, status }] = await executionsOf(scenery, workflow, 1);
		expect(status).toBe('error');

		statuses[CRM] = 200;
		const retried = await client.retryExecution(id);

		expect(retried).toMatchObject({ status: 'success', retryOf: id });
		expect(received.map(({ path }) => path)).toEqual([CRM, CRM, CHAT]);
	});
});
