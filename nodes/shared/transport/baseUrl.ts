import { UNSEEN_ENDS, trimmed } from '../text';
import { Failure } from '../failure';

// Applied in this order. A table, because the credential test needs an n8n expression, and everything else a function.
const STEPS: Array<[pattern: RegExp, replacement: string]> = [
	[UNSEEN_ENDS, ''],
	// http:/, https:/// and https// are typing slips.
	[/^(https?)(:\/+|\/\/+)/i, '$1://'],
	[/^(?![a-z][a-z\d+.-]*:\/\/)\/*/i, 'https://'],
	[/^([^?#]*)[?#].*$/, '$1'],
	// An address of the API.
	[/(?<!\/)\/+api\/v1(?:\/.*)?$/i, ''],
	[/(?<!\/)\/+$/, ''],
	// A page of a record. The slash before it is not part of `//`, which a host follows that can have any name.
	[/(?<![/:])\/+(?:boards?|posts?|users?|members?|tags?)\/.+$/i, ''],
];

/** An n8n expression that returns the same address as {@link normalizeBaseUrl}, for the credential test. */
export const BASE_URL_EXPRESSION = `={{ $credentials.baseUrl${STEPS.map(
	([pattern, replacement]) => `.replace(${pattern}, '${replacement}')`,
).join('')} }}`;

/**
 * Returns the community's own address, to which a path is added. Throws a Failure if no request can be sent to it.
 *
 * @param typed as entered, with or without scheme (https), a trailing slash, or a page of a record
 */
export function normalizeBaseUrl(typed: unknown): string {
	const text = typeof typed === 'string' ? typed : '';
	const address = STEPS.reduce(
		(url, [pattern, replacement]) => url.replace(pattern, replacement),
		text,
	);
	const isEmpty = trimmed(text) === '';
	if (isEmpty || !isWebAddress(address)) {
		throw new Failure(
			isEmpty ? "'Base URL' is empty" : "'Base URL' is not a web address",
			"Open the credential and enter the address of your community in 'Base URL', e.g. https://community.example.com.",
			{ concernsEveryItem: true },
		);
	}
	return address;
}

/** A key by which to compare addresses (RFC 3986, section 6.2): a community that moves to https stays the same. */
export function addressKey(baseUrl: string): string {
	const { host, pathname } = new URL(baseUrl);
	return host + pathname.replace(/(?<!\/)\/+$/, '');
}

function isWebAddress(address: string): boolean {
	// The URL parser removes line breaks.
	if (/\s/.test(address) || !URL.canParse(address)) return false;
	const { protocol, username, password } = new URL(address);
	// A login in the address would end up in logs. It belongs in the credential's own fields.
	return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}
