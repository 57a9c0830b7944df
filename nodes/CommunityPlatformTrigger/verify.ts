import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

const HEADER = 'x-webhook-secret';
const QUERY_PARAMETER = 'secret';
const BEARER = /^bearer\s+(.+)$/i;

/** A digest of a secret; undefined where there is none. */
export type SecretDigest = Buffer | undefined;

/** Digests the credential's secret, without white space around it; an empty one counts as none. */
export function digestOf(secret: string | undefined): SecretDigest {
	const text = (secret ?? '').trim();
	return text === '' ? undefined : digest(Buffer.from(text));
}

/**
 * The texts that a delivery carries as its secret (docs/triggers.md, "Setting up the webhook").
 *
 * @param headers of the request, names in lower case
 * @param query of the request; anything but text is ignored
 * @returns without white space around them, and without empty ones
 */
export function sentSecrets(headers: Record<string, unknown>, query: IDataObject): Buffer[] {
	const bearer = BEARER.exec(textOf(headers.authorization))?.[1];
	return [
		...encodings(textOf(headers[HEADER])),
		...encodings(textOf(bearer)),
		Buffer.from(textOf(query[QUERY_PARAMETER]).trim()),
	].filter((bytes) => bytes.length > 0);
}

/**
 * Whether one of the texts is the secret. Compares in constant time, so that the secret cannot be guessed piece by
 * piece. Without a secret, none matches.
 */
export function isAmong(sent: Buffer[], secret: SecretDigest): boolean {
	if (secret === undefined) return false;
	// All are compared, also after a match: otherwise the time would reveal which one it was. Digests have the same
	// length, so that the length of the secret is not revealed either.
	return sent.filter((bytes) => timingSafeEqual(digest(bytes), secret)).length > 0;
}

// Node decodes headers as Latin-1, so a secret that was sent in UTF-8 is decoded again, before trimming: a byte of a
// letter can look like a no-break space.
function encodings(header: string): Buffer[] {
	const sentInUtf8 = Buffer.from(header, 'latin1').toString();
	return [header, sentInUtf8].map((text) => Buffer.from(text.trim()));
}

function digest(bytes: Buffer): Buffer {
	return createHash('sha256').update(bytes).digest();
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
