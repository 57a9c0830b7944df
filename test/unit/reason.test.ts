import fc from 'fast-check';
import { isRefusal, readReason, statusNamedIn } from '../../nodes/shared/transport/reason.ts';

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
		expect(readReason({ message })).toEqual({ text, code, isOfApi: code !== undefined });
	});

	it('comes apart at any separator that is not part of a word', () => {
		const separators = fc.constantFrom(...'|:-,;/~>#*=');
		const texts = fc.stringMatching(/^[a-z][a-z ]{0,30}[a-z]$/);
		fc.assert(
			fc.property(separators, texts, fc.boolean(), (separator, text, isSpaced) => {
				const between = isSpaced ? ` ${separator} ` : separator;
				expect(readReason({ message: `ERR_V1${between}${text}` })).toMatchObject({
					code: 'ERR_V1',
					text: text.charAt(0).toUpperCase() + text.slice(1),
				});
			}),
		);
	});

	it('has the identifier, status and time of the error body', () => {
		expect(
			readReason({ id: 7, status: 'CONFLICT', time: '2030-01-01T00:00:00Z', message: 'x' }),
		).toEqual({
			...{ text: 'X', errorId: '7', status: 'CONFLICT', time: '2030-01-01T00:00:00Z' },
			isOfApi: true,
		});
		expect(readReason({ id: {}, status: null, message: 'x' })).toEqual({
			text: 'X',
			isOfApi: false,
		});
	});

	it('is given without the space around it', () => {
		expect(readReason({ message: '  too late\n' })?.text).toBe('Too late');
		expect(readReason({ message: ' ' })?.text).toBe(' ');
		expect(readReason({ message: ' ', error: 'real' })?.text).toBe('Real');
	});

	it('is given in full up to a thousand characters, and cut off with a sign after that', () => {
		const message = 'X'.repeat(1000);
		expect(readReason({ message })?.text).toBe(message);
		expect(readReason({ message: `${message}X` })?.text).toBe(`${message}…`);
	});

	// A pattern with backtracking would take minutes for a text like these.
	it.each([
		['digits', `ERR_V${'1'.repeat(500_000)}x`],
		['spaces', `ERR_V1${' '.repeat(500_000)}x`],
		['code', `ERR_V1${'A_'.repeat(250_000)}x`],
	])('is read at once and up to a bound, however long it is: %s', (_, message) => {
		const { text, status, errorId } = readReason({ message, status: message, id: message }) ?? {};
		for (const read of [text, status, errorId]) expect(read?.length).toBeLessThanOrEqual(1001);
	});

	it.each([undefined, null, '', ' ', [], ['ERR_V1'], [7], {}, { message: 5 }, { text: 'x' }])(
		'is not in %j',
		(body) => {
			expect(readReason(body)).toBeUndefined();
		},
	);
});

describe('the reason in another form', () => {
	it.each<[string, unknown, string]>([
		['RFC 9457', { type: 'about:blank', title: 'Gone', detail: 'no such tag' }, 'No such tag'],
		['RFC 9457 without detail', { title: 'too large', status: 413 }, 'Too large'],
		['error', { error: 'no permission' }, 'No permission'],
		['error with a message', { error: { message: 'no permission', code: 7 } }, 'No permission'],
		['errors with detail', { errors: [{ detail: 'is too long' }, { detail: 'x' }] }, 'Is too long'],
		['errors with message', { errors: [{ message: 'is too long' }] }, 'Is too long'],
		['errors as text', { errors: ['is too long'] }, 'Is too long'],
		['detail as a list', { detail: [{ loc: ['body'], msg: 'is too long' }] }, 'Is too long'],
		['a list of errors', [{ error: 'is too long' }], 'Is too long'],
		['RFC 6749', { error: 'invalid_client', error_description: 'unknown key' }, 'Unknown key'],
		['plain text', 'Rate limit exceeded\n', 'Rate limit exceeded'],
	])('is read: %s', (_, body, text) => {
		expect(readReason(body)).toEqual({ text, isOfApi: false });
	});

	it.each(['<p>no</p>', '{"message": "cut o', '[1', 'x'.repeat(301)])(
		'is not what is no sentence: %j',
		(body) => {
			expect(readReason(body)).toBeUndefined();
		},
	);

	it('is bounded', () => {
		expect(readReason({ detail: 'x'.repeat(100_000) })?.text.length).toBeLessThanOrEqual(1001);
	});
});

it.each([
	[{ message: 'ERR_V1 | no' }, true],
	[{ message: 'no', status: 'CONFLICT' }, false],
	[{ message: 'no', status: 'toString' }, false],
	[{ message: 'OK' }, false],
	[{ error: 'no' }, true],
	[{ errors: [{}] }, true],
	[{ success: false }, true],
	[{ success: true, error: null, errors: [] }, false],
	['ERR_V1 | no', true],
	['OK', false],
	['Errorless', false],
	['ERROR: no permission', true],
	['{"id":"e', true],
	['x'.repeat(301), true],
	[[], false],
	[[{ error: 'no' }], true],
	[{ status: 10, code: 200 }, false],
	[false, true],
	[true, false],
	[null, false],
])('whether a body refuses by itself: %j', (body, expected) => {
	expect(isRefusal(body)).toBe(expected);
});

it.each([
	[{ message: 'ERR_V1 | no', status: 'NOT_FOUND' }, 404],
	[{ message: 'ERR_V1 | no', status: 'SERVICE_UNAVAILABLE' }, 503],
	[{ message: 'no', status: 'SERVICE_UNAVAILABLE' }, undefined],
	[{ message: 'ERR_V1 | no', status: 'UNHEARD_OF' }, 400],
	[{ message: 'ERR_V1 | no' }, 400],
	[{ status: 'NOT_FOUND' }, undefined],
	['NOT_FOUND', undefined],
])('the status that a body names: %j', (body, expected) => {
	expect(statusNamedIn(body)).toBe(expected);
});
