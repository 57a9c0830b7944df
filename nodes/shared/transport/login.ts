import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** A login for HTTP basic authentication. */
export interface Login {
	username: string;
	password: string;
}

/**
 * The login that a credential stands for.
 *
 * @returns without a space or a line break at the end, which is often copied along with a key
 */
export function toLogin({ sourceSystem, apiKey }: ICredentialDataDecryptedObject): Login {
	// A colon ends the user name (RFC 7617, section 2): what follows would be taken for the key.
	return { username: trimmedText(sourceSystem).replace(/:/g, '-'), password: trimmedText(apiKey) };
}

/** The login as the Authorization header carries it, before it is encoded. */
export function loginOf(credential: ICredentialDataDecryptedObject): string {
	const { username, password } = toLogin(credential);
	return `${username}:${password}`;
}

/** A field of the credential as text, without white space around it. */
export function trimmedText(typed: unknown): string {
	return String(typed ?? '').trim();
}
