import axios from 'axios';
import { type Sandbox, startSandbox } from '../../../sandbox/server.mts';
import { N8nClient, type SavedWorkflow } from '../client.mts';
import { CREDENTIAL_TYPE } from '../examples.mts';
import type { Instance } from '../instance.mts';
import { until } from '../../tools/wait.mts';
import { productionUrl, untilRegistered } from '../webhooks.mts';
import type { Cluster } from './cluster.mts';
import { giveRoles, greet, notice, PARTS_PATH, takeParts } from './workflows.mts';

const BYSTANDERS = 50;
const WEBHOOK_TIMEOUT_MS = 30_000;
const SECRET = 'a secret that both sides know';

/** Everything that the checks work with. */
export interface Stage {
	cluster: Cluster;
	sandbox: Sandbox;
	client: N8nClient;
	/** The processor that receives webhooks. */
	webhook: Instance;
	workflows: Record<'roles' | 'parts' | 'greet' | 'notice', SavedWorkflow>;
	/** Where a part of a batch is posted to. */
	partsUrl: string;
}

/** Starts a community with members that no batch is about. */
export async function openCommunity(updates: number): Promise<Sandbox> {
	return await startSandbox({ members: updates + BYSTANDERS });
}

/**
 * Sets up a new instance: its owner, the credential and the workflows, which are active afterwards and
 * answer at the webhook processor; the one that polls is not.
 *
 * @param main with the REST API
 * @param webhook the webhook processor
 */
export async function setUp(
	cluster: Cluster,
	sandbox: Sandbox,
	main: Instance,
	webhook: Instance,
): Promise<Stage> {
	const client = new N8nClient(main.url);
	await client.setUpOwner();
	const { baseUrl, sourceSystem, apiKey } = sandbox;
	const data = { baseUrl, sourceSystem, apiKey, webhookSecret: SECRET };
	const credential = await client.createCredential('Local community', CREDENTIAL_TYPE, data);
	const activate = async (workflow: SavedWorkflow) => await client.activate(workflow.id);

	const roles = await activate(await client.createWorkflow(giveRoles(credential)));
	const parts = await activate(await client.createWorkflow(takeParts(roles.id)));
	const [postId] = sandbox.community.posts.keys();
	const greeting = await activate(await client.createWorkflow(greet(credential, postId)));

	const noticing = await client.createWorkflow(notice(credential, postId));

	const eventsUrl = productionUrl(webhook.url, greeting);
	await untilRegistered(eventsUrl);
	const partsUrl = `${webhook.url}/webhook/${PARTS_PATH}`;
	// A part of nothing: it starts an execution, but that has nothing to do.
	await until('the parts to be accepted', () => accepts(partsUrl), WEBHOOK_TIMEOUT_MS);
	sandbox.webhooks.set([{ url: eventsUrl, secret: SECRET }]);
	const workflows = { roles, parts, greet: greeting, notice: noticing };
	return { cluster, sandbox, client, webhook, workflows, partsUrl };
}

async function accepts(url: string): Promise<boolean> {
	const part = { part: 0, updates: [] };
	const { status } = await axios.post(url, part, { proxy: false, validateStatus: () => true });
	return status === 200;
}
