import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { trimmed } from '../shared/text';
import { CREDENTIAL } from '../shared/transport';
import { readerOf } from './properties';

const BEARER = /^bearer\s(.*)/is;

// An older secret is read again and used in the meantime, because in a flood n8n takes many seconds to read a credential.
// If it is older than MOST_KEPT_MS, deliveries wait.
const REFRESH_MS = 2_000;
const MOST_KEPT_MS = 30_000;

/** Digests of secrets, by node and credential. `readAt` is by the clock of `performance.now`. */
const cache = new Map<string, { digest?: Buffer; readAt: number; reading?: Promise<void> }>();

/** Whether a delivery contains the credential's secret, or needs none. Throws if n8n cannot read the credential. */
export async function isVerified(functions: IWebhookFunctions): Promise<boolean> {
	if (readerOf(functions)('verification') === 'none') return true;
	// Without a secret, any delivery may be forged.
	if (!functions.getNode().credentials?.[CREDENTIAL]) return false;
	const { url } = functions.getRequestObject();
	const sent = sentSecrets(functions.getHeaderData(), functions.getQueryData(), url);
	return sent.length > 0 && isAmong(sent, await secretDigest(functions));
}

/** Returns what may be the secret of a delivery (docs/triggers.md, "Setting up the webhook"). The query of `url` is encoded. */
export function sentSecrets(
	headers: ReturnType<IWebhookFunctions['getHeaderData']>,
	query: unknown,
	url: string,
): string[] {
	const [, bearer] = BEARER.exec(headers.authorization ?? '') ?? [];
	const { secret } = (query ?? {}) as IDataObject;
	// n8n reads a "+" as a space, but that is only right for forms.
	const inUrl = new URLSearchParams(url.slice(url.indexOf('?')).replace(/\+/g, '%2B'));
	const inQuery = typeof secret === 'string' ? [secret, inUrl.getAll('secret').join()] : [];
	const texts = [headers['x-webhook-secret'], bearer, ...inQuery].filter(
		(text) => typeof text === 'string',
	);
	// Node decodes headers as Latin-1, so a secret that was sent in UTF-8 is decoded again. Trimming comes later, because a
	// byte of a letter can look like a no-break space.
	const decoded = texts.flatMap((text) => [text, Buffer.from(text, 'latin1').toString()]);
	return decoded.map(trimmed).filter((text) => text !== '');
}

/** Digests the credential's secret without the white space around it. Undefined if it is empty. */
export function digestOf(secret?: unknown): Buffer | undefined {
	return trimmed(secret) === '' ? undefined : sha256(trimmed(secret));
}

/** Whether one of the texts is the secret. Takes constant time, because digests have one length and all are compared. */
export function isAmong(sent: string[], secret?: Buffer): boolean {
	if (secret === undefined) return false;
	return sent.filter((text) => timingSafeEqual(sha256(text), secret)).length > 0;
}

// Cached, because n8n reads a credential outside of an execution by querying its database and setting up another sandbox
// for expressions (n8n, `applyDefaultsAndOverwrites`, docs/decisions.md, E23). In a flood, that takes gigabytes.
async function secretDigest(functions: IWebhookFunctions): Promise<Buffer | undefined> {
	const { id, credentials } = functions.getNode();
	const key = JSON.stringify([functions.getWorkflow().id, id, credentials]);
	const now = performance.now();
	// These belong to nodes that were changed or deleted, because a secret that is used is read again.
	for (const [other, { readAt, reading }] of cache)
		if (!reading && now - readAt >= MOST_KEPT_MS) cache.delete(other);
	const cached = cache.get(key) ?? { readAt: -Infinity };
	cache.set(key, cached);
	const age = now - cached.readAt;
	if (age < REFRESH_MS) return cached.digest;
	const read = async () => await functions.getCredentials(CREDENTIAL);
	// Twice, because in a flood n8n's pool of database connections can reject a query (SqliteReadonlyConnectionPool.ts).
	cached.reading ??= read()
		.catch(read)
		.then(({ webhookSecret }) => {
			cached.digest = digestOf(webhookSecret);
			cached.readAt = performance.now();
		})
		.finally(() => delete cached.reading);
	if (age >= MOST_KEPT_MS) await cached.reading;
	// Deliveries that do not wait ignore its failure. The next one reads again.
	else cached.reading.catch(() => {});
	return cached.digest;
}

function sha256(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
