import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import type { CommunityPlatformCredential } from '../shared/transport';
import { CREDENTIAL } from '../shared/transport';
import type { SecretDigest } from './verify';
import { digestOf } from './verify';

// Ages of the cached digest in milliseconds. Up to REFRESH_MS it is used as it is. From then on, one delivery at a time
// refreshes it, and the others go on with the old one: up to MOST_KEPT_MS if the refresh began before KEPT_MS, because
// in a flood n8n takes many seconds to read a credential. After that, deliveries wait for the refresh.
const REFRESH_MS = 2_000;
const KEPT_MS = 5_000;
const MOST_KEPT_MS = 30_000;

/** The secret of one node. */
interface CachedSecret {
	digest: SecretDigest;
	/** By the clock of `performance.now`, in milliseconds. */
	readAt: number;
	/** Settles when the credential has been read again. */
	refresh?: Promise<SecretDigest>;
	/** Whether that began before the digest expired. */
	isInTime: boolean;
}

const cache = new Map<string, CachedSecret>();

/**
 * A digest of the secret in the node's credential, cached for some seconds. To read a credential outside of an
 * execution, n8n queries its database and sets up a sandbox for expressions (n8n, credentials-helper.ts,
 * `applyDefaultsAndOverwrites`), while the sandbox of the delivery itself waits (docs/decisions.md, E23): in a
 * flood, gigabytes of them.
 *
 * @returns undefined where the credential holds none
 * @throws what n8n throws when the credential cannot be read and the digest has expired
 */
export async function secretOf(functions: IWebhookFunctions): Promise<SecretDigest> {
	const { id, credentials } = functions.getNode();
	const cached = cachedFor(JSON.stringify([functions.getWorkflow().id, id, credentials]));
	const age = performance.now() - cached.readAt;
	if (age < REFRESH_MS) return cached.digest;
	if (!cached.refresh) {
		cached.isInTime = age < KEPT_MS;
		cached.refresh = read(functions, cached).finally(() => (cached.refresh = undefined));
		// Deliveries that do not wait for it ignore its failure; the next one reads again.
		cached.refresh.catch(() => undefined);
	}
	if (cached.isInTime && age < MOST_KEPT_MS) return cached.digest;
	return await cached.refresh;
}

async function read(functions: IWebhookFunctions, cached: CachedSecret): Promise<SecretDigest> {
	const credential = async () =>
		await functions.getCredentials<CommunityPlatformCredential & IDataObject>(CREDENTIAL);
	// In a flood, n8n's pool of database connections rejects all queries that have waited too long at the same time (n8n,
	// SqliteReadonlyConnectionPool.ts); a moment later it answers.
	const { webhookSecret } = await credential().catch(credential);
	cached.digest = digestOf(webhookSecret);
	cached.readAt = performance.now();
	return cached.digest;
}

function cachedFor(key: string): CachedSecret {
	const known = cache.get(key);
	if (known) return known;
	// Expired entries are dropped, so that the cache does not grow with each edited workflow.
	for (const [other, { readAt, refresh }] of cache) {
		if (!refresh && performance.now() - readAt >= KEPT_MS) cache.delete(other);
	}
	const added = { digest: undefined, readAt: -Infinity, isInTime: false };
	cache.set(key, added);
	return added;
}
