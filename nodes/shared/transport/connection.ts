import type { Outcome } from './outcome';
import type { Setting } from './settings';

/** Why a request got no answer. */
export interface BrokenConnection {
	outcome: Outcome;
	/** For the user, in a sentence without its full stop. */
	reason: string;
	/** What the user can do. */
	advice: string;
	/** A setting of the node that can help, and how. */
	setting?: { label: Setting; advice: string };
}

/** What Node.js, OpenSSL and n8n's HTTP client report of a connection. */
interface Signs {
	codes: string[];
	/** The system call that ended; "connect" means that nothing was sent. */
	calls: string[];
	names: string[];
	messages: string[];
}

/** What was thrown, or something that it wraps. */
type Layer = Record<string, unknown>;

const NEVER_SENT: Outcome = { kind: 'neverSent', isTransient: false };
const NOT_REACHED: Outcome = { kind: 'neverSent', isTransient: true };
const LOST: Outcome = { kind: 'lost', isTransient: true };
// Nearly always before anything was sent, which cannot be told from a connection that breaks later.
const FAILED_ON_THE_WAY: Outcome = { kind: 'lost', isTransient: false };

const IN_TIME: Pick<BrokenConnection, 'reason' | 'advice' | 'setting'> = {
	reason: 'The API did not answer in time',
	advice: 'Try again later.',
	setting: {
		label: 'Timeout',
		advice: 'Try again later, or raise "Timeout" in the node\'s request options.',
	},
};

const BROKE_OFF: BrokenConnection = {
	outcome: LOST,
	reason: 'The connection to the API broke before an answer came',
	advice:
		'Try again later. If this keeps happening, check "Base URL" in the credential and the network of this n8n.',
};

// The first match counts. Codes: Node.js ("Common system errors", "OpenSSL error codes"), libuv, axios.
const KINDS: Array<[fits: (signs: Signs) => boolean, broken: BrokenConnection]> = [
	[
		hasName(/^Ssrf/),
		{
			outcome: NEVER_SENT,
			reason: 'This n8n does not allow requests to the address of the community',
			advice:
				'Ask who runs this n8n to allow it (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES), or check "Base URL" in the credential.',
		},
	],
	[
		hasCode(/^ENOTFOUND$/),
		{
			outcome: NEVER_SENT,
			reason: 'There is no server at the base URL',
			advice:
				'Check "Base URL" in the credential for typos, and check that this n8n can look up the name.',
		},
	],
	[
		hasCode(/^EAI_/),
		{
			outcome: NOT_REACHED,
			reason: 'The name in the base URL cannot be looked up right now',
			advice: 'Try again later. If this keeps happening, check the network of this n8n.',
		},
	],
	[
		// Of https-proxy-agent, which n8n uses, and which gives it no code.
		({ messages }) => messages.some((text) => text.includes('before receiving CONNECT response')),
		{
			outcome: NOT_REACHED,
			reason: 'The proxy ended the connection instead of passing it on',
			advice:
				'Try again later. If this keeps happening, check "Proxy" in the request options of the node, or ask who runs this n8n to check HTTPS_PROXY and NO_PROXY.',
		},
	],
	[
		hasCode(/CERTIFICATE_REQUIRED|ALERT/),
		{
			outcome: FAILED_ON_THE_WAY,
			reason: "The community's server ended the encrypted connection",
			advice:
				'Ask the operators of the community whether their server lets this n8n in: it may want a certificate of its own, or another version of TLS.',
		},
	],
	[
		hasCode(/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/),
		{
			outcome: NEVER_SENT,
			reason: "The certificate of the community's address is not valid",
			advice:
				'Ask the operators of the community to fix the certificate. If an authority of your own has issued it, ask who runs this n8n to name that in NODE_EXTRA_CA_CERTS. Only if you trust the address all the same, turn on "Ignore SSL Issues (Insecure)" in the credential.',
		},
	],
	[
		hasCode(/EPROTO|ERR_SSL|ERR_TLS|WRONG_VERSION/),
		{
			outcome: FAILED_ON_THE_WAY,
			reason: "The community's address does not speak HTTPS as expected",
			advice:
				'Check in the credential whether "Base URL" should begin with http:// or https://, and the port.',
		},
	],
	[
		hasCode(/^ERR_(INVALID|BAD_OPTION|OUT_OF_RANGE)/),
		{
			outcome: NEVER_SENT,
			reason: 'The request holds something that HTTP cannot carry',
			advice: 'Check "Base URL" and the other fields of the credential for unusual characters.',
		},
	],
	[
		// All but the first can also end a connection with a request in flight.
		(signs) =>
			hasCode(/^ECONNREFUSED$/)(signs) ||
			(hasCode(/^(EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/)(signs) &&
				signs.calls.includes('connect')),
		{
			outcome: NOT_REACHED,
			reason: 'Nothing accepts connections at the base URL',
			advice:
				'Check "Base URL" in the credential, including the port, and that the community is running and reachable from this n8n.',
		},
	],
	[
		(signs) => hasCode(/^ETIMEDOUT$/)(signs) && signs.calls.includes('connect'),
		{ outcome: NOT_REACHED, ...IN_TIME },
	],
	[hasCode(/^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/), { outcome: LOST, ...IN_TIME }],
	[({ calls }) => calls.includes('connect'), { ...BROKE_OFF, outcome: NOT_REACHED }],
];

/**
 * Reads what n8n's HTTP helper threw: the one place that knows the codes of connections.
 *
 * @param thrown anything; only codes, names and messages are read of it and of what it wraps, and none of
 * them is shown; never the wrapped request, because that holds the credential
 */
export function brokenConnection(thrown: unknown): BrokenConnection {
	const signs = signsOf(thrown);
	return KINDS.find(([fits]) => fits(signs))?.[1] ?? BROKE_OFF;
}

function hasCode(pattern: RegExp): (signs: Signs) => boolean {
	return ({ codes }) => codes.some((code) => pattern.test(code));
}

function hasName(pattern: RegExp): (signs: Signs) => boolean {
	return ({ names }) => names.some((name) => pattern.test(name));
}

// n8n wraps what Node.js and axios throw; up to 2.33 it keeps only the code, as `httpCode` (docs/decisions.md, E27).
function signsOf(thrown: unknown): Signs {
	const layers = layersOf(thrown);
	const textsAt = (key: string) =>
		layers.map((layer) => layer[key]).filter((value) => typeof value === 'string');
	return {
		codes: [...textsAt('code'), ...textsAt('httpCode')],
		calls: textsAt('syscall'),
		names: textsAt('name'),
		messages: textsAt('message'),
	};
}

// For a name with several addresses, `errors` has the result for each of them.
function layersOf(thrown: unknown): Layer[] {
	const layers: Layer[] = [];
	const left = [thrown];
	while (left.length > 0 && layers.length < 10) {
		const layer = (left.shift() ?? {}) as Layer;
		const { cause, errors } = layer;
		if (cause !== undefined) left.push(cause);
		if (Array.isArray(errors)) left.push(...(errors as unknown[]).slice(0, 5));
		layers.push(layer);
	}
	return layers;
}
