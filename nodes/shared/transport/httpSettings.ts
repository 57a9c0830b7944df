import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { Batching } from '../async/pace';
import { Failure } from '../failure';

// Node.js does not accept a longer timer.
const LONGEST_TIMER_MS = 2_147_483_647;
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

export type HttpSettings = Pick<
	IHttpRequestOptions,
	'proxy' | 'timeout' | 'skipSslCertificateValidation'
>;

/** Reads "Request Options" as n8n's routing engine does (docs/decisions.md, E39). */
export function toHttpSettings(requestOptions: unknown): HttpSettings {
	const options = (requestOptions ?? {}) as IDataObject;
	const { proxy, timeout, allowUnauthorizedCerts } = options;
	const isInsecure = String(allowUnauthorizedCerts) === 'true';
	return {
		// If the proxy is an expression without a value, the key must not go directly to the community.
		...('proxy' in options ? { proxy: toProxy(String(proxy)) } : {}),
		// A proxy that the author of the workflow runs could read the key, unless the certificate is checked.
		...(isInsecure && !('proxy' in options) ? { skipSslCertificateValidation: true } : {}),
		// Zero counts as not set.
		...(timeout ? { timeout: toTimeout(Number(timeout)) } : {}),
	};
}

/** Reads the batching of the same parameter, which can be text from an expression. */
export function batchingOf(requestOptions: unknown): Batching {
	const { batching } = (requestOptions ?? {}) as {
		batching?: { batch?: { batchSize?: unknown; batchInterval?: unknown } };
	};
	const { batchSize, batchInterval } = batching?.batch ?? {};
	const [size, intervalMs] = [Math.floor(Number(batchSize)), Number(batchInterval)];
	return { size: size > 0 ? size : 1, intervalMs: intervalMs > 0 ? intervalMs : 0 };
}

function toTimeout(ms: number): number {
	if (ms >= 1 && ms <= LONGEST_TIMER_MS) return Math.floor(ms);
	throw new Failure(
		"'Timeout' is not a number of milliseconds",
		"Enter the time in milliseconds in 'Timeout' under 'Request Options' in the node, e.g. 30000 for 30 seconds. The maximum is 2147483647.",
	);
}

function toProxy(text: string): IHttpRequestOptions['proxy'] {
	const proxy = readProxy(text.trim());
	if (proxy?.host && proxy.port) return proxy;
	// The text does not quote the value, which may contain a password.
	throw new Failure(
		"'Proxy' is not the address of a proxy",
		"Enter http:// or https:// and a host in 'Proxy' under 'Request Options' in the node, e.g. http://myproxy:3128.",
	);
}

function readProxy(text: string): IHttpRequestOptions['proxy'] {
	try {
		const { protocol, hostname, port, username, password } = new URL(text);
		// n8n ignores any other kind of proxy, and would send the key directly to the community.
		if (!/^https?:$/.test(protocol)) return undefined;
		const [user, secret] = [username, password].map(decoded);
		return {
			protocol: protocol.slice(0, -1),
			host: hostname,
			port: Number(port) || DEFAULT_PORTS[protocol],
			auth: user || secret ? { username: user, password: secret } : undefined,
		};
	} catch {
		return undefined;
	}
}

// A password can contain a percent sign that encodes nothing.
function decoded(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
		try {
			return decodeURIComponent(encoded);
		} catch {
			return encoded;
		}
	});
}
