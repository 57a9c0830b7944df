import type { Explanation } from './advice';
import type { Outcome } from './retry';

/** Why a request got no answer. */
export interface BrokenConnection extends Explanation {
	outcome: Outcome;
}

/** What Node.js, OpenSSL and n8n's HTTP client report of a connection. */
interface Signs {
	codes: string[];
	/** The system call that ended; "connect" means that nothing was sent. */
	calls: string[];
	names: string[];
	messages: string[];
}

const NEVER_SENT: Outcome = { kind: 'neverSent', isTransient: false };
const NOT_REACHED: Outcome = { kind: 'neverSent', isTransient: true };
const LOST: Outcome = { kind: 'lost', isTransient: true };
// Nearly always before anything was sent, which cannot be told from a connection that breaks later.
const FAILED_ON_THE_WAY: Outcome = { kind: 'lost', isTransient: false };

/** The time that a request may take is over. */
export const NOT_IN_TIME: BrokenConnection = {
	outcome: LOST,
	reason: 'The API did not answer in time',
	advice: 'Try again later, or allow more time.',
};

// The first match counts. Codes: Node.js ("Common system errors", "OpenSSL error codes"), libuv, axios.
const KINDS: Array<
	[fits: (signs: Signs) => boolean, outcome: Outcome, reason: string, advice: string]
> = [
	[
		({ names }) => names.some((name) => name.startsWith('Ssrf')),
		NEVER_SENT,
		'This n8n does not allow requests to the address of the community',
		"Ask who runs this n8n to allow it (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES), or check 'Base URL' in the credential.",
	],
	[
		hasCode(/^ENOTFOUND$/),
		NEVER_SENT,
		'There is no server at the base URL',
		"Check 'Base URL' in the credential for typos, and check that this n8n can look up the name.",
	],
	[
		hasCode(/^EAI_/),
		NOT_REACHED,
		'The name in the base URL cannot be looked up right now',
		'Try again later. If this keeps happening, check the network of this n8n.',
	],
	[
		// Of https-proxy-agent, which n8n uses, and which gives it no code.
		({ messages }) => messages.some((text) => text.includes('before receiving CONNECT response')),
		NOT_REACHED,
		'The proxy ended the connection instead of passing it on',
		"Try again later. If this keeps happening, check 'Proxy' in the node, under Request Options, or ask who runs this n8n to check HTTPS_PROXY and NO_PROXY.",
	],
	[
		hasCode(/ALERT|EPROTO|ERR_SSL|ERR_TLS_(?!CERT)|WRONG_VERSION/),
		FAILED_ON_THE_WAY,
		"The community's address does not speak HTTPS as expected",
		"Check in the credential whether 'Base URL' should begin with http:// or https://, and the port.",
	],
	[
		hasCode(/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/),
		NEVER_SENT,
		"The certificate of the community's address is not valid",
		"Ask the operators of the community to fix the certificate. If an authority of your own has issued it, ask who runs this n8n to name that in NODE_EXTRA_CA_CERTS. Only if you trust the address all the same, turn on 'Ignore SSL Issues (Insecure)' in the credential.",
	],
	[
		({ codes, names }) =>
			hasCode(/^ERR_(INVALID|BAD_OPTION|OUT_OF_RANGE)/)({ codes }) || names.includes('URIError'),
		NEVER_SENT,
		'The request holds something that HTTP cannot carry',
		'Check the values you gave, and the fields of the credential, for unusual characters.',
	],
	[
		// All but the first can also end a connection with a request in flight.
		({ codes, calls }) =>
			codes.includes('ECONNREFUSED') ||
			(hasCode(/^(EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/)({ codes }) &&
				calls.includes('connect')),
		NOT_REACHED,
		'Nothing accepts connections at the base URL',
		"Check 'Base URL' in the credential, including the port, and that the community is running and reachable from this n8n.",
	],
	[
		hasCode(/^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/),
		NOT_IN_TIME.outcome,
		NOT_IN_TIME.reason,
		NOT_IN_TIME.advice,
	],
	[
		() => true,
		LOST,
		'The connection to the API broke before an answer came',
		"Try again later. If this keeps happening, check 'Base URL' in the credential and the network of this n8n.",
	],
];

/**
 * Reads what n8n's HTTP helper threw: the one place that knows the codes of connections.
 *
 * @param thrown anything; only codes, names and messages are read of it and of what it wraps, and none of
 * them is shown; never the wrapped request, because that holds the credential
 */
export function brokenConnection(thrown: unknown): BrokenConnection {
	const signs = signsOf(thrown);
	const [, outcome, reason, advice] =
		KINDS.find(([fits]) => fits(signs)) ?? KINDS[KINDS.length - 1];
	const isConnecting = outcome === LOST && signs.calls.includes('connect');
	return { outcome: isConnecting ? NOT_REACHED : outcome, reason, advice };
}

function hasCode(pattern: RegExp): (signs: Pick<Signs, 'codes'>) => boolean {
	return ({ codes }) => codes.some((code) => pattern.test(code));
}

// n8n wraps what Node.js and axios throw; up to 2.33 it keeps only the code, as `httpCode` (docs/decisions.md, E27).
// For a name with several addresses, `errors` has the result for each of them.
function signsOf(thrown: unknown): Signs {
	const layers: Array<Record<string, unknown>> = [];
	const left = [thrown];
	while (left.length > 0 && layers.length < 10) {
		const layer = (left.shift() ?? {}) as Record<string, unknown>;
		if (layer.cause !== undefined) left.push(layer.cause);
		if (Array.isArray(layer.errors)) left.push(...(layer.errors as unknown[]).slice(0, 5));
		layers.push(layer);
	}
	const textsAt = (key: string) =>
		layers.map((layer) => layer[key]).filter((value) => typeof value === 'string');
	return {
		codes: [...textsAt('code'), ...textsAt('httpCode')],
		calls: textsAt('syscall'),
		names: textsAt('name'),
		messages: textsAt('message'),
	};
}
