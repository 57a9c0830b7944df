import fc from 'fast-check';
import { failureOfAnswer, failureOfConnection } from '../../nodes/shared/transport/advice.ts';
import type { HttpAnswer } from '../../nodes/shared/transport/answer.ts';
import { statusOf } from '../../nodes/shared/transport/outcome.ts';
import { brokenConnection } from '../../nodes/shared/transport/connection.ts';
import type { Failure } from '../../nodes/shared/transport/failure.ts';
import type { ApiRequest } from '../../nodes/shared/transport/request.ts';
import { tag } from '../../nodes/shared/records/types.ts';
import type { Setting } from '../../nodes/shared/transport/settings.ts';
import { sentences } from '../support/sentences.mts';

const REQUEST: ApiRequest = {
	method: 'PATCH',
	repeat: 'idempotent',
	path: '/users/2.ab',
	expects: 'acknowledgement',
	labels: { name: 'Name', board_name: 'Board Name', data: 'Role' },
	identifiers: [
		{ label: 'User', value: '2.ab' },
		{ label: 'Role', value: '2' },
	],
};
const refusal = (statusCode: number, message: string): HttpAnswer => ({
	statusCode,
	headers: {},
	body: { message: `ERR_V1 | ${message}` },
});
const adviceFor = (statusCode: number, message: string) =>
	failureOfAnswer(REQUEST, refusal(statusCode, message)).advice;

