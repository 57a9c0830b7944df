import type { FailedAttempt } from './advice';
import type { Outcome } from './answer';

const NEVER_SENT: Outcome = { kind: 'neverSent', isTransient: false };
const NOT_REACHED: Outcome = { kind: 'neverSent', isTransient: true };
const LOST: Outcome = { kind: 'lost', isTransient: true };
// This nearly always happens before anything is sent, but it looks the same as a connection that breaks later.
const FAILED_ON_THE_WAY: Outcome = { kind: 'lost', isTransient: false };

// The first match counts. Codes: Node.js ("Common system errors", "OpenSSL error codes"), libuv, axios.
const KINDS: Array<[sign: RegExp, outcome: Outcome, reason: string, advice: string]> = [
	[
		/^Ssrf/m,
		NEVER_SENT,
		"Your n8n does not allow requests to the community's address",
		"Check 'Base URL' in the credential. If it is right, ask your n8n administrator to add the address to N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.",
	],
	[
		/^ENOTFOUND$/m,
		NEVER_SENT,
		"The address in 'Base URL' does not exist",
		"Check 'Base URL' in the credential for typos. If the address opens in your browser, ask your n8n administrator to check n8n's DNS.",
	],
	[
		/^EAI_/m,
		NOT_REACHED,
		"The address in 'Base URL' cannot be looked up right now",
		"Try again in a few minutes. If this keeps happening, ask your n8n administrator to check n8n's DNS.",
	],
	[
		// From https-proxy-agent, which n8n uses and which sets no code.
		/^message .*before receiving CONNECT response/m,
		NOT_REACHED,
		'The proxy closed the connection without passing the request on',
		"Try again in a few minutes. If this keeps happening, check 'Proxy' under 'Request Options' in the node. If 'Proxy' is not set, ask your n8n administrator to check HTTPS_PROXY and NO_PROXY.",
	],
	[
		/^\w*(ALERT|EPROTO|ERR_SSL|ERR_TLS_(?!CERT)|WRONG_VERSION)/m,
		FAILED_ON_THE_WAY,
		'A secure connection to the community could not be opened',
		"Open your community in a browser, and check that 'Base URL' in the credential begins with the same http:// or https:// and has the same port, if any. If it does, ask your n8n administrator whether a proxy or firewall is in the way.",
	],
	[
		/^\w*(CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER)/m,
		NEVER_SENT,
		"The community's security certificate is not valid",
		"Ask your community platform's support to fix the certificate. If your organization issues its own certificates, ask your n8n administrator to add them with NODE_EXTRA_CA_CERTS. Turn on 'Ignore SSL Issues (Insecure)' in the credential only if you trust this address.",
	],
	[
		/^ERR_(INVALID|BAD_OPTION|OUT_OF_RANGE)|^URIError$/m,
		NEVER_SENT,
		'The request contains characters that cannot be sent',
		'Check your values and the credential for line breaks and invisible characters. If you pasted the API key, paste it again without spaces or line breaks.',
	],
	[
		// All codes but the first can also end a connection with a request in flight.
		/^ECONNREFUSED$|^connect (EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/m,
		NOT_REACHED,
		'n8n cannot connect to the community',
		"Check 'Base URL' in the credential, including the port. If the address opens in your browser, ask your n8n administrator whether n8n's network allows the connection.",
	],
	[
		/^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/m,
		LOST,
		'The community did not answer in time',
		"If you set 'Timeout' under 'Request Options' in the node, raise it. Otherwise, try again in a few minutes.",
	],
	[
		/$/,
		LOST,
		'The connection broke before an answer arrived',
		"Try again in a few minutes. If this keeps happening, check 'Base URL' in the credential, or ask your n8n administrator to check n8n's network.",
	],
];

/** Reads the codes of an error from n8n's HTTP helper. Its text is never shown, because it contains the credential. */
export function brokenConnection(thrown: unknown): FailedAttempt {
	const signs = signsOf(thrown);
	const [, outcome, reason, advice] =
		KINDS.find(([sign]) => sign.test(signs)) ?? KINDS[KINDS.length - 1];
	const isConnecting = outcome === LOST && /^connect /m.test(signs);
	return { ...(isConnecting ? NOT_REACHED : outcome), reason, advice };
}

// Codes and names, one a line, with the failed system call: "connect" means that nothing was sent. n8n wraps them, or
// keeps them as `httpCode` (docs/decisions.md, E27). `errors` has the results of a name with several addresses.
function signsOf(thrown: unknown): string {
	const signs: unknown[] = [];
	const layers = [thrown];
	for (let read = 0; layers.length > 0 && read < 10; read++) {
		const layer = (layers.shift() ?? {}) as Record<string, unknown>;
		const { code, httpCode, name, syscall, message, cause, errors } = layer;
		signs.push(code, httpCode, name);
		if (typeof syscall === 'string') signs.push(`${syscall} ${String(code)}`);
		if (typeof message === 'string') signs.push(`message ${message}`);
		if (cause !== undefined) layers.push(cause);
		if (Array.isArray(errors)) layers.push(...(errors as unknown[]).slice(0, 5));
	}
	return signs.filter((sign) => typeof sign === 'string').join('\n');
}
