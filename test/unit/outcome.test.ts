import type { HttpAnswer } from '../../nodes/shared/transport/answer.ts';
import { repeatOf } from '../../nodes/shared/transport/repeat.ts';
import { brokenConnection } from '../../nodes/shared/transport/connection.ts';
import type { Outcome } from '../../nodes/shared/transport/outcome.ts';
import {
	askedMsOf,
	isRepeatable,
	mayHaveChanged,
	outcomeOf,
} from '../../nodes/shared/transport/outcome.ts';

const CLASSES = {
	safe: ['GET', 'HEAD', 'OPTIONS'],
	idempotent: ['PUT', 'PATCH', 'DELETE'],
	creating: ['POST', 'PURGE'],
} as const;
const METHODS = Object.values(CLASSES).flat();

const answer = (
	statusCode: number,
	headers: HttpAnswer['headers'] = {},
	body: unknown = '',
): HttpAnswer => ({ statusCode, headers, body });
const expects = 'acknowledgement' as const;
const HTML = { 'content-type': 'text/html' };
const API_ERROR = { status: 'BAD_REQUEST', message: 'ERR_V1 | x' };
const BUSY = { status: 'SERVICE_UNAVAILABLE', message: 'ERR_V1 | x' };
// As the gateways write them: nginx 1.22, HAProxy 2.6.
const NGINX =
	'<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n';
const HAPROXY =
	'<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n';
const IN_A_SECOND = { 'retry-after': '1' };
const asked = (method: string) => ({ method, repeat: repeatOf(method), expects });

it.each(Object.entries(CLASSES))('idempotency of methods: %s', (name, methods) => {
	expect(methods.map(repeatOf)).toEqual(methods.map(() => name));
});

/** For each class of methods: is it repeated, and may something have changed all the same. */
type Policy = Record<keyof typeof CLASSES, [isRepeated: boolean, mayHaveChanged: boolean]>;

const ALWAYS: Policy = { safe: [true, false], idempotent: [true, false], creating: [true, false] };
const NEVER: Policy = {
	safe: [false, false],
	idempotent: [false, false],
	creating: [false, false],
};
const UNKNOWN: Policy = { safe: [true, false], idempotent: [true, true], creating: [false, true] };
const UNREADABLE: Policy = {
	safe: [false, false],
	idempotent: [false, true],
	creating: [false, true],
};

const ANSWERS: Array<[what: string, answer: HttpAnswer, kind: Outcome['kind'], policy: Policy]> = [
	['200', answer(200), 'answered', NEVER],
	['204', answer(204), 'answered', NEVER],
	['a web page', answer(201, HTML, '<html>'), 'unreadable', UNREADABLE],
	['an error body with 200', answer(200, {}, API_ERROR), 'refused', NEVER],
	['one that names no status', answer(200, {}, { message: 'ERR_V1 | x' }), 'refused', NEVER],
	...[302, 303].map((status): (typeof ANSWERS)[number] => [
		String(status),
		answer(status),
		'lost',
		UNREADABLE,
	]),
	['429', answer(429), 'refused', ALWAYS],
	['429 with Retry-After', answer(429, IN_A_SECOND), 'refused', ALWAYS],
	['503', answer(503), 'lost', UNKNOWN],
	['503 with Retry-After, of a cache', answer(503, IN_A_SECOND, '<html>'), 'lost', UNKNOWN],
	['503 with Retry-After, of the API', answer(503, IN_A_SECOND, BUSY), 'refused', ALWAYS],
	['503 of the API', answer(503, {}, BUSY), 'lost', UNKNOWN],
	['503 with Retry-After and another status', answer(503, IN_A_SECOND, API_ERROR), 'lost', UNKNOWN],
	['503 without a code', answer(503, IN_A_SECOND, { ...BUSY, message: 'x' }), 'lost', UNKNOWN],
	['500 with the page of nginx', answer(500, HTML, NGINX), 'lost', UNKNOWN],
	['500 with Retry-After and the body of a 503', answer(500, IN_A_SECOND, BUSY), 'lost', UNKNOWN],
	['503 of nginx through a cache', answer(503, { ...HTML, via: '1.1 x' }, NGINX), 'lost', UNKNOWN],
	['503 with more than the page of nginx', answer(503, HTML, `${NGINX}<p>x`), 'lost', UNKNOWN],
	[
		'503 with more than that of HAProxy',
		answer(503, HTML, HAPROXY.replace('t.\n', 't. But')),
		'lost',
		UNKNOWN,
	],
	...[460, 499].map((status): (typeof ANSWERS)[number] => [
		String(status),
		answer(status),
		'lost',
		UNREADABLE,
	]),
	['503 of nginx', answer(503, HTML, NGINX), 'refused', ALWAYS],
	['503 of HAProxy', answer(503, HTML, HAPROXY), 'refused', ALWAYS],
	['502 with the page of nginx', answer(502, HTML, NGINX), 'lost', UNKNOWN],
	...[408, 425, 520, 521, 522, 523, 524].map((status): (typeof ANSWERS)[number] => [
		String(status),
		answer(status, IN_A_SECOND),
		'lost',
		UNKNOWN,
	]),
	['500', answer(500), 'lost', UNKNOWN],
	['500 with Retry-After', answer(500, IN_A_SECOND), 'lost', UNKNOWN],
	['502', answer(502), 'lost', UNKNOWN],
	['502 with a web page', answer(502, HTML, '<html>'), 'lost', UNKNOWN],
	['504', answer(504), 'lost', UNKNOWN],
	['501', answer(501), 'lost', UNREADABLE],
	...[301, 400, 401, 403, 404, 405, 409, 410, 413, 418, 422].map(
		(status): (typeof ANSWERS)[number] => [String(status), answer(status), 'refused', NEVER],
	),
];

