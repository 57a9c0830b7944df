import { foldName } from '../../shared/names';
import { asciiDomain, normalized, trimmed } from '../../shared/text';

/** How a member can be named instead of by an identifier. */
export type PersonKey = 'username' | 'email';

/** The email address in a text: alone, behind mailto:, or in angle brackets behind a name (RFC 5322, section 3.4). */
export function addressIn(text: unknown): string | undefined {
	const [, bracketed] = /<([^<>]*)>$/.exec(trimmed(text)) ?? [];
	const address = trimmed(bracketed ?? text).replace(/^mailto:/i, '');
	return /^[^\s@<>]+@[^\s@<>]+$/.test(address) ? address : undefined;
}

/**
 * A username or an email address as compared, the same for what counts as the same: without case, Unicode form, white
 * space around it and the @ of a username; a domain in Unicode and in ASCII (xn--) is one.
 */
export function nameKey(by: PersonKey, text: unknown): string {
	if (by === 'username') return `username ${foldName(text).replace(/^@/, '')}`;
	const address = normalized(addressIn(text) ?? '').toLowerCase();
	const [local, domain = ''] = address.split('@');
	return `email ${local}@${asciiDomain(domain) ?? domain}`;
}
