import type { N8nClient } from '../../../dev/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../../dev/n8n/examples.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/server.mts';
import { type N8n, startN8n } from './n8n.mts';

const START_TIMEOUT_MS = 200_000;

/** What one test file works with. */
export interface Scenery {
	n8n: N8n;
	/** Address of n8n, without a trailing slash. */
	url: string;
	/** A community of the file's own. */
	sandbox: Sandbox;
	/** Logged in as the owner. */
	client: N8nClient;
	/** A credential for that community, as a node's `credentials` refers to it. */
	credential: { id: string; name: string };
}

/** With a `webhookSecret`, the credential holds it, too. */
export interface SceneryOptions extends SandboxOptions {
	/** False leaves n8n without any credential. */
	withCredential?: boolean;
	/** Gives the file an n8n of its own with these settings, in place of the one that it shares. */
	own?: Record<string, string>;
}

// All files that a worker of Jest runs share an n8n, which ends with the worker.
let shared: Promise<N8n> | undefined;

/**
 * Gives the tests of one file an n8n, and a community of their own with the only credential in n8n. The community is put
 * back to how it started before each test, and closed after the last.
 *
 * @returns an object that is filled once the tests run
 */
export function useStage({
	webhookSecret = '',
	withCredential = true,
	own,
	...options
}: SceneryOptions = {}): Scenery {
	const scenery = {} as Scenery;
	beforeAll(async () => {
		const n8n = own
			? await startN8n('n8n-own', own)
			: await (shared ??= startN8n(`n8n-${process.env.JEST_WORKER_ID}`));
		const { url, client } = n8n;
		await n8n.start();
		const sandbox = await startSandbox({ ...options, webhookSecret });
		Object.assign(scenery, { n8n, url, client, sandbox });
		await deleteCredentials(client);
		if (withCredential) scenery.credential = await credentialFor(client, sandbox);
	}, START_TIMEOUT_MS);
	beforeEach(() => scenery.sandbox.reset());
	afterAll(async () => {
		if (own) await scenery.n8n?.stop();
		await scenery.sandbox?.close();
	});
	return scenery;
}

/** Creates a credential for a community. */
export async function credentialFor(
	client: N8nClient,
	{ baseUrl, sourceSystem, apiKey, webhookSecret }: Sandbox,
): Promise<{ id: string; name: string }> {
	const data = { baseUrl, sourceSystem, apiKey, webhookSecret };
	return await client.createCredential('Community', CREDENTIAL_TYPE, data);
}

async function deleteCredentials(client: N8nClient): Promise<void> {
	for (const { id } of await client.call<Array<{ id: string }>>('GET', '/credentials')) {
		await client.call('DELETE', `/credentials/${id}`);
	}
}
