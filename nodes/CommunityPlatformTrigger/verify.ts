import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

const HEADER = 'x-webhook-secret';
const QUERY_PARAMETER = 'secret';
const BEARER = /^bearer\s+(.+)$/i;

/**
 * Whether a delivery carries the secret, in any of the places where the contract ("Triggers") looks
 * for it. Takes the same time whatever is sent, so that the secret cannot be guessed piece by piece.
 *
 * @param secret the credential's; an empty one is never matched
 * @param headers of the request, names in lower case
 * @param query of the request; anything but text is passed over
 */
export function carriesSecret(
	secret: string | undefined,
	headers: Record<string, unknown>,
	query: IDataObject,
): boolean {
	const expected = (secret ?? '').trim();
	const bearer = BEARER.exec(textOf(headers.authorization))?.[1];
	const sent = [
		...encodings(textOf(headers[HEADER])),
		...encodings(textOf(bearer)),
		Buffer.from(textOf(query[QUERY_PARAMETER]).trim()),
	];
	// Every place is compared, also after a match: otherwise the time would tell which one held it.
	const matches = sent.filter((bytes) => isSame(bytes, Buffer.from(expected)));
	return expected !== '' && matches.length > 0;
}

// Node reads the bytes of a header as Latin-1, so a secret that was sent in UTF-8 has to be read again,
// before white space is cut off: a byte of a letter can look like a no-break space.
function encodings(header: string): Buffer[] {
	const sentInUtf8 = Buffer.from(header, 'latin1').toString();
	return [header, sentInUtf8].map((text) => Buffer.from(text.trim()));
}

// Digests have one length: without them, comparing would need to answer early for another length.
function isSame(a: Buffer, b: Buffer): boolean {
	return timingSafeEqual(digest(a), digest(b));
}

function digest(bytes: Buffer): Buffer {
	return createHash('sha256').update(bytes).digest();
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
