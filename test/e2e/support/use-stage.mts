import { N8nClient } from '../../../dev/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../../dev/n8n/examples.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/server.mts';
import { type Stage, stage } from './stage.mts';

/** What one test file works with. */
export interface Scenery extends Stage {
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
}

/**
 * Gives the tests of one file the shared n8n and a community of their own with the only credential in
 * n8n. The community is put back to how it started before each test, and closed after the last.
 *
 * @returns an object that is filled once the tests run
 */
export function useStage({
	webhookSecret = '',
	withCredential = true,
	...options
}: SceneryOptions = {}): Scenery {
	const scenery = {} as Scenery;
	beforeAll(async () => {
		Object.assign(scenery, stage());
		scenery.sandbox = await startSandbox({ ...options, webhookSecret });
		scenery.client = new N8nClient(scenery.url);
		await scenery.client.logIn(scenery.logIn);
		await deleteCredentials(scenery.client);
		if (!withCredential) return;
		const { baseUrl, sourceSystem, apiKey } = scenery.sandbox;
		const data = { baseUrl, sourceSystem, apiKey, webhookSecret };
		scenery.credential = await scenery.client.createCredential('Community', CREDENTIAL_TYPE, data);
	});
	beforeEach(() => scenery.sandbox.reset());
	afterAll(async () => await scenery.sandbox?.close());
	return scenery;
}

async function deleteCredentials(client: N8nClient): Promise<void> {
	for (const { id } of await client.call<Array<{ id: string }>>('GET', '/credentials')) {
		await client.call('DELETE', `/credentials/${id}`);
	}
}
