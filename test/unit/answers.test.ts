import fc from 'fast-check';
import { explainAnswer } from '../../nodes/shared/transport/advice.ts';
import { nextWaitMs } from '../../nodes/shared/transport/retry.ts';
import { outcomeOf, retryAfterMs } from '../../nodes/shared/transport/answer.ts';
import type { ApiRequest, Expected, HttpAnswer, Method } from '../../nodes/shared/transport/api.ts';
import { tag, user } from '../../nodes/shared/records/types.ts';
import { sentences } from '../support/sentences.mts';

const API = { baseUrl: 'https://community.example.com', redact: (text: string) => text };
const HTML = { 'content-type': 'text/html' };
const SOON = { 'retry-after': '1' };
// Copied from the gateways nginx 1.22 and HAProxy 2.6.
const NGINX =
	'<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n';
const HAPROXY =
	'<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n';
const ofApi = (status: string, message = 'ERR_V1 | the reason given') => ({
	id: 'e',
	status,
	message,
});
const ofTag: Expected = { record: tag, id: '7' };

function requestFor(method: string, expects: Expected = 'acknowledgement'): ApiRequest {
	return {
		method: method as Method,
		effect: method === 'GET' ? 'reads' : method === 'POST' ? 'creates' : 'sets',
		path: '/x',
		expects,
		body: { name: 'x', board_name: 'y', data: { role_id: 5 } },
		labels: { name: 'Name', board_name: 'Board Name', role_id: 'Role', content: 'Content' },
		identifiers: [
			{ label: 'User', value: '2.aB' },
			{ label: 'Role', value: '2', selectedLabel: 'Owner' },
		],
	};
}

/** The outcome of an answer, with its texts. */
function judged(request: ApiRequest, answer: HttpAnswer) {
	const outcome = outcomeOf(request, answer);
	return {
		kind: outcome.kind,
		isRepeated: nextWaitMs(outcome, request.effect, 0) !== undefined,
		isUncertain: outcome.kind === 'lost' && request.effect !== 'reads',
		...explainAnswer(request, answer, outcome, API),
	};
}

const answerOf = (statusCode: number, body: unknown = '', headers = {}): HttpAnswer => ({
	statusCode,
	headers,
	body,
});