describe.each(ANSWERS)('retry and idempotency after an answer: %s', (_, given, kind, policy) => {
	it.each(METHODS)('to %s', (method) => {
		const { repeat } = asked(method);
		const outcome = outcomeOf(asked(method), given);
		expect(outcome.kind).toBe(kind);
		expect([isRepeatable(repeat, outcome), mayHaveChanged(repeat, outcome)]).toEqual(
			policy[repeat],
		);
	});
});

it('tells what Retry-After asks for, and nothing where there is no answer', () => {
	expect(askedMsOf(outcomeOf(asked('GET'), answer(429, IN_A_SECOND)))).toBe(1000);
	expect(askedMsOf(outcomeOf(asked('GET'), answer(500, IN_A_SECOND)))).toBe(1000);
	expect(askedMsOf(outcomeOf(asked('GET'), answer(429)))).toBeUndefined();
	expect(askedMsOf(outcomeOf(asked('GET'), answer(200, IN_A_SECOND)))).toBeUndefined();
	expect(askedMsOf(brokenConnection({ code: 'ECONNRESET' }).outcome)).toBeUndefined();
});

describe('a record that is gone', () => {
	it.each([404, 410])(
		'when DELETE is repeated after a lost attempt, was deleted by it: %d',
		(status) => {
			expect(outcomeOf(asked('DELETE'), answer(status), true).kind).toBe('answered');
			expect(outcomeOf(asked('DELETE'), answer(status)).kind).toBe('refused');
			for (const method of METHODS.filter((each) => each !== 'DELETE')) {
				expect(outcomeOf(asked(method), answer(status), true).kind).toBe('refused');
			}
		},
	);

	it('counts as deleted in no other case', () => {
		expect(outcomeOf(asked('DELETE'), answer(403), true).kind).toBe('refused');
	});
});

const CONNECTIONS: Array<[what: string, thrown: unknown, kind: Outcome['kind'], policy: Policy]> = [
	...[
		'ENOTFOUND',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'CERT_HAS_EXPIRED',
		'ERR_INVALID_URL',
		'ERR_BAD_OPTION_VALUE',
		'ERR_OUT_OF_RANGE',
	].map((code): (typeof CONNECTIONS)[number] => [code, { code }, 'neverSent', NEVER]),
	...['ECONNREFUSED', 'EAI_AGAIN'].map((code): (typeof CONNECTIONS)[number] => [
		code,
		{ code },
		'neverSent',
		ALWAYS,
	]),
	// These can also end a connection on which a request is on its way.
	...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'].flatMap(
		(code): typeof CONNECTIONS => [
			[`${code} at connecting`, { code, syscall: 'connect' }, 'neverSent', ALWAYS],
			[`${code} at reading`, { code, syscall: 'read' }, 'lost', UNKNOWN],
			[`${code}, and no more`, { code }, 'lost', UNKNOWN],
		],
	),
	...['EPROTO', 'ERR_SSL_BAD_RECORD_TYPE', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'].map(
		(code): (typeof CONNECTIONS)[number] => [code, { code }, 'lost', UNREADABLE],
	),
	...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_BAD_RESPONSE', 'UNHEARD_OF'].map(
		(code): (typeof CONNECTIONS)[number] => [code, { code }, 'lost', UNKNOWN],
	),
	['nothing that is known', new TypeError('x'), 'lost', UNKNOWN],
	['nothing at all', undefined, 'lost', UNKNOWN],
	['no connection in time', { code: 'ETIMEDOUT', syscall: 'connect' }, 'neverSent', ALWAYS],
	[
		'a connection reset while it is made',
		{ code: 'ECONNRESET', syscall: 'connect' },
		'neverSent',
		ALWAYS,
	],
	['one reset later', { code: 'ECONNRESET', syscall: 'read' }, 'lost', UNKNOWN],
	[
		'what n8n wraps',
		{ name: 'NodeApiError', cause: { code: 'ERR_NETWORK', cause: { code: 'ECONNREFUSED' } } },
		'neverSent',
		ALWAYS,
	],
	[
		'a name with several addresses',
		{ code: 'ETIMEDOUT', errors: [{ code: 'ETIMEDOUT', syscall: 'connect' }] },
		'neverSent',
		ALWAYS,
	],
	[
		'an address that n8n does not allow',
		{ cause: { name: 'SsrfBlockedIpError', message: 'blocked' } },
		'neverSent',
		NEVER,
	],
];

describe.each(CONNECTIONS)(
	'retry and idempotency without an answer: %s',
	(_, thrown, kind, policy) => {
		it.each(METHODS)('to %s', (method) => {
			const { repeat } = asked(method);
			const { outcome } = brokenConnection(thrown);
			expect(outcome.kind).toBe(kind);
			expect([isRepeatable(repeat, outcome), mayHaveChanged(repeat, outcome)]).toEqual(
				policy[repeat],
			);
		});
	},
);
