import { brokenConnection } from '../../nodes/shared/transport/connection.ts';
import { explainedCodes } from '../support/connection-codes.mts';

const BROKE_OFF = 'The connection broke before an answer arrived';
const NO_SERVER = "The address in 'Base URL' does not exist";
const REFUSED = 'n8n cannot connect to the community';
const TOO_LATE = 'The community did not answer in time';
const NO_HTTPS = 'A secure connection to the community could not be opened';
const CERTIFICATE = "The community's security certificate is not valid";
const NO_HTTP = 'The request contains characters that cannot be sent';
const LOOK_UP = "The address in 'Base URL' cannot be looked up right now";
const NEVER_SENT = { kind: 'neverSent', isTransient: false };
const NOT_REACHED = { kind: 'neverSent', isTransient: true };
const LOST = { kind: 'lost', isTransient: true };
const ON_THE_WAY = { kind: 'lost', isTransient: false };
const CONNECT = 'connect';
// These can also end a connection with a request in flight.
const UNREACHABLE = ['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'];

it.each<[string, string | undefined, string, object]>([
	['ENOTFOUND', undefined, NO_SERVER, NEVER_SENT],
	['EAI_AGAIN', undefined, LOOK_UP, NOT_REACHED],
	['ECONNREFUSED', undefined, REFUSED, NOT_REACHED],
	...UNREACHABLE.flatMap((code): Array<[string, string | undefined, string, object]> => [
		[code, CONNECT, REFUSED, NOT_REACHED],
		[code, 'read', BROKE_OFF, LOST],
	]),
	['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', undefined, NO_HTTPS, ON_THE_WAY],
	['EPROTO', undefined, NO_HTTPS, ON_THE_WAY],
	['ERR_SSL_WRONG_VERSION_NUMBER', undefined, NO_HTTPS, ON_THE_WAY],
	['ERR_TLS_CERT_ALTNAME_INVALID', undefined, CERTIFICATE, NEVER_SENT],
	['DEPTH_ZERO_SELF_SIGNED_CERT', undefined, CERTIFICATE, NEVER_SENT],
	['CERT_HAS_EXPIRED', undefined, CERTIFICATE, NEVER_SENT],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', undefined, CERTIFICATE, NEVER_SENT],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', undefined, CERTIFICATE, NEVER_SENT],
	['ERR_INVALID_CHAR', undefined, NO_HTTP, NEVER_SENT],
	['ERR_BAD_OPTION_VALUE', undefined, NO_HTTP, NEVER_SENT],
	['ERR_OUT_OF_RANGE', undefined, NO_HTTP, NEVER_SENT],
	['ETIMEDOUT', undefined, TOO_LATE, LOST],
	['ETIMEDOUT', CONNECT, TOO_LATE, NOT_REACHED],
	['ECONNABORTED', undefined, TOO_LATE, LOST],
	['ESOCKETTIMEDOUT', undefined, TOO_LATE, LOST],
	['ECONNRESET', 'read', BROKE_OFF, LOST],
	['ECONNRESET', CONNECT, BROKE_OFF, NOT_REACHED],
	['EPIPE', undefined, BROKE_OFF, LOST],
	['ENOTFOUNDS', undefined, BROKE_OFF, LOST],
	['XECONNREFUSED', undefined, BROKE_OFF, LOST],
	['', undefined, BROKE_OFF, LOST],
])('explains a connection that ended with %j at %s', (code, syscall, reason, outcome) => {
	const broken = brokenConnection({ code, syscall });
	expect(broken).toMatchObject({ reason, ...outcome });
	expect(broken.advice).toMatch(/^[A-Z].*\.$/);
});

it.each([
	['the form of older n8n versions', { httpCode: 'ENOTFOUND' }, NO_SERVER],
	["n8n's wrapper", { cause: { cause: { code: 'ENOTFOUND' } } }, NO_SERVER],
	['one of several addresses', { errors: [undefined, {}, { code: 'ENOTFOUND' }] }, NO_SERVER],
	[
		"n8n's guard",
		{ cause: { name: 'SsrfBlockedIpError' } },
		"Your n8n does not allow requests to the community's address",
	],
	[
		'the proxy, before the connection is made',
		{ cause: { message: 'Proxy connection ended before receiving CONNECT response' } },
		'The proxy closed the connection without passing the request on',
	],
	['half an emoji in a query', { cause: new URIError('URI malformed') }, NO_HTTP],
	['nothing', undefined, BROKE_OFF],
	['text', 'ENOTFOUND', BROKE_OFF],
	['a code that is no text', { code: ['ENOTFOUND'] }, BROKE_OFF],
])('reads the cause of a broken connection from %s', (_, thrown, reason) => {
	expect(brokenConnection(thrown).reason).toBe(reason);
});

it('explains a broken connection whose causes form a cycle', () => {
	const itself: { cause?: object } = {};
	itself.cause = itself;
	expect(brokenConnection(itself).reason).toBe(BROKE_OFF);
});

it.each(explainedCodes())(
	'has the same texts for $code as docs/failures.md',
	({ code, reason, advice }) => {
		expect(brokenConnection({ code, syscall: CONNECT })).toMatchObject({ reason, advice });
	},
);