describe('Answers with a success status', () => {
	const REFUSAL = { kind: 'lost', isRepeated: false };
	const OK = { kind: 'answered' };
	const ELSE = { ...REFUSAL, reason: "Something other than your community's API answered" };
	const PAGE = { ...REFUSAL, reason: 'A web page came back instead of data' };
	const GARBLED = { kind: 'lost', reason: "The community's answer could not be read" };
	const NOTHING = {
		...REFUSAL,
		reason: "The community's answer did not contain the requested record",
	};
	const OTHER = {
		...REFUSAL,
		reason: 'The community returned a different record than requested',
	};

	it.each<[string, Expected, unknown, object]>([
		// A record.
		['GET', ofTag, { tag_id: '7', announced: 1 }, OK],
		['GET', ofTag, { tag_id: 7, name: 'x', error: 'x' }, OK],
		['GET', ofTag, { tag_id: 99 }, OTHER],
		['GET', ofTag, { name: 'x' }, ELSE],
		['GET', ofTag, { data: { tag_id: 7 } }, ELSE],
		['GET', ofTag, [{ tag_id: 7 }], ELSE],
		['GET', ofTag, { message: 'OK' }, ELSE],
		['GET', ofTag, {}, NOTHING],
		['GET', ofTag, '', NOTHING],
		['GET', ofTag, { error: 'no permission' }, { ...REFUSAL, reason: 'No permission' }],
		['GET', { record: user, id: '7' }, { user_id: 7, error: 'x' }, REFUSAL],
		['GET', { record: user, id: '7' }, { user_id: 7, error: 'x', username: 'a' }, OK],
		['GET', { record: user, id: '7.ab' }, { user_id: '7', username: 'a' }, OK],
		['GET', { record: user, id: '7' }, { user_id: 8, msid: '8.b', username: 'a' }, OTHER],
		['GET', ofTag, '{"tag_id": 7, "na', { ...GARBLED, isRepeated: true }],
		['GET', ofTag, '\u001f\ufffd\u0008\0', { ...GARBLED, isRepeated: true }],
		// A record, or an acknowledgement of a write.
		['PUT', ofTag, { message: 'OK' }, OK],
		['PUT', ofTag, '', OK],
		['PUT', ofTag, { tag_id: 8 }, OTHER],
		['PUT', ofTag, { message: 'OK', statusCode: 403 }, REFUSAL],
		['PUT', ofTag, { message: 'Forbidden' }, REFUSAL],
		['PUT', ofTag, { tag_id: 7, name: 'x', success: false }, REFUSAL],
		['PUT', ofTag, '{"tag_id": 7, "na', { ...GARBLED, isRepeated: false, isUncertain: true }],
		['POST', { record: tag }, { tag_id: 8 }, OK],
		['POST', { record: tag }, { id: 8 }, { ...ELSE, isUncertain: true }],
		// A list.
		['GET', { list: tag }, [{ tag_id: 1 }, { name: 'x', back_color: '#ffffff' }], OK],
		['GET', { list: tag }, [], OK],
		['GET', { list: tag }, [{ name: 'x' }], ELSE],
		['GET', { list: user }, [{ post_id: 5, created_at: 'x' }], ELSE],
		['GET', { list: tag }, [1], ELSE],
		[
			'GET',
			{ list: tag },
			[{ tag_id: 1 }, { tag_id: 2, status: 'FORBIDDEN', message: 'no' }],
			REFUSAL,
		],
		['GET', { list: tag }, {}, ELSE],
		['GET', { list: tag }, '', ELSE],
		['GET', { list: tag }, '[{"tag_id": 1}, {"ta', { ...GARBLED, isRepeated: true }],
		// An acknowledgement is any answer without a refusal.
		...['', 'OK', true, [], { status: 15, code: 0, message: 'done' }, 'no errors', 42].map(
			(body): [string, Expected, unknown, object] => ['PATCH', 'acknowledgement', body, OK],
		),
		['PATCH', 'acknowledgement', { success: 'true', error: null, errors: [], ok: 1 }, OK],
		['PATCH', 'acknowledgement', 'x'.repeat(1000), OK],
		// Texts by members do not matter.
		['PATCH', 'acknowledgement', { user_id: 7, first_name: 'Conflict', about: 'Forbidden' }, OK],
		['PATCH', 'acknowledgement', { user_id: 7, code_of_conduct: 450, added: [404] }, OK],
		['PATCH', 'acknowledgement', { msid: '7.ab', meta: { failed_attempts: 2 } }, OK],
		['PATCH', 'acknowledgement', { error_code: 0, error_msg: 'success' }, OK],
		['PATCH', 'acknowledgement', '500 members were told', OK],
		['PATCH', 'acknowledgement', { failed: [], data: { message: 'ERR_V1 | no' } }, OK],
		['PUT', ofTag, { tag_id: 7, name: 'x', error_count: 3, meta: { success: false } }, OK],
		...['Failed: 0, updated: 1', { errors: { count: 0 } }, { error: { code: 0, message: '' } }].map(
			(body): [string, Expected, unknown, object] => ['PATCH', 'acknowledgement', body, OK],
		),
		...['<html>', '\uFEFF<p>', '<br />\n<b>Fatal error</b>: x', '<!-- x --><html>'].map(
			(body): [string, Expected, unknown, object] => ['PATCH', 'acknowledgement', body, PAGE],
		),
		['PATCH', 'acknowledgement', '{"status":"FORB', { ...GARBLED, isRepeated: false }],
		...[
			false,
			{ success: false },
			{ success: 'False' },
			{ ok: 0 },
			{ error: 'x' },
			{ errors: [{}] },
			{ error: { message: 'not allowed' } },
			{ message: 'Internal Server Error' },
			{ statusCode: 502, message: 'no' },
			{ status: 'error', message: 'no permission' },
			{ success: 'fail' },
			{ title: 'Forbidden', status: 403 },
			[{ id: 1, status: '403' }],
			[{ message: 'ERR_V1 | no' }],
			[{ tag_id: 1 }, ofApi('FORBIDDEN', 'no')],
			...['BAD_REQUEST', 'SERVER_ERROR', ['FORBIDDEN'], 'Not Found', '404 Not Found'],
			...[
				'Internal Server Error',
				'Bad Gateway',
				'Service Temporarily Unavailable.',
				'ERR_V1 | no',
			],
		].map((body): [string, Expected, unknown, object] => [
			...(['PATCH', 'acknowledgement', body, { ...REFUSAL, isUncertain: true }] as const),
		]),
	])('judges an answer to %s, expecting %j: %j', (method, expects, body, expected) => {
		expect(judged(requestFor(method, expects), answerOf(200, body))).toMatchObject(expected);
	});

	it('takes status 204 as an empty list, but not as a record', () => {
		expect(judged(requestFor('GET', { list: tag }), answerOf(204))).toMatchObject(OK);
		expect(judged(requestFor('GET', ofTag), answerOf(204))).toMatchObject(NOTHING);
	});

	it.each<[object, number, boolean]>([
		[ofApi('FORBIDDEN'), 403, false],
		[ofApi('FORBIDDEN', 'the reason given'), 403, false],
		[ofApi('forbidden', 'the reason given'), 403, false],
		[ofApi('TOO_MANY_REQUESTS'), 429, true],
		[ofApi('UNHEARD_OF'), 400, false],
	])('takes an error body as the status that it contains: %j', (body, status, isRepeated) => {
		for (const expects of [ofTag, 'acknowledgement' as const]) {
			const request = requestFor('PUT', expects);
			expect(outcomeOf(request, answerOf(200, body))).toMatchObject({ status });
			expect(judged(request, answerOf(200, body))).toMatchObject({
				kind: 'refused',
				isRepeated,
				isUncertain: false,
				reason: 'The reason given',
			});
		}
	});

	it('says for status 207 that part of a change may have been refused', () => {
		const told = judged(requestFor('PUT'), answerOf(207, { message: 'OK' }));
		expect(told).toMatchObject({ ...REFUSAL, isUncertain: true });
	});

	it('reads an answer of any depth', () => {
		const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown;
		expect(judged(requestFor('PATCH'), answerOf(200, deep))).toMatchObject(OK);
	});

	it('accepts only a body with the ID as the record', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (body) => {
				const { kind } = judged(requestFor('GET', ofTag), answerOf(200, body));
				const isIt = (body as { tag_id?: unknown } | null)?.tag_id === 7;
				expect(kind === 'answered').toBe(isIt);
			}),
		);
	});
});

