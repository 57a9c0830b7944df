import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import { N8nClient } from '../n8n/client.mts';
import { CREDENTIAL_TYPE } from '../n8n/examples.mts';
import { type Instance, startInstance } from '../n8n/instance.mts';
import { launcher } from '../n8n/launcher.mts';
import { installPackage, packPackage } from '../n8n/pack.mts';
import { PACKAGE_NAME } from '../n8n/paths.mts';
import type { CredentialReference } from '../n8n/queue/workflows.mts';
import { untilRegistered } from '../n8n/webhooks.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { temporaryFolder } from '../tools/temporary-folder.mts';

/** The header that carries the secret. */
export const HEADER = 'X-Webhook-Secret';

/** A real n8n with the packed package and one active workflow for each peer. */
export interface Receivers {
	instance: Instance;
	client: N8nClient;
	/** Production URLs by the names of the peers. */
	urls: Record<string, string>;
	/** What a valid delivery carries in {@link HEADER}. */
	webhookSecret: string;
	close: () => Promise<void>;
}

interface Credentials {
	ours: CredentialReference;
	header: CredentialReference;
}

// n8n sets up its expression sandbox for every trigger that answers a request, except for its own Webhook
// node from version 2 on (n8n, live-webhooks.ts, webhookPhaseNeedsIsolate); and once more whenever a
// trigger reads a credential (n8n, credentials-helper.ts, applyDefaultsAndOverwrites).
const PEERS = {
	'Community Platform Trigger': ({ ours }) => ({
		...trigger(`${PACKAGE_NAME}.communityPlatformTrigger`, 1, { events: ['member.joined'] }),
		credentials: { [CREDENTIAL_TYPE]: ours },
	}),
	'Webhook, no secret': () => webhook(2.1),
	'Webhook, secret': ({ header }) => withSecret(webhook(2.1), header),
	'Webhook 1, secret': ({ header }) => withSecret(webhook(1), header),
} satisfies Record<string, (credentials: Credentials) => INode>;

export type Peer = keyof typeof PEERS;
export const ALL_PEERS = Object.keys(PEERS) as Peer[];

/**
 * Builds and packs the package, and sees to it that n8n is on this machine.
 *
 * @param folder an existing, empty folder for the tarball
 * @returns the tarball's path
 */
export async function prepareReceivers(folder: string): Promise<string> {
	await launcher().prepare();
	return await packPackage(folder);
}

/**
 * Starts a fresh n8n with an active workflow for each peer.
 *
 * @param tarball what {@link prepareReceivers} returned
 */
export async function startReceivers(
	tarball: string,
	peers = ALL_PEERS,
	env: Record<string, string> = {},
): Promise<Receivers> {
	const folder = await temporaryFolder('community-platform-bench');
	const userFolder = join(folder.path, 'n8n');
	await installPackage(tarball, userFolder);
	const sandbox = await startSandbox({ members: 1 });
	const instance = await startInstance({ userFolder, env });
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
	for (const name of peers) {
		const node: INode = PEERS[name](credentials);
		const settings = { executionOrder: 'v1' };
		const { id } = await client.createWorkflow({ name, nodes: [node], connections: {}, settings });
		await client.activate(id);
		urls[name] =
			`${instance.url}/webhook/${String(node.parameters.path ?? `${node.webhookId}/webhook`)}`;
		await untilRegistered(urls[name]);
	}
	return {
		instance,
		client,
		urls,
		webhookSecret,
		async close() {
			await instance.stop();
			await sandbox.close();
			await folder.remove();
		},
	};
}

/** An event about a member of its own. */
export function joined(id: number): IDataObject {
	const user = { user_id: id, msid: `${id}.a`, first_name: 'Ada' };
	return { event: 'member.joined', job_id: id, entities: { user: [user] } };
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
