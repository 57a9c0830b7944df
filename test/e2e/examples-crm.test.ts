import type { SavedWorkflow } from '../../dev/n8n/client.mts';
import { importExample } from '../../dev/n8n/examples.mts';
import { EVERY_SECOND, polling } from '../../dev/n8n/polling.mts';
import { until } from '../../dev/tools/wait.mts';
import type { User } from '../../sandbox/records.mts';
import { bodyOf, serve, type TestServer } from '../support/servers.mts';
import { executionsOf, polls, useActivation } from './support/active.mts';
import { useFixture } from './support/use-fixture.mts';

const SECRET = 'a long random text';
const KEY = { name: 'Authorization', value: 'Bearer a key of the CRM' };
const [CRM, CHAT] = ['/crm', '/chat'];
const [BANNED, MODERATOR] = [-3, 5];

const fixture = useFixture({ members: 30, webhookSecret: SECRET });
const { activate, open } = useActivation(fixture);

let crmServer: TestServer;
let received: Array<{ path: string; body: unknown; key?: string }>;
/** The status of an address's answers. 200 unless set. */
let statuses: Record<string, number>;

beforeEach(async () => {
	received = [];
	statuses = {};
	crmServer = await serve((request, response) => {
		void bodyOf(request).then((body) => {
			const { url: path = '', headers } = request;
			received.push({ path, body, key: headers.authorization });
			response.statusCode = statuses[path] ?? 200;
			response.setHeader('content-type', 'application/json').end('{}');
		});
	});
});

afterEach(async () => await crmServer.close());

/** Imports an example, with the addresses of the test server and the CRM's key. */
async function imported(example: string): Promise<SavedWorkflow> {
	const { client, credential } = fixture;
	const httpHeaderAuth = await client.createCredential('CRM', 'httpHeaderAuth', KEY);
	return await importExample(client, example, credential, (node) => {
		if (!node.type.endsWith('.httpRequest')) return polling(EVERY_SECOND)(node);
		const path = node.name.includes('CRM') ? CRM : CHAT;
		const parameters = { ...node.parameters, url: crmServer.origin + path };
		return { ...node, parameters, ...(path === CRM && { credentials: { httpHeaderAuth } }) };
	});
}

test('“Tell your CRM who changed role, left or was banned” reports each change to the CRM once', async () => {
	const { community } = fixture.sandbox;
	const [ada, bo, cy, di] = ['Ada', 'Bo <b>', 'Cy', 'Di'].map((first_name) =>
		community.addUser({ first_name }),
	);
	await activate(await imported('who-changed-left-or-was-banned'));
	await polls(fixture);
	expect(received).toEqual([]);

	community.promote(ada.msid, MODERATOR);
	community.changeUser(bo.msid, { user_status: BANNED });
	community.removeUser(cy.msid);
	community.changeUser(di.msid, { first_name: 'Diana' });
	community.join();
	await until('three changes', async () => received.length >= 3, 30_000);
	await polls(fixture);

	const unchanged = { role: 'Member', previous_role: '', status: 'ACTIVE', previous_status: '' };
	const told = ({ msid }: User, changes: object) => ({ ...unchanged, msid, ...changes });
	const roles = { role: 'Moderator', previous_role: 'Member' };
	const left = { role: '', previous_role: 'Member', status: 'LEFT', previous_status: 'ACTIVE' };
	const ban = { status: 'BANNED', previous_status: 'ACTIVE' };
	const due = [
		told(ada, { first_name: 'Ada', changed: 'role', ...roles }),
		told(bo, { first_name: 'Bo', changed: 'status', ...ban }),
		told(cy, { first_name: 'Cy', changed: 'left', ...left }),
	];
	expect(received).toHaveLength(3);
	expect(received.map(({ body }) => body)).toEqual(expect.arrayContaining(due));
	expect(received.map(({ key }) => key)).toEqual([KEY.value, KEY.value, KEY.value]);
});

describe('Send each new member to your CRM and chat', () => {
	let workflow: SavedWorkflow;

	beforeEach(async () => {
		workflow = await imported('new-member-to-crm-and-chat');
		fixture.sandbox.webhooks.set([{ url: await open(workflow), secret: SECRET }]);
	});

	const sentTo = (address: string) => received.filter(({ path }) => path === address);

	test('sends each member of an event to both once, even if the event is delivered again', async () => {
		const { community, webhooks } = fixture.sandbox;
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
		// The record is the community's, not the event's.
		const user = [{ ...ada, email: 'other@crm.example' }, eve, nameless];

		const [{ number }] = await webhooks.send('member.joined', { user });
		const [first] = await executionsOf(fixture, workflow, 1);
		await webhooks.repeat(number, 2);
		const executions = await executionsOf(fixture, workflow, 3);

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

	test('notifies the chat once if the CRM first refuses a member and the execution is retried', async () => {
		const { client, sandbox } = fixture;
		statuses[CRM] = 503;
		sandbox.community.join({ first_name: 'Ada', email: 'ada@crm.example' });
		const [{ id, status }] = await executionsOf(fixture, workflow, 1);
		expect(status).toBe('error');

		statuses[CRM] = 200;
		const retried = await client.retryExecution(id);

		expect(retried).toMatchObject({ status: 'success', retryOf: id });
		expect(received.map(({ path }) => path)).toEqual([CRM, CRM, CHAT]);
	});
});