/** For each method, whether it is repeated, and whether it may have changed data. */
type Policy = Record<'GET' | 'PUT' | 'POST', [isRepeated: boolean, isUncertain: boolean]>;

describe('Other answers', () => {
	// Further cases are in test/engine/faults-retry.
	const ALWAYS: Policy = { GET: [true, false], PUT: [true, false], POST: [true, false] };
	const NEVER: Policy = { GET: [false, false], PUT: [false, false], POST: [false, false] };
	const LOST: Policy = { GET: [true, false], PUT: [true, true], POST: [false, true] };
	const UNKNOWN: Policy = { GET: [false, false], PUT: [false, true], POST: [false, true] };
	const BUSY = ofApi('SERVICE_UNAVAILABLE');

	it.each<[number, unknown, object, Policy]>([
		[503, NGINX, HTML, ALWAYS],
		[503, BUSY, {}, LOST],
		[503, '<html>', SOON, LOST],
		[503, ofApi('BAD_REQUEST'), SOON, LOST],
		[503, NGINX, { via: '1.1 x' }, LOST],
		[503, `${NGINX}<p>x`, HTML, LOST],
		[503, HAPROXY.replace('t.\n', 't. But'), HTML, LOST],
		[502, NGINX, HTML, LOST],
		[500, BUSY, SOON, LOST],
		...[408, 425, 504, 520, 521, 522, 523, 524].map((status): [number, unknown, object, Policy] => [
			status,
			'',
			SOON,
			LOST,
		]),
		...[302, 303, 460, 499, 501].map((status): [number, unknown, object, Policy] => [
			...([status, '', {}, UNKNOWN] as const),
		]),
		...[301, 304, 400, 401, 403, 404, 405, 409, 410, 413, 418, 422, 511].map(
			(status): [number, unknown, object, Policy] => [status, '', {}, NEVER],
		),
	])(
		'repeats a request answered with %d, %j and %j if that is safe',
		(status, body, headers, policy) => {
			for (const [method, expected] of Object.entries(policy)) {
				const { isRepeated, isUncertain } = judged(
					requestFor(method),
					answerOf(status, body, headers),
				);
				expect([method, isRepeated, isUncertain]).toEqual([method, ...expected]);
			}
		},
	);
});

