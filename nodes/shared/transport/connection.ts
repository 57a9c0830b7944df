import type { FailedAttempt } from './advice';
import type { Outcome } from './answer';

const NEVER_SENT: Outcome = { kind: 'neverSent', isTransient: false };
const NOT_REACHED: Outcome = { kind: 'neverSent', isTransient: true };
const LOST: Outcome = { kind: 'lost', isTransient: true };
// Nearly always before anything was sent, which cannot be told from a connection that breaks later.
const FAILED_ON_THE_WAY: Outcome = { kind: 'lost', isTransient: false };

// The first match counts. Codes: Node.js ("Common system errors", "OpenSSL error codes"), libuv, axios.
const KINDS: Array<[sign: RegExp, outcome: Outcome, reason: string, advice: string]> = [
	[
		/^Ssrf/m,
		NEVER_SENT,
		'This n8n does not allow requests to the address of the community',
		"Ask who runs this n8n to allow it (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES), or check 'Base URL' in the credential.",
	],
	[
		/^ENOTFOUND$/m,
		NEVER_SENT,
		'There is no server at the base URL',
		"Check 'Base URL' in the credential for typos, and check that this n8n can look up the name.",
	],
	[
		/^EAI_/m,
		NOT_REACHED,
		'The name in the base URL cannot be looked up right now',
		'Try again later. If this keeps happening, check the network of this n8n.',
	],
	[
		// Of https-proxy-agent, which n8n uses, and which gives it no code.
		/^message .*before receiving CONNECT response/m,
		NOT_REACHED,
		'The proxy ended the connection instead of passing it on',
		"Try again later. If this keeps happening, check 'Proxy' in the node, under Request Options, or ask who runs this n8n to check HTTPS_PROXY and NO_PROXY.",
	],
	[
		/^\w*(ALERT|EPROTO|ERR_SSL|ERR_TLS_(?!CERT)|WRONG_VERSION)/m,
		FAILED_ON_THE_WAY,
		"The community's address does not speak HTTPS as expected",
		"Check in the credential whether 'Base URL' should begin with http:// or https://, and the port.",
	],
	[
		/^\w*(CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER)/m,
		NEVER_SENT,
		"The certificate of the community's address is not valid",
		"Ask the operators of the community to fix the certificate. If an authority of your own has issued it, ask who runs this n8n to name that in NODE_EXTRA_CA_CERTS. Only if you trust the address all the same, turn on 'Ignore SSL Issues (Insecure)' in the credential.",
	],
	[
		/^ERR_(INVALID|BAD_OPTION|OUT_OF_RANGE)|^URIError$/m,
		NEVER_SENT,
		'The request holds something that HTTP cannot carry',
		'Check the values you gave, and the fields of the credential, for unusual characters.',
	],
	[
		// All but the first can also end a connection with a request in flight.
		/^ECONNREFUSED$|^connect (EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/m,
		NOT_REACHED,
		'Nothing accepts connections at the base URL',
		"Check 'Base URL' in the credential, including the port, and that the community is running and reachable from this n8n.",
	],
	[
		/^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/m,
		LOST,
		'The API did not answer in time',
		'Try again later, or allow more time.',
	],
	[
		/$/,
		LOST,
		'The connection to the API broke before an answer came',
		"Try again later. If this keeps happening, check 'Base URL' in the credential and the network of this n8n.",
	],
];

/** Reads the codes of what n8n's HTTP helper threw. None of it is shown, because it holds the credential. */
export function brokenConnection(thrown: unknown): FailedAttempt {
	const signs = signsOf(thrown);
	const [, outcome, reason, advice] =
		KINDS.find(([sign]) => sign.test(signs)) ?? KINDS[KINDS.length - 1];
	const isConnecting = outcome === LOST && /^connect /m.test(signs);
	return { ...(isConnecting ? NOT_REACHED : outcome), reason, advice };
}

// Codes and names, one a line, behind the system call that ended: "connect" means that nothing was sent. n8n wraps them,
// or keeps them as `httpCode` (docs/decisions.md, E27). `errors` has the results of a name with several addresses.
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
