import type { N8nClient } from '../../../dev/n8n/client.mts';
import { CREDENTIAL } from '../../../nodes/shared/transport/api.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/server.mts';
import { type N8n, startN8n } from './n8n.mts';
import type { Servers } from './servers.mts';

const START_TIMEOUT_MS = 200_000;

/** The n8n and the community of a test file. */
export interface Fixture {
	n8n: N8n;
	/** Address of n8n, without a trailing slash. */
	url: string;
	/** The file's own community. */
	sandbox: Sandbox;
	/** Logged in as the owner. */
	client: N8nClient;
	/** A reference to a credential for that community, for a node's `credentials`. */
	credential: { id: string; name: string };
}

/** With a `webhookSecret`, the credential contains it. */
export interface FixtureOptions extends SandboxOptions {
	/** If false, n8n has no credential. */
	withCredential?: boolean;
	/** Starts a separate n8n with these settings, or beside these servers, instead of the shared one. */
	own?: Record<string, string> | (() => Promise<Servers>);
}

// All files of a Jest worker share an n8n, which ends with the worker.
let shared: Promise<N8n> | undefined;

/**
 * Provides an n8n and a separate community for the tests of a file. n8n's only credential is for that community, which
 * is restored before each test and closed after the last.
 *
 * @returns an object that is filled before the tests run
 */
export function useFixture({
	webhookSecret = '',
	withCredential = true,
	own,
	...options
}: FixtureOptions = {}): Fixture {
	const fixture = {} as Fixture;
	let servers: Servers | undefined;
	beforeAll(async () => {
		servers = typeof own === 'function' ? await own() : undefined;
		const n8n = own
			? await startN8n('n8n-own', servers?.settings ?? (own as Record<string, string>))
			: await (shared ??= startN8n(`n8n-${process.env.JEST_WORKER_ID}`));
		const { url, client } = n8n;
		await n8n.start();
		const sandbox = await startSandbox({ ...options, webhookSecret });
		Object.assign(fixture, { n8n, url, client, sandbox });
		await deleteCredentials(client);
		if (withCredential) fixture.credential = await credentialFor(client, sandbox);
	}, START_TIMEOUT_MS);
	beforeEach(() => fixture.sandbox.reset());
	afterAll(async () => {
		if (own) await fixture.n8n?.stop();
		await servers?.stop();
		await fixture.sandbox?.close();
	});
	return fixture;
}

/** Creates a credential for a community. */
export async function credentialFor(
	client: N8nClient,
	{ baseUrl, sourceSystem, apiKey, webhookSecret }: Sandbox,
): Promise<{ id: string; name: string }> {
	const data = { baseUrl, sourceSystem, apiKey, webhookSecret };
	return await client.createCredential('Community', CREDENTIAL, data);
}

async function deleteCredentials(client: N8nClient): Promise<void> {
	for (const { id } of await client.call<Array<{ id: string }>>('GET', '/credentials')) {
		await client.call('DELETE', `/credentials/${id}`);
	}
}