describe('Texts of a failure', () => {
	const read = (status: number, body: unknown = '', headers = {}) =>
		judged(requestFor('PATCH'), answerOf(status, body, headers));

	it.each([
		['ERR_V1 | the name is taken', 'The name is taken'],
		['ERR_V1: two\nlines', 'Two\nlines'],
		['ERR_V1400-a|b', 'A|b'],
		['ERR_V1_BAD the name', 'The name'],
		['ERR_V1', 'ERR_V1'],
		['  plain words\n', 'Plain words'],
		['an ERR_V1 in between', 'An ERR_V1 in between'],
		['X'.repeat(1001), `${'X'.repeat(1000)}…`],
		[`${'X'.repeat(999)}😀X`, `${'X'.repeat(999)}😀…`],
		['bytes\0\ufffd', 'Bytes'],
	])('reads the reason in %j', (message, reason) => {
		expect(read(400, { message }).reason).toBe(reason);
	});

	// A pattern with backtracking would take minutes for texts like these.
	it.each([`ERR_V${'1'.repeat(500_000)}x`, `ERR_V1${' '.repeat(500_000)}x`, 'A_'.repeat(250_000)])(
		'reads a reason of any length immediately',
		(message) => {
			const { reason, details } = read(400, { message, id: message });
			expect(reason.length).toBeLessThanOrEqual(1001);
			expect(details?.errorId?.length).toBeLessThanOrEqual(1001);
		},
	);

	it.each<[unknown, string]>([
		[{ type: 'about:blank', title: 'Gone', detail: 'no such tag' }, 'No such tag'],
		[{ title: 'too large', status: 413 }, 'Too large'],
		[{ error: 'no permission', message: ' ' }, 'No permission'],
		[{ error: { message: 'no permission' } }, 'No permission'],
		[{ errors: [{ detail: 'is too long' }, { detail: 'x' }] }, 'Is too long'],
		[{ errors: ['is too long'] }, 'Is too long'],
		[{ detail: [{ loc: ['body'], msg: 'is too long' }] }, 'Is too long'],
		[[{ id: 1 }, { error: 'is too long' }], 'Is too long'],
		[{ error: 'invalid_client', error_description: 'unknown key' }, 'Unknown key'],
		['Rate limit exceeded\n', 'Rate limit exceeded'],
	])('reads the reason in another form: %j', (body, reason) => {
		expect(read(400, body).reason).toBe(reason);
	});

	it.each(['', ' ', [], ['ERR_V1'], {}, { message: 5 }, '{"cut o', 'x'.repeat(301), 'a\0\u0001'])(
		'finds no reason in %j',
		(body) => {
			expect(read(400, body).reason).toBe(
				'The community refused the request without giving a reason (status 400)',
			);
		},
	);

	const NO_FIELD =
		"Check the values you entered, e.g. their lengths and formats. The community rejected one of them. If all of them are right, report the operation and the time to your community platform's support.";
	it.each<[number, string, string]>([
		[409, 'name, board_name', "Check 'Name' and 'Board Name'."],
		[400, 'role_id is unknown', "Check 'Role'."],
		[400, 'username is wrong', NO_FIELD],
		// Not sent, so the word refers to something else.
		[400, 'payload content is invalid', NO_FIELD],
		[404, 'USER 2.AB IS UNKNOWN', "Check 'User' (2.aB). Either no"],
		[410, 'no role has the id 2.', "Check 'Role' (Owner, 2). Either no"],
		[404, 'role=2, user=2.ab', "Check 'User' (2.aB) and 'Role' (Owner, 2). Either no"],
		[404, 'nothing has the id 20', 'Check any IDs that you entered. Either no'],
		[403, 'no', "Check 'API Key' in the credential. If the key is right, its owner lacks"],
		[415, 'no', 'Check the values you entered. If all of them are right, report'],
	])('names the parameters in the advice for %d, %s', (status, message, advice) => {
		expect(read(status, { message: `ERR_V1 | ${message}` }).advice).toContain(advice);
	});

	it.each<[number, unknown, object, string, RegExp]>([
		[404, '<html>', HTML, 'A web page came back instead of data', /'Base URL'.*does not seem/],
		[502, '<html>', HTML, "The community's server is not available right now", /not responding/],
		[429, '<html>', HTML, 'A web page came back instead of data', /limits how many requests/],
		[403, '<html>', HTML, 'A web page came back instead of data', /firewall \(such as Cloudflare/],
		[413, '<html>', HTML, 'A web page came back instead of data', /too long/],
		[407, '<html>', HTML, 'A web page came back instead of data', /proxy requires a login/],
		[511, '<html>', HTML, 'A web page came back instead of data', /network/],
		[
			304,
			'',
			{},
			'The community refused the request without giving a reason (status 304)',
			/cache/,
		],
		[404, { detail: 'nope' }, {}, 'Nope', /'Base URL'.*does not seem/],
		[401, { message: 'key required' }, {}, 'Key required', /'Base URL', 'Source System'/],
		[403, { message: 'blocked' }, {}, 'Blocked', /'Base URL'.*firewall/],
		[
			410,
			{ note: 'x' },
			{},
			'The community refused the request without giving a reason (status 410)',
			/any IDs/,
		],
	])(
		'explains an answer that the API has not written: %d with %j',
		(status, body, headers, reason, advice) => {
			const told = read(status, body, headers);
			expect(told.reason).toBe(reason);
			expect(told.advice).toMatch(advice);
		},
	);

	it.each([
		[
			'https://me:secret@other.example/path#secret',
			'If you trust https://other.example, enter it as',
		],
		[
			'http://community.example.com/x',
			"If you trust http://community.example.com, enter it as 'Base URL'",
		],
		['/login?token=secret', "Check 'Base URL' and 'API Key'"],
		['https://COMMUNITY.example.com:443/api/v1/users/', "Check 'Base URL' and 'API Key'"],
		['', "Check 'Base URL' and 'API Key'"],
		['data:secret', "Check 'Base URL' and 'API Key'"],
	])('advises on a redirect to %j', (location, advice) => {
		const told = read(301, '', { location });
		expect(told.advice).toContain(advice);
		expect(told.advice).not.toContain('secret');
	});

	it('explains any answer in plain words', () => {
		const headers = fc.record(
			{ location: fc.oneof(fc.constant('https://other.example/login'), fc.string()) },
			{ requiredKeys: [] },
		);
		const bodies = fc.oneof(
			fc.jsonValue(),
			fc.constant('<!doctype html><p>x'),
			fc.string({ minLength: 1 }).map((text) => ({ message: `ERR_V1 | A${text}` })),
		);
		fc.assert(
			fc.property(fc.integer({ min: 200, max: 599 }), headers, bodies, (status, sent, body) => {
				const { reason, advice } = read(status, body, sent);
				expect(reason.trim()).not.toBe('');
				expect(advice).toMatch(/^[A-Z].*\.$/);
				expect(reason + advice).not.toMatch(/(?![\t\n\r])[\p{Cc}\ufffd]|undefined|\[object/u);
			}),
			{ numRuns: 200 },
		);
		for (let status = 200; status < 600; status++) {
			for (const body of ['', '<html>', ofApi('x')]) {
				expect(read(status, body).advice).toMatch(/^[A-Z].*\.$/);
			}
		}
	});

	it('never uses the words error, problem, failure or mistake', () => {
		const all = sentences();
		expect(all.length).toBeGreaterThan(150);
		// A column of n8n's table, and n8n's name of an output.
		const unwanted = all.filter(({ text }) =>
			/\b(errors?|problems?|failures?|fail(s|ed)?|mistakes?)\b/i.test(
				text.replace(/the column 'error'|Error Branch|'On Error' to .*/, ''),
			),
		);
		expect(unwanted).toEqual([]);
	});
});

it.each<[unknown, number | undefined]>([
	['0', 0],
	[' 120 ', 120_000],
	['0.5', 500],
	[3, 3000],
	['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
	['Mon, 31 Dec 2029 23:59:00 GMT', 0],
	...['9'.repeat(400), '', 'soon', '-1', '1, 2', '5.', 'wait 3', undefined].map(
		(value): [unknown, undefined] => [value, undefined],
	),
])('reads Retry-After %j by the clock of the answer', (value, ms) => {
	const date = 'Tue, 01 Jan 2030 00:00:00 GMT';
	expect(retryAfterMs({ 'retry-after': value, date })).toBe(ms);
});
