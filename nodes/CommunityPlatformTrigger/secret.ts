import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import type { CommunityPlatformCredential } from '../shared/api';
import { CREDENTIAL } from '../shared/api';
import type { SecretDigest } from './verify';
import { digestOf } from './verify';

// Milliseconds since the credential was read. Deliveries within the first REFRESH_MS cost nothing. After
// KEPT_MS, a delivery waits until it has been read again. In between, one has it read again, and neither
// that one nor the next wait for it, up to MOST_KEPT_MS: in a flood, reading takes n8n many seconds.
const REFRESH_MS = 2_000;
const KEPT_MS = 5_000;
const MOST_KEPT_MS = 30_000;

/** The secret of one node, as far as it is known. */
interface CachedSecret {
	digest: SecretDigest;
	/** By the clock of `performance.now`, in milliseconds. */
	readAt: number;
	/** Settles when the credential has been read again. */
	refresh?: Promise<SecretDigest>;
	/** Whether that began while the digest was still good. */
	isInTime: boolean;
}

const cache = new Map<string, CachedSecret>();

/**
 * A digest of the secret in the node's credential, cached for a few seconds. For each reading outside
 * of an execution, n8n asks its database and sets up a sandbox for expressions (n8n,
 * credentials-helper.ts, `applyDefaultsAndOverwrites`), while the sandbox that it has set up for the
 * delivery itself waits (n8n, live-webhooks.ts, `executeWebhook`): in a flood, gigabytes of them.
 *
 * @returns undefined where the credential holds none
 * @throws what n8n answers when the credential cannot be read, and no digest is good any more
 */
export async function secretOf(functions: IWebhookFunctions): Promise<SecretDigest> {
	const { id, credentials } = functions.getNode();
	const cached = cachedFor(JSON.stringify([functions.getWorkflow().id, id, credentials]));
	const age = performance.now() - cached.readAt;
	if (age < REFRESH_MS) return cached.digest;
	if (!cached.refresh) {
		cached.isInTime = age < KEPT_MS;
		cached.refresh = read(functions, cached).finally(() => (cached.refresh = undefined));
		// A delivery that does not wait for it is not concerned; the next one reads again.
		cached.refresh.catch(() => undefined);
	}
	if (cached.isInTime && age < MOST_KEPT_MS) return cached.digest;
	return await cached.refresh;
}

async function read(functions: IWebhookFunctions, cached: CachedSecret): Promise<SecretDigest> {
	const credential = async () =>
		await functions.getCredentials<CommunityPlatformCredential & IDataObject>(CREDENTIAL);
	// When many deliveries arrive at once, n8n's pool of database connections gives up on whatever has waited
	// for too long, all at the same time (n8n, SqliteReadonlyConnectionPool.ts); a moment later it answers.
	const { webhookSecret } = await credential().catch(credential);
	cached.digest = digestOf(webhookSecret);
	cached.readAt = performance.now();
	return cached.digest;
}

function cachedFor(key: string): CachedSecret {
	const known = cache.get(key);
	if (known) return known;
	// Whatever has expired is dropped, so that the cache does not grow with each workflow that was ever edited.
	for (const [other, { readAt, refresh }] of cache) {
		if (!refresh && performance.now() - readAt >= KEPT_MS) cache.delete(other);
	}
	const added = { digest: undefined, readAt: -Infinity, isInTime: false };
	cache.set(key, added);
	return added;
}
