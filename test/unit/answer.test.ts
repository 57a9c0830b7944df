import fc from 'fast-check';
import type { HttpAnswer } from '../../nodes/shared/exchange/answer.ts';
import {
	hasMore,
	isEmpty,
	isRecord,
	isSuccess,
	isWebPage,
	readApiError,
	retryAfterMs,
} from '../../nodes/shared/exchange/answer.ts';

const answer = (parts: Partial<HttpAnswer> = {}): HttpAnswer => ({
	statusCode: 200,
	headers: {},
	body: {},
	...parts,
});

describe('Retry-After', () => {
	const now = Date.UTC(2030, 0, 1);
	const asked = (value: unknown) =>
		retryAfterMs(answer({ headers: { 'retry-after': value } }), now);

	it.each([
		['0', 0],
		['7', 7000],
		[' 120 ', 120_000],
		['0.5', 500],
		['2.25', 2250],
		[3, 3000],
		['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
		['Mon, 31 Dec 2029 23:59:00 GMT', 0],
		['2030-01-01T00:00:10Z', 10_000],
		['', undefined],
		['soon', undefined],
		['-1', undefined],
		['1, 2', undefined],
		['5.', undefined],
		['wait 3', undefined],
		['Tuesday, 01-Jan-30 00:00:30 GMT', 30_000],
		['Tue Jan  1 00:00:30 2030 GMT', 30_000],
		[undefined, undefined],
	])('%j', (value, ms) => {
		expect(asked(value)).toBe(ms);
	});

	it('is never negative, whatever comes', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.integer(), fc.date().map(String)), (value) => {
				const ms = asked(value);
				expect(ms === undefined || ms >= 0).toBe(true);
			}),
		);
	});
});

describe('the reason of the API', () => {
	it.each([
		['ERR_V1 | the name is taken', 'ERR_V1', 'The name is taken'],
		['ERR_V1: the name is taken', 'ERR_V1', 'The name is taken'],
		['ERR_V1-the name is taken', 'ERR_V1', 'The name is taken'],
		['ERR_V1 the name is taken', 'ERR_V1', 'The name is taken'],
		[' ERR_V1: the name is taken', 'ERR_V1', 'The name is taken'],
		['ERR_V1400 | payload validation: a|b', 'ERR_V1400', 'Payload validation: a|b'],
		['ERR_V1_BAD_INPUT: no', 'ERR_V1_BAD_INPUT', 'No'],
		['ERR_V1|two\nlines', 'ERR_V1', 'Two\nlines'],
		['ERR_V1', 'ERR_V1', 'ERR_V1'],
		['plain words', undefined, 'Plain words'],
		['an ERR_V1 in between', undefined, 'An ERR_V1 in between'],
	])('%j', (message, code, text) => {
		expect(readApiError({ message })).toEqual({ text, code });
	});

	it('comes apart at any separator that is not part of a word', () => {
		const separators = fc.constantFrom(...'|:-,;/~>#*=');
		const texts = fc.stringMatching(/^[a-z][a-z ]{0,30}[a-z]$/);
		fc.assert(
			fc.property(separators, texts, fc.boolean(), (separator, text, isSpaced) => {
				const between = isSpaced ? ` ${separator} ` : separator;
				expect(readApiError({ message: `ERR_V1${between}${text}` })).toMatchObject({
					code: 'ERR_V1',
					text: text.charAt(0).toUpperCase() + text.slice(1),
				});
			}),
		);
	});

	it('carries what identifies it', () => {
		expect(
			readApiError({ id: 7, status: 'CONFLICT', time: '2030-01-01T00:00:00Z', message: 'x' }),
		).toEqual({ text: 'X', errorId: '7', status: 'CONFLICT', time: '2030-01-01T00:00:00Z' });
		expect(readApiError({ id: {}, status: null, message: 'x' })).toEqual({ text: 'X' });
	});

	it('is given without the space around it', () => {
		expect(readApiError({ message: '  too late\n' })?.text).toBe('Too late');
		expect(readApiError({ message: ' ' })?.text).toBe(' ');
	});

	it('is given in full up to a thousand characters, and cut off with a sign after that', () => {
		const message = 'X'.repeat(1000);
		expect(readApiError({ message })?.text).toBe(message);
		expect(readApiError({ message: `${message}X` })?.text).toBe(`${message}…`);
	});

	// With a pattern that goes back for every digit, a text like these takes minutes.
	it.each([
		['digits', `ERR_V${'1'.repeat(500_000)}x`],
		['spaces', `ERR_V1${' '.repeat(500_000)}x`],
		['code', `ERR_V1${'A_'.repeat(250_000)}x`],
	])('is read at once and up to a bound, however long it is: %s', (_, message) => {
		const { text, status, errorId } = readApiError({ message, status: message, id: message }) ?? {};
		for (const read of [text, status, errorId]) expect(read?.length).toBeLessThanOrEqual(1001);
	});

	it.each([undefined, null, '', 'text', [], ['ERR_V1'], {}, { message: 5 }, { text: 'x' }])(
		'is not in %j',
		(body) => {
			expect(readApiError(body)).toBeUndefined();
		},
	);
});

it.each([
	['1', true],
	['0', false],
	[1, true],
	[0, false],
	['true', true],
	['TRUE', true],
	['false', false],
	['', false],
	['2', false],
	[undefined, undefined],
])('has_more %j', (value, expected) => {
	expect(hasMore(answer({ headers: { has_more: value } }))).toBe(expected);
});

it.each([
	[{ 'content-type': 'text/html; charset=utf-8' }, 'x', true],
	[{}, '<!DOCTYPE html><p>', true],
	[{}, '\n <html lang="en">', true],
	[{ 'content-type': 'application/json' }, { html: '<html>' }, false],
	[{}, 'about <html>', false],
	[{}, ['<html>'], false],
	[{}, undefined, false],
])('a web page: %j %j', (headers, body, expected) => {
	expect(isWebPage(answer({ headers, body }))).toBe(expected);
});

it('tells records, nothing and successes apart', () => {
	const bodies = [undefined, null, '', {}, [], { a: 1 }, 'text', 0, false, Buffer.from('x')];
	expect(bodies.filter(isEmpty)).toEqual([undefined, null, '', {}]);
	expect(bodies.filter(isRecord)).toEqual([{}, { a: 1 }]);
	const codes = [199, 200, 204, 299, 300, 404];
	expect(codes.filter((statusCode) => isSuccess(answer({ statusCode })))).toEqual([200, 204, 299]);
});
