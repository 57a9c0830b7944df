import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { Failure } from './failure';

const DEFAULT_TIMEOUT_MS = 300_000;
// Node.js takes a longer one for none at all.
const LONGEST_TIMER_MS = 2_147_483_647;
// scheme://user:password@host:port, as Node's url.parse takes it apart.
const PROXY = /^([a-z][a-z\d+.-]*):\/\/(?:([^/?#]*)@)?(\[[^\]/]+\]|[^:/?#@[\]]+):(\d+)(?:[/?#]|$)/i;

/**
 * What the user has set under "Request Options", which n8n adds to every declarative node, as HTTP options.
 * n8n's routing engine does the same for its own requests (n8n-core, `RoutingNode.runNode`; docs/decisions.md, E19).
 *
 * @param requestOptions value of the parameter of that name; undefined when nothing was set
 * @returns proxy, time-out (milliseconds, five minutes unless set) and whether any certificate will do
 * @throws Failure when the proxy is not an address with host and port
 */
export function toHttpSettings(requestOptions: unknown): Partial<IHttpRequestOptions> {
	const { proxy, timeout, allowUnauthorizedCerts } = (requestOptions ?? {}) as IDataObject;
	return {
		...(proxy ? { proxy: toProxy(String(proxy)) } : {}),
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
		timeout: toTimeout(timeout),
	};
}

function toTimeout(given: unknown): number {
	// n8n's routing engine reads zero as not set, too.
	if (!given) return DEFAULT_TIMEOUT_MS;
	const ms = Number(given);
	if (ms >= 1 && ms <= LONGEST_TIMER_MS) return ms;
	throw new Failure(
		'The time-out is not a number of milliseconds',
		'Check "Timeout" in the node\'s request options: it needs a number from 1 to 2147483647.',
	);
}

function toProxy(text: string): IHttpRequestOptions['proxy'] {
	const [, protocol, login, host, port] = PROXY.exec(text.trim()) ?? [];
	if (host === undefined) throw notValid();
	const proxy = {
		protocol: protocol.toLowerCase(),
		host: host.toLowerCase().replace(/^\[|\]$/g, ''),
		port: Number(port),
	};
	if (!login) return proxy;
	// The first colon ends the name; a password may have more (RFC 7617, section 2). n8n cuts it there.
	const [, username, password] = /^([^:]*)(?::(.*))?$/s.exec(login) ?? [];
	return {
		...proxy,
		auth: { username: decoded(username), password: password && decoded(password) },
	} as IHttpRequestOptions['proxy'];
}

function decoded(login: string): string {
	try {
		return decodeURIComponent(login);
	} catch {
		throw notValid();
	}
}

// The text does not quote the value, which may hold a password.
function notValid(): Failure {
	return new Failure(
		'The proxy is not valid',
		'Check "Proxy" in the node\'s request options: it needs a scheme, a host and a port, e.g. http://myproxy:3128.',
	);
}
