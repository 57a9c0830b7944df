import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import axios from 'axios';
import type { IDataObject, INode } from 'n8n-workflow';
import { N8nClient } from '../n8n/client.mts';
import { CREDENTIAL_TYPE } from '../n8n/examples.mts';
import { launcher } from '../n8n/launcher.mts';
import { startInstance } from '../n8n/instance.mts';
import { installPackage, packPackage } from '../n8n/pack.mts';
import { PACKAGE_NAME } from '../n8n/paths.mts';
import type { CredentialReference } from '../n8n/queue/workflows.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import { together } from '../tools/together.mts';
import { until } from '../tools/wait.mts';
import { untilRegistered } from '../n8n/webhooks.mts';
import { startSandbox } from '../sandbox/server.mts';
import type { Case } from './measure.mts';

const AT_ONCE = 10;
const IDLE_TIMEOUT_MS = 120_000;
const HEADER = 'X-Webhook-Secret';

/** A real n8n with the packed package and one active workflow for each peer. */
export interface Receivers {
	/** Waits until every execution has ended, so that none takes time from the next peer. */
	prepare: () => Promise<void>;
	/** Sends different deliveries, several at once; gives how many were answered 200. */
	deliver: (peer: string, count: number) => Promise<number>;
	close: () => Promise<void>;
}

interface Credentials {
	ours: CredentialReference;
	header: CredentialReference;
}

// n8n sets up its sandbox for expressions for every trigger that answers a request, except for its own
// Webhook node from version 2 on; and once more whenever a trigger reads a credential.
const PEERS: Record<string, (credentials: Credentials) => INode> = {
	'Community Platform Trigger': ({ ours }) => ({
		...trigger(`${PACKAGE_NAME}.communityPlatformTrigger`, 1, { events: ['member.joined'] }),
		credentials: { [CREDENTIAL_TYPE]: ours },
	}),
	'Webhook, no secret': () => webhook(2.1),
	'Webhook, secret': ({ header }) => withSecret(webhook(2.1), header),
	'Webhook 1, secret': ({ header }) => withSecret(webhook(1), header),
};

/**
 * The case of deliveries, each of which starts an execution of its trigger alone.
 *
 * @param count of deliveries, all of them new
 */
export function deliveries(count: number): Case<Receivers> {
	const work = (peer: string) => async (receivers: Receivers) =>
		await receivers.deliver(peer, count);
	return {
		name: `Answer ${count} deliveries`,
		isElsewhere: true,
		peers: Object.fromEntries(Object.keys(PEERS).map((peer) => [peer, work(peer)])),
	};
}

/** Starts n8n with all peers. */
export async function startReceivers(): Promise<Receivers> {
	const folder = await temporaryFolder('community-platform-bench');
	await launcher().prepare();
	const userFolder = join(folder.path, 'n8n');
	await installPackage(await packPackage(folder.path), userFolder);
	const sandbox = await startSandbox({ members: 1 });
	const instance = await startInstance({ userFolder });
	const client = new N8nClient(instance.url);
	await client.setUpOwner();
	const webhookSecret = randomBytes(18).toString('base64url');
	const { baseUrl, sourceSystem, apiKey } = sandbox;
	const data = { baseUrl, sourceSystem, apiKey, webhookSecret };
	const secret = { name: HEADER, value: webhookSecret };
	const credentials: Credentials = {
		ours: await client.createCredential('Community', CREDENTIAL_TYPE, data),
		header: await client.createCredential('Secret', 'httpHeaderAuth', secret),
	};
	const urls: Record<string, string> = {};
	for (const [name, peer] of Object.entries(PEERS)) {
		const node = peer(credentials);
		const settings = { executionOrder: 'v1' };
		const { id } = await client.createWorkflow({ name, nodes: [node], connections: {}, settings });
		await client.activate(id);
		urls[name] =
			`${instance.url}/webhook/${String(node.parameters.path ?? `${node.webhookId}/webhook`)}`;
		await untilRegistered(urls[name]);
	}
	let sent = 0;
	return {
		async prepare() {
			const isIdle = async () =>
				(await client.executions({ status: ['new', 'running'] })).length === 0;
			await until('all executions to end', isIdle, IDLE_TIMEOUT_MS);
		},
		async deliver(peer, count) {
			let accepted = 0;
			const one = async () => {
				const { status } = await axios.post(urls[peer], joined(++sent), {
					headers: { [HEADER]: webhookSecret },
					proxy: false,
				});
				if (status === 200) accepted++;
			};
			await together(Array<typeof one>(count).fill(one), AT_ONCE);
			return accepted;
		},
		async close() {
			await instance.stop();
			await sandbox.close();
			await folder.remove();
		},
	};
}

function trigger(type: string, typeVersion: number, parameters: IDataObject): INode {
	const ids = { id: randomUUID(), webhookId: randomUUID() };
	return { ...ids, name: 'Trigger', type, typeVersion, position: [0, 0], parameters } as INode;
}

function webhook(version: number): INode {
	const answering = { httpMethod: 'POST', path: randomUUID(), responseMode: 'onReceived' };
	return trigger('n8n-nodes-base.webhook', version, { ...answering, options: {} });
}

function withSecret(node: INode, httpHeaderAuth: CredentialReference): INode {
	const parameters = { ...node.parameters, authentication: 'headerAuth' };
	return { ...node, parameters, credentials: { httpHeaderAuth } };
}

function joined(id: number): IDataObject {
	const user = { user_id: id, msid: `${id}.a`, first_name: 'Ada' };
	return { event: 'member.joined', job_id: id, entities: { user: [user] } };
}
