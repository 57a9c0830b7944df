import type { Sandbox } from '../../sandbox/server.mts';
import { type LogIn, N8nClient, type SavedWorkflow } from './client.mts';
import { CREDENTIAL } from '../../nodes/shared/transport/api.ts';
import type { Instance } from './instance.mts';

/** Name of the credential in n8n. */
export const CREDENTIAL_NAME = 'Local community';

/** A local community and a new n8n that is connected to it. */
export interface Connected {
	sandbox: Sandbox;
	instance: Instance;
	/** Logged in as the owner. */
	client: N8nClient;
	logIn: LogIn;
	/** The reference for a node's `credentials`. */
	credential: { id: string; name: string };
}

/** The same with the imported examples. */
export interface Demo extends Connected {
	/** Returns an imported example by its file name without `.json`. */
	workflow: (example: string) => SavedWorkflow;
}

/**
 * Creates the owner of a new n8n and a credential for a community.
 *
 * @throws if n8n's test of the credential fails
 */
export async function connect(sandbox: Sandbox, instance: Instance): Promise<Connected> {
	const { baseUrl, sourceSystem, apiKey, webhookSecret } = sandbox;
	const client = new N8nClient(instance.url);
	const logIn = await client.setUpOwner();
	const data = { baseUrl, sourceSystem, apiKey, webhookSecret };
	const credential = await client.createCredential(CREDENTIAL_NAME, CREDENTIAL, data);
	const { id, name } = credential;
	const tested = await client.testCredential(id, name, CREDENTIAL, data);
	if (tested.status !== 'OK') throw new Error(`The credential does not work: ${tested.message}`);
	return { sandbox, instance, client, logIn, credential };
}
