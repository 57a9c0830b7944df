import axios from 'axios';
import { outputOf, type SavedWorkflow } from '../../dev/n8n/client.mts';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { EVERY_SECOND } from '../../dev/n8n/polling.mts';
import { productionUrl, untilRegistered } from '../../dev/n8n/webhooks.mts';
import { until } from '../../dev/tools/wait.mts';
import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { polls } from './support/active.mts';
import { type N8n, startN8n } from './support/n8n.mts';
import { type Registry, startRegistry } from './support/registry.mts';
import { credentialFor } from './support/use-fixture.mts';
import { saveWorkflow } from './support/workflow.mts';

const SECRET = 'a long random text';
const [OLD, NEW] = ['0.1.0', '0.1.1'];
const PACKAGES = '/community-packages';
const TIMEOUT_MS = 60_000;
const BOTH = ['Joined', 'Polled'];

let registry: Registry;
let sandbox: Sandbox;
let n8n: N8n;
let workflow: SavedWorkflow;
/** The members that each trigger must output. */
const due: Record<string, string[]> = { Joined: [], Polled: [] };

const install = async () =>
	await n8n.client.call('POST', PACKAGES, { name: `${PACKAGE_NAME}@${OLD}` });

const uninstall = async () =>
	await n8n.client.call('DELETE', PACKAGES, undefined, { name: PACKAGE_NAME });

const isShown = (status: string) => async () =>
	(await n8n.client.publication(workflow.id)).status === status;

async function publish(): Promise<void> {
	await n8n.client.activate(workflow.id);
	await untilRegistered(productionUrl(n8n.url, workflow));
	await polls({ sandbox });
}

/** Lets a member join that these triggers must output, and checks n8n's answer to the delivery. */
async function joins(name: string, triggers = BOTH, status = 200): Promise<void> {
	for (const trigger of triggers) due[trigger].push(name);
	sandbox.community.join({ first_name: name });
	await sandbox.webhooks.settled();
	expect(sandbox.webhooks.deliveries.at(-1)).toHaveProperty('status', status);
}

/**
 * Lets members join while n8n changes the version. No poll succeeds until then, so that version must find all of them.
 */
async function joinDuring(change: () => Promise<unknown>): Promise<void> {
	const { community, faults } = sandbox;
	faults.add({ kind: 'status', status: 403, method: 'GET', path: '/api/v1/users' });
	let isOver = false;
	const joinsNext = async () => {
		await joins(`Member ${community.users.size}`);
		return isOver;
	};
	const joining = until('n8n to change the version', joinsNext, TIMEOUT_MS);
	await Promise.all([change().finally(() => (isOver = true)), joining]);
	await polls({ sandbox });
	faults.clear();
}

/** The names that each trigger has output, sorted. */
async function output(): Promise<Record<string, string[]>> {
	const all = await n8n.client.executions({ workflowId: workflow.id, status: ['success'] });
	const executions = await Promise.all(all.map(async ({ id }) => await n8n.client.execution(id)));
	type Item = { first_name: string; user?: { first_name: string } };
	const namesOf = (trigger: string) => {
		const items = executions.flatMap((execution) => outputOf(execution, trigger) as Item[]);
		return items.map((item) => (item.user ?? item).first_name).sort();
	};
	return { Joined: namesOf('Joined'), Polled: namesOf('Polled') };
}

/** Checks that each trigger outputs its expected members once. */
async function expectMembers(): Promise<void> {
	const isComplete = async () => {
		const names = await output();
		return BOTH.every((trigger) => due[trigger].every((name) => names[trigger].includes(name)));
	};
	// If some are missing, the comparison shows which.
	await until('the members', isComplete, TIMEOUT_MS, 1_000).catch(() => {});
	await polls({ sandbox });
	for (const trigger of BOTH) due[trigger].sort();
	expect(await output()).toEqual(due);
}

/** The version that has sent the last request. */
const version = () => String(sandbox.requests.all.at(-1)?.headers['user-agent']).split(/[/ ]/)[1];

beforeAll(async () => {
	registry = await startRegistry();
	await registry.publish(OLD);
	n8n = await startN8n('n8n-install', registry.env, false);
	await install();
	sandbox = await startSandbox({ members: 30, webhookSecret: SECRET });
	const credential = await credentialFor(n8n.client, sandbox);
	const pollTimes = { item: [{ mode: 'custom', cronExpression: EVERY_SECOND }] };
	workflow = await saveWorkflow({ ...n8n, credential }, 'Both triggers', [
		{ name: 'Joined', type: 'communityPlatformTrigger' },
		{ name: 'Polled', type: 'communityPlatformPollingTrigger', parameters: { pollTimes } },
		{ name: 'After', parameters: { resource: 'role', operation: 'getAll', limit: 1 } },
	]);
	await publish();
	sandbox.webhooks.set([{ url: productionUrl(n8n.url, workflow), secret: SECRET }]);
	await joins('Ada');
	await expectMembers();
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	registry?.close();
});

test('an update and a downgrade miss no member and return none twice', async () => {
	await registry.publish(NEW);
	const [offered] = await n8n.client.call<Array<{ updateAvailable?: string }>>('GET', PACKAGES);
	expect(offered.updateAvailable).toBe(NEW);
	const update = { name: PACKAGE_NAME, version: NEW };
	await joinDuring(async () => await n8n.client.call('PATCH', PACKAGES, update));
	await expectMembers();
	expect(version()).toBe(NEW);

	const wanted = { label: 'Packages', scopes: ['communityPackage:update'], expiresAt: null };
	const key = await n8n.client.call<{ rawApiKey: string }>('POST', '/api-keys', wanted);
	const url = `${n8n.url}/api/v1${PACKAGES}/${PACKAGE_NAME}`;
	const how = { headers: { 'x-n8n-api-key': key.rawApiKey }, proxy: false } as const;
	await joinDuring(async () => await axios.patch(url, { version: OLD, verify: false }, how));
	await expectMembers();
	expect(version()).toBe(OLD);
});

test('after a start without the package, publishing again is required and sufficient', async () => {
	await uninstall();
	await joins('Grace', ['Polled'], 400);
	await n8n.stop();
	await n8n.start();
	await until('the triggers to fail', isShown('failed'), TIMEOUT_MS);
	await joins('Linus', ['Polled'], 404);
	await install();
	expect(await isShown('failed')()).toBe(true);
	expect((await n8n.client.workflow(workflow.id)).active).toBe(true);
	await publish();
	await joins('Barbara');
	await expectMembers();
});

test('a workflow that was unpublished before the package was uninstalled starts with later members', async () => {
	await n8n.client.deactivate(workflow.id);
	await until('the triggers to stop', isShown('not_published'), TIMEOUT_MS);
	await uninstall();
	await joins('Margaret', [], 404);
	await install();
	await publish();
	await joins('Alan');
	await expectMembers();
});
