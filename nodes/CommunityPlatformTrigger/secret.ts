import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import type { CommunityPlatformCredential } from '../shared/api';
import { CREDENTIAL } from '../shared/api';

const underWay = new Map<string, Promise<string | undefined>>();

/**
 * Reads the secret from the node's credential. For each reading outside of an execution, n8n sets up a
 * sandbox for expressions, which is most of the work that a delivery makes. So deliveries that arrive
 * while it is being read share that reading; nothing is kept beyond it, and a changed secret counts for
 * the next delivery.
 *
 * @returns undefined where the credential holds none
 * @throws what n8n answers when the credential cannot be read
 */
export async function secretOf(functions: IWebhookFunctions): Promise<string | undefined> {
	const key = JSON.stringify([functions.getWorkflow().id, functions.getNode()]);
	const reading = underWay.get(key) ?? read(functions).finally(() => underWay.delete(key));
	underWay.set(key, reading);
	return await reading;
}

async function read(functions: IWebhookFunctions): Promise<string | undefined> {
	const { webhookSecret } = await functions.getCredentials<
		CommunityPlatformCredential & IDataObject
	>(CREDENTIAL);
	return webhookSecret;
}
