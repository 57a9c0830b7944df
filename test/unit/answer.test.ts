import fc from 'fast-check';
import type { HttpAnswer } from '../../nodes/shared/transport/answer.ts';
import { inTimeZone } from '../support/time-zone.mts';
import {
	hasMore,
	isEmpty,
	isRecord,
	isSuccess,
	isWebPage,
	retryAfterMs,
} from '../../nodes/shared/transport/answer.ts';

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
		['Tue Jan  1 00:00:30 2030', 30_000],
		['2030-01-01T00:00:10', 10_000],
		['2030-01-01T05:30:10+05:30', 10_000],
		['2029-12-31T19:00:10-0500', 10_000],
		['Tue, 01 Jan 2030 00:00:30 UTC', 30_000],
		['Tue, 01 Jan 2030 01:00:30 +0100', 30_000],
		[undefined, undefined],
	])('%j, in whatever time zone n8n runs', (value, ms) => {
		expect(asked(value)).toBe(ms);
		expect(inTimeZone('Asia/Kolkata', () => asked(value))).toBe(ms);
	});

	it('as a date is read against the clock of the answer', () => {
		const ahead = 'Tue, 01 Jan 2030 01:00:30 GMT';
		const given = (date: string) =>
			retryAfterMs(answer({ headers: { 'retry-after': ahead, date } }), now);
		expect(given('Tue, 01 Jan 2030 01:00:00 GMT')).toBe(30_000);
		expect(given('Tue, 01 Jan 2030 02:00:00 GMT')).toBe(0);
		expect(given(' Tue, 01 Jan 2030 01:00:00 GMT ')).toBe(30_000);
		expect(given('some time')).toBe(3_630_000);
	});

	it('is never negative', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.integer(), fc.date().map(String)), (value) => {
				const ms = asked(value);
				expect(ms === undefined || ms >= 0).toBe(true);
			}),
		);
	});
});

it.each([
	['1', true],
	['0', false],
	[1, true],
	[0, false],
	['true', true],
	['TRUE', true],
	['false', false],
	['no', false],
	[' No ', false],
	[false, false],
	['', undefined],
	['2', true],
	['yes', true],
	['more', true],
	[true, true],
	['1, 1', true],
	['0, 0', false],
	['0, 1', true],
	[['1', '1'], true],
	[undefined, undefined],
])('has_more %j', (value, expected) => {
	expect(hasMore(answer({ headers: { has_more: value } }))).toBe(expected);
});

it.each([
	[{ 'content-type': 'text/html; charset=utf-8' }, 'x', false],
	[{ 'content-type': 'text/html' }, '', false],
	[{ 'content-type': 'text/html' }, { tag_id: 7 }, false],
	[{ 'content-type': 'text/html' }, '<br />\n<b>Fatal</b>', true],
	[{ 'content-type': 'text/html' }, '\uFEFF<p>', true],
	[{}, '<!-- x -->\n<html>', true],
	[{}, '<?xml version="1.0"?><!DOCTYPE html>', true],
	[{}, '<p>', false],
	[{}, `${'<!-- a -->\n'.repeat(60)}<div>x</div>`, false],
	[{}, `${'<!-- a -->\n'.repeat(60)}<html>`, true],
	[{}, `<!--${'x'.repeat(100_000)}`, false],
	[{}, '<!DOCTYPE html><p>', true],
	[{}, '\n <html lang="en">', true],
	[{ 'content-type': 'application/json' }, { html: '<html>' }, false],
	[{}, 'about <html>', false],
	[{}, ['<html>'], false],
	[{}, undefined, false],
])('a web page: %j %j', (headers, body, expected) => {
	expect(isWebPage(answer({ headers, body }))).toBe(expected);
});

it('distinguishes records, empty answers and successes', () => {
	const bodies = [undefined, null, '', {}, [], { a: 1 }, 'text', 0, false, Buffer.from('x')];
	expect(bodies.filter(isEmpty)).toEqual([undefined, null, '', {}]);
	expect(bodies.filter(isRecord)).toEqual([{}, { a: 1 }]);
	const codes = [199, 200, 204, 299, 300, 404];
	expect(codes.filter((statusCode) => isSuccess(answer({ statusCode })))).toEqual([200, 204, 299]);
});
