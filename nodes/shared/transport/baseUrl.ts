import { UNSEEN_ENDS, trimmed } from '../text';
import { Failure } from '../failure';

// Applied in this order to what was typed. A table, because the credential test can only use an n8n expression
// while everything else calls a function: both are made from it.
const STEPS: Array<[pattern: RegExp, replacement: string]> = [
	[UNSEEN_ENDS, ''],
	// http:/, https:/// and https// are typing slips.
	[/^(https?)(:\/+|\/\/+)/i, '$1://'],
	[/^(?![a-z][a-z\d+.-]*:\/\/)\/*/i, 'https://'],
	[/^([^?#]*)[?#].*$/, '$1'],
	[/(?<!\/)\/+$/, ''],
	[/(?<!\/)\/+api\/v1$/i, ''],
];

/** An n8n expression that gives the same address as {@link normalizeBaseUrl}, for the credential test. */
export const BASE_URL_EXPRESSION = `={{ $credentials.baseUrl${STEPS.map(
	([pattern, replacement]) => `.replace(${pattern}, '${replacement}')`,
).join('')} }}`;

/**
 * The community's own address, ready to be put in front of a path.
 *
 * @param typed what the user entered: with or without scheme (https), trailing slash, a pasted /api/v1
 * @returns scheme, host and, for a community below a path, that path; no trailing slash
 * @throws Failure when it is empty or not an address that a web request can be sent to
 */
export function normalizeBaseUrl(typed: unknown): string {
	const text = typeof typed === 'string' ? typed : '';
	const address = STEPS.reduce((url, [pattern, given]) => url.replace(pattern, given), text);
	const isEmpty = trimmed(text) === '';
	if (isEmpty || !isWebAddress(address)) {
		throw new Failure(
			isEmpty ? 'The base URL is empty' : 'The base URL is not a web address',
			"Open the credential and enter the address of your community in 'Base URL', e.g. https://community.example.com.",
			{ concernsEveryItem: true },
		);
	}
	return address;
}

/**
 * A key by which to compare addresses. Capitals in scheme and host and the scheme's default port make no
 * difference (RFC 3986, section 6.2), nor does the scheme: a community that moves from http to https stays the
 * same.
 */
export function addressKey(baseUrl: string): string {
	const { host, pathname } = new URL(baseUrl);
	return host + pathname.replace(/(?<!\/)\/+$/, '');
}

function isWebAddress(address: string): boolean {
	// The parser of URLs takes line breaks out.
	if (/\s/.test(address) || !URL.canParse(address)) return false;
	const { protocol, username, password } = new URL(address);
	// A login inside the address would end up in logs; it belongs in the credential's own fields.
	return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}
