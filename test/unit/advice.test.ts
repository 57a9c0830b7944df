import fc from 'fast-check';
import { failureOfAnswer, failureOfConnection } from '../../nodes/shared/advice.ts';
import type { HttpAnswer } from '../../nodes/shared/answer.ts';
import type { Failure } from '../../nodes/shared/failure.ts';
import type { ApiRequest } from '../../nodes/shared/request.ts';
import { sentences } from '../support/sentences.mts';

const REQUEST: ApiRequest = {
	method: 'PATCH',
	path: '/api/v1/users/2.ab',
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
		['EAI_AGAIN', 'There is no server at the base URL'],
		['ECONNREFUSED', 'Nothing accepts connections at the base URL'],
		['EHOSTUNREACH', 'Nothing accepts connections at the base URL'],
		['ENETUNREACH', 'Nothing accepts connections at the base URL'],
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
	])('that ended with %p', (code, reason) => {
		expect(failureOfConnection(code).message).toBe(reason);
		expectPlain(failureOfConnection(code));
		const unknown = failureOfConnection(code, true);
		expect(unknown.message).toBe(reason);
		expect(unknown.advice).toMatch(/^The record may have been created all the same/);
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
		expect(failureOfAnswer({ method: 'GET', path: '/' }, answer).advice).toBe(
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

describe('for whatever comes back', () => {
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
			fc.property(answers, fc.boolean(), (answer, outcomeUnknown) => {
				const failure = failureOfAnswer(REQUEST, answer, outcomeUnknown);
				expect(failure.message.trim()).not.toBe('');
				expect(failure.advice).toMatch(/^[A-Z].*\.$/);
				expect(failure.details.httpCode).toBe(answer.statusCode);
			}),
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

it('no text of the package speaks of errors, problems, failures or mistakes', () => {
	const all = sentences();
	expect(all.length).toBeGreaterThan(150);
	const unwanted = all.filter(({ text }) =>
		/\b(errors?|problems?|failures?|fail(s|ed)?|mistakes?)\b/i.test(text),
	);
	expect(unwanted).toEqual([]);
});