function expectPlain({ message, advice }: Failure): void {
	for (const text of [message, advice]) {
		expect(text).toMatch(/^[A-Z]/);
		expect(text).not.toMatch(/undefined|null|NaN|\[object/);
	}
	expect(advice).toMatch(/\.$/);
}

describe('for a connection', () => {
	it.each([
		['ENOTFOUND', 'There is no server at the base URL'],
		['EAI_AGAIN', 'The name in the base URL cannot be looked up right now'],
		['ERR_INVALID_CHAR', 'The request holds something that HTTP cannot carry'],
		['ECONNREFUSED', 'Nothing accepts connections at the base URL'],
		['EHOSTUNREACH', 'The connection to the API broke before an answer came'],
		['ENETUNREACH', 'The connection to the API broke before an answer came'],
		[
			'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
			"The community's server ended the encrypted connection",
		],
		['DEPTH_ZERO_SELF_SIGNED_CERT', "The certificate of the community's address is not valid"],
		['CERT_HAS_EXPIRED', "The certificate of the community's address is not valid"],
		['ERR_TLS_CERT_ALTNAME_INVALID', "The certificate of the community's address is not valid"],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', "The certificate of the community's address is not valid"],
		[
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			"The certificate of the community's address is not valid",
		],
		['EPROTO', "The community's address does not speak HTTPS as expected"],
		['ERR_SSL_WRONG_VERSION_NUMBER', "The community's address does not speak HTTPS as expected"],
		['ETIMEDOUT', 'The API did not answer in time'],
		['ECONNABORTED', 'The API did not answer in time'],
		['ECONNRESET', 'The connection to the API broke before an answer came'],
		['EPIPE', 'The connection to the API broke before an answer came'],
		['', 'The connection to the API broke before an answer came'],
	])('that ended with %j', (code, reason) => {
		const broken = brokenConnection({ code });
		for (const offered of [[], ['Timeout'] as const]) {
			const failure = failureOfConnection(REQUEST, broken, { offered });
			expect(failure.message).toBe(reason);
			expectPlain(failure);
		}
		const create = failureOfConnection({ ...REQUEST, repeat: 'creating' }, broken);
		expect(create.message).toBe(reason);
		const isUnknown = /^The record may have been created all the same/.test(create.advice);
		expect(isUnknown).toBe(broken.outcome.kind === 'lost');
	});
});

describe('for an identifier that was not found', () => {
	const notFound = (named: string) =>
		`Check ${named}: nothing was found there, or this key may not see it.`;
	it.each([
		['no user has the id 2.ab', '"User" (2.ab)'],
		['no role has the id 2', '"Role" (2)'],
		['no role has the id 2.', '"Role" (2)'],
		['role=2, user=2.ab', '"User" (2.ab) and "Role" (2)'],
		['nothing has the id 20', '"User" (2.ab) and "Role" (2)'],
		['USER 2.AB IS UNKNOWN', '"User" (2.ab)'],
	])('%s', (reason, named) => {
		expect(adviceFor(404, reason)).toBe(notFound(named));
	});

	it('without any that was given', () => {
		const answer = refusal(404, 'gone');
		expect(
			failureOfAnswer(
				{ method: 'GET', repeat: 'safe', path: '/', expects: 'acknowledgement' },
				answer,
			).advice,
		).toBe(
			'Check the values you gave, if any, and "Base URL" in the credential: nothing was found there, or this key may not see it.',
		);
	});
});

it.each([
	['body.name is too long', 'Check "Name".'],
	['board_name: required', 'Check "Board Name".'],
	['Name is required', 'Check "Name".'],
	['name, board_name', 'Check "Name" and "Board Name".'],
	['username is taken', 'Check the values you gave: the API did not accept one of them.'],
])('for a value that was refused: %s', (reason, advice) => {
	expect(adviceFor(400, reason)).toBe(advice);
});

describe('for a status', () => {
	const BASE_URL = /"Base URL"/;
	const said = (status: number, body: unknown, headers = {}, offered?: readonly Setting[]) =>
		failureOfAnswer(REQUEST, { statusCode: status, headers, body }, { offered });
	const reasoned = (status: number) => said(status, { message: 'ERR_V1 | some reason' });

	it.each([
		405, 406, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424, 426, 428, 431, 451,
	])('%d with a reason of the API, it is about the request and not about the address', (status) => {
		const { message, advice } = reasoned(status);
		expect(message).toBe('Some reason');
		expect(advice).not.toMatch(BASE_URL);
	});

	it('that is not listed, it is neutral without a reason, too', () => {
		for (const status of [410, 415, 423]) {
			const { message, advice } = said(status, { note: 'gives no reason' });
			expect(message).toBe(`The API answered with HTTP status ${status} and gave no reason`);
			expect(advice).not.toMatch(BASE_URL);
		}
	});

	it('404 or 405 without the words of the API, it is about the address', () => {
		for (const status of [404, 405]) {
			expect(said(status, 'Not here')).toMatchObject({ message: 'Not here' });
			expect(said(status, 'Not here').advice).toMatch(BASE_URL);
		}
	});

	it.each([413, 414, 431])(
		'%d, also with the page of a server in front, it says what to do',
		(status) => {
			const { message, advice } = said(status, '<html>', { 'content-type': 'text/html' });
			expect(message).toBe(`The API answered with HTTP status ${status} and gave no reason`);
			expect(advice).toBe(
				"What you gave is too long for the community's server: give less at once.",
			);
		},
	);

	it('429, it names the settings that the node has, and no others', () => {
		const all = ['Max Requests at Once', 'Max Retries', 'Timeout'] as const;
		for (const headers of [{}, { 'content-type': 'text/html' }]) {
			expect(said(429, '', headers, all).advice).toContain('Lower "Max Requests at Once"');
			expect(said(429, '', headers, ['Timeout']).advice).toBe(
				'The API limits how many requests it takes. Try again later.',
			);
		}
	});
});

it.each([201, 502])(
	'a create that is answered with %d and cannot be read may have been carried out',
	(statusCode) => {
		for (const body of ['cut off {', [], '<html>']) {
			const { advice } = failureOfAnswer(
				{ ...REQUEST, repeat: 'creating', expects: { record: tag } },
				{ statusCode, headers: {}, body },
			);
			expect(advice).toMatch(/^The record may have been created all the same/);
		}
	},
);

describe('for any answer', () => {
	const answers = fc.record({
		statusCode: fc.integer({ min: 200, max: 599 }),
		headers: fc.record(
			{
				'content-type': fc.constantFrom('text/html', 'application/json', 'text/plain'),
				location: fc.oneof(fc.webUrl(), fc.string()),
			},
			{ requiredKeys: [] },
		),
		body: fc.oneof(
			fc.jsonValue(),
			fc.constant('<!doctype html><p>x'),
			fc.string({ minLength: 1 }).map((text) => ({ message: `ERR_V1 | A${text}` })),
		),
	});

	it('there is a reason and advice in plain words', () => {
		fc.assert(
			fc.property(
				answers,
				fc.constantFrom('creating' as const, 'idempotent' as const),
				(answer, repeat) => {
					const failure = failureOfAnswer({ ...REQUEST, repeat }, answer);
					expect(failure.message.trim()).not.toBe('');
					expect(failure.advice).toMatch(/^[A-Z].*\.$/);
					expect(failure.details.httpCode).toBe(statusOf(answer));
				},
			),
			{ numRuns: 1000 },
		);
	});

	it('every status has advice, with a reason of the API, with a web page and without either', () => {
		for (let statusCode = 200; statusCode < 600; statusCode++) {
			expectPlain(failureOfAnswer(REQUEST, refusal(statusCode, 'Reason given')));
			const page = { statusCode, headers: { 'content-type': 'text/html' }, body: '<html>' };
			expectPlain(failureOfAnswer(REQUEST, page));
			expectPlain(failureOfAnswer(REQUEST, { statusCode, headers: {}, body: '' }));
		}
	});

	it('a redirect names the host it points to and nothing else of it', () => {
		const location = 'https://user:secret@other.example/path?token=secret#secret';
		for (const target of [location, 'https://other.example/path?token=secret']) {
			const answer = { statusCode: 302, headers: { location: target }, body: '' };
			const { advice } = failureOfAnswer(REQUEST, answer);
			expect(advice).toContain('Use https://other.example as "Base URL"');
			expect(advice).not.toContain('secret');
		}
	});
});

// A column of n8n's table, and n8n's name of an output.
const NAMES_IN_N8N = /the column error|Error Branch/;

it('no text of the package speaks of errors, problems, failures or mistakes', () => {
	const all = sentences();
	expect(all.length).toBeGreaterThan(150);
	const unwanted = all.filter(({ text }) =>
		/\b(errors?|problems?|failures?|fail(s|ed)?|mistakes?)\b/i.test(text.replace(NAMES_IN_N8N, '')),
	);
	expect(unwanted).toEqual([]);
});
